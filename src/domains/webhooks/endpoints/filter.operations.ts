// Tries a filter on what has happened.

import { desc, eq } from "drizzle-orm";
import * as z from "zod";
import type { Orm } from "../../../db/database";
import { entityOf } from "../../../events/ordering";
import { webhookEvents } from "../../../events/table";
import { alone, member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { nearest } from "../../../shared/nearest";
import { letsPass } from "../../../shared/webhook-filter";
import { subscriptionTo } from "../event-type.policy";
import { checkConditions } from "./filter.policy";
import { Events, FilterBody } from "./wire";

/** The last events that a filter is tried on. They are judged here, because SQL would read a row for each value of the filter and event. */
const TRIED_ON = 200;

const EXAMPLE = { events: ["repayment.posted"], filter: [{ member: "amount", min: 100_000 }] };

export const tryWebhookFilter = operation({
	id: "tryWebhookFilter",
	method: "POST",
	path: "/v1/webhooks/filters/dry-run",
	summary: "Count which of the last 200 events an endpoint would have got",
	description:
		"Judges the organization's last 200 events as the delivery of an event does, and changes nothing. Earlier events are not looked at: of all events, at least so many are matching.",
	access: alone(member("org:webhooks:read")),
	limit: "heavy",
	whileSuspended: true,
	request: { body: z.strictObject({ events: Events, filter: FilterBody.default(null) }).meta({ examples: [EXAMPLE] }) },
	response: z.object({
		looked_at: z.int().meta({ description: "The last events of the organization, at most 200" }),
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
		const looked = await services.db.read(lastEvents(services.db.orm, organizationId, TRIED_ON));
		const subscribed = looked.filter(({ type }) => events.includes(type));
		const matching = subscribed.filter(({ type, data: text }) => {
			const data = JSON.parse(text);
			return letsPass(body.filter, { type, entityId: entityOf(data), data });
		});
		return {
			looked_at: looked.length,
			subscribed: subscribed.length,
			matching: matching.length,
			last_matching: matching[0]?.id ?? null,
		};
	},
});

/** The organization's last events, the latest first. */
const lastEvents = (orm: Orm, organizationId: string, limit: number) =>
	orm
		.select({ id: webhookEvents.id, type: webhookEvents.eventType, data: webhookEvents.data })
		.from(webhookEvents)
		.where(eq(webhookEvents.organizationId, organizationId))
		.orderBy(desc(webhookEvents.createdAt), desc(webhookEvents.sequence))
		.limit(limit);
