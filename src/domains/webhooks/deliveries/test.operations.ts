// Tests: deliveries of an example payload, sent to one endpoint on request. They are attempted as any other, but count neither in the
// statistics nor among the failures in a row.

import { sql } from "drizzle-orm";
import * as z from "zod";
import { effect } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { deliveriesAreMade, raise } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError } from "../../../shared/errors";
import { eventTypeOf } from "../event-type.policy";
import { webhookTest } from "../events";
import { findEndpoint } from "../store";
import { DeliveryRecord, toDeliveryRecord } from "../wire";

export const testWebhook = operation({
	id: "testWebhook",
	method: "POST",
	path: "/v1/webhooks/{webhook_id}/test",
	summary: "Send a test to this endpoint only",
	description:
		"Sends the example payload of any event type, whatever the endpoint subscribes to. Only a `webhook.test`, the default, is an event of the feed: for other types nothing has happened. Tests count neither in the statistics nor among the failures in a row.",
	access: member("org:webhooks:write"),
	request: {
		path: z.object({ webhook_id: z.uuid().toLowerCase() }),
		body: z.strictObject({ event_type: z.string().max(100).optional() }).optional(),
	},
	response: DeliveryRecord,
	status: 202,
	errors: ["NOT_FOUND", "WEBHOOK_SUSPENDED"],
	async handle({ path, body, caller: { organizationId } }, services) {
		const { db, now } = services;
		const eventType = eventTypeOf(await services.eventTypes(), "event_type", body?.event_type ?? webhookTest.type);
		const [[endpoint]] = await db.read(findEndpoint(db.orm, organizationId, path.webhook_id));
		if (!endpoint) throw new ApiError("NOT_FOUND");
		if (endpoint.status === "SUSPENDED") throw new ApiError("WEBHOOK_SUSPENDED");
		const own = { webhook_id: endpoint.id, name: endpoint.name };
		const isPlainTest = eventType.type === webhookTest.type;
		const row = {
			id: services.newId(),
			organizationId,
			webhookId: endpoint.id,
			eventId: services.newId(),
			eventType: eventType.type,
			testData: JSON.stringify(isPlainTest ? own : eventType.example),
			status: "PENDING" as const,
			attempts: 0,
			nextAttemptAt: now,
			createdAt: now,
			deliveredAt: null,
			failedAt: null,
			lastError: null,
		};
		return services.commit(
			[
				...(isPlainTest ? [raise(services, webhookTest, { id: row.eventId, organizationId, entityId: row.id, data: own })] : []),
				effect([db.orm.insert(webhookDeliveries).values(row)], () =>
					services.afterwards(() => services.queue.poke([{ webhookId: endpoint.id, lane: endpoint.slow ? "SLOW" : "QUICK" }])),
				),
				// A database that is nearly full makes no deliveries, not even of tests.
				orStaleUnless(deliveriesAreMade),
				// An endpoint that was deleted or suspended meanwhile gets no test, so the answer would show a delivery that does not exist.
				orStaleUnless(
					sql`exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${endpoint.id} and ${webhookEndpoints.status} = 'ACTIVE')`,
				),
			],
			toDeliveryRecord({ ...row, body: null }, []),
		);
	},
});
