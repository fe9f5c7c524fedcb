// Tries a filter on what has happened.

import * as z from "zod";
import { alone, member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { nearest } from "../../../shared/nearest";
import { subscriptionTo } from "../event-type.policy";
import { checkConditions } from "./filter.policy";
import { countPassing } from "./filter.store";
import { Events, FilterBody } from "./wire";

/** The last events that a filter is tried on. */
const TRIED_ON = 1_000;

const EXAMPLE = { events: ["repayment.posted"], filter: [{ member: "amount", min: 100_000 }] };

export const tryWebhookFilter = operation({
	id: "tryWebhookFilter",
	method: "POST",
	path: "/v1/webhooks/filters/dry-run",
	summary: "Count which of the last thousand events an endpoint would have got",
	description: "Judges the organization's last 1,000 events as the delivery of an event does, and changes nothing.",
	access: alone(member("org:webhooks:read")),
	limit: "heavy",
	whileSuspended: true,
	request: { body: z.strictObject({ events: Events, filter: FilterBody }).meta({ examples: [EXAMPLE] }) },
	response: z.object({
		looked_at: z.int().meta({ description: "The last events of the organization, at most 1,000" }),
		subscribed: z.int().meta({ description: "Those of them that are of the named types" }),
		matching: z.int().meta({ description: "Those of them that the filter lets pass" }),
		last_matching: z.uuid().nullable().meta({ description: "The latest of these, for `GET /v1/webhooks/events/{event_id}`" }),
	}),
	// Changes nothing, so there is nothing to replay.
	idempotent: false,
	async handle({ body, caller: { organizationId } }, services) {
		const eventTypes = await services.eventTypes();
		const events = subscriptionTo(eventTypes, body.events);
		checkConditions(eventTypes, { events, filter: body.filter }, nearest);
		const [[counted]] = await services.db.read(
			countPassing(services.db.orm, organizationId, { events, filter: body.filter, limit: TRIED_ON }),
		);
		const { looked = 0, subscribed = 0, matching = 0, last = null } = counted ?? {};
		return { looked_at: looked, subscribed, matching, last_matching: matching === 0 ? null : last };
	},
});
