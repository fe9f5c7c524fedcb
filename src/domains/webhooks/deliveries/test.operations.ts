// Sends an example payload to one endpoint on request.

import * as z from "zod";
import { first } from "../../../db/reads";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError } from "../../../shared/errors";
import { eventTypeOf } from "../event-type.policy";
import { webhookTest } from "../events";
import { DeliveryRecord } from "../wire";
import { newTest } from "./plan";
import { findTested } from "./test.store";

export const testWebhook = operation({
	id: "testWebhook",
	method: "POST",
	path: "/v1/webhooks/{webhook_id}/test",
	summary: "Send a test to this endpoint only",
	description:
		"Sends the example payload of any event type, also of types that the endpoint does not subscribe to. Only a `webhook.test`, the default, is an event of the feed: for other types nothing has happened. Tests count neither in the statistics nor among the failures in a row.",
	access: member("org:webhooks:write"),
	request: {
		path: z.object({ webhook_id: z.uuid().toLowerCase() }),
		body: z.strictObject({ event_type: z.string().max(100).optional() }).optional(),
	},
	response: DeliveryRecord,
	status: 202,
	errors: ["NOT_FOUND", "WEBHOOK_SUSPENDED"],
	async handle({ path, body, caller: { organizationId } }, services) {
		const { db } = services;
		const eventType = eventTypeOf(await services.eventTypes(), "event_type", body?.event_type ?? webhookTest.type);
		const endpoint = await db.read(first(findTested({ organizationId, webhookId: path.webhook_id })));
		if (!endpoint) throw new ApiError("NOT_FOUND");
		if (endpoint.status === "SUSPENDED") throw new ApiError("WEBHOOK_SUSPENDED");
		const test = newTest(services, endpoint, eventType);
		return services.commit(test.writes, test.answer);
	},
});
