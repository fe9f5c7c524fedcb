// A test: a delivery of an example payload to one endpoint. The service attempts it like any other delivery, but counts it neither in the
// statistics nor among the failures in a row.

import { effect, type Write } from "../../../db/database";
import { countMadeDeliveries, raise, wake } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import type { EventType } from "../../../shared/event-type";
import { webhookTest } from "../events";
import { type EndpointRow, toDeliveryRecord } from "../wire";
import { demandReceiving, insertTest } from "./test.store";

/** Only a test of the type `webhook.test` raises an event for the feed: a test of another type shows something that has not happened. */
export function newTest(
	services: Services,
	endpoint: Pick<EndpointRow, "id" | "organizationId" | "name" | "slow">,
	eventType: Pick<EventType, "type" | "example"> = webhookTest,
) {
	const { now } = services;
	const { organizationId } = endpoint;
	const own = { webhook_id: endpoint.id, name: endpoint.name };
	const at = { webhookId: endpoint.id, lane: endpoint.slow ? ("SLOW" as const) : ("QUICK" as const) };
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
	const writes: Write[] = [
		demandReceiving({ organizationId, webhookId: endpoint.id, quota: services.config.WEBHOOK_QUOTA }),
		...(isPlainTest ? [raise(services, webhookTest, { id: row.eventId, organizationId, entityId: row.id, data: own })] : []),
		effect([insertTest(row), countMadeDeliveries({ organizationId })], ([made]) =>
			wake(
				services,
				made.map((due) => ({ ...due, ...at })),
			),
		),
	];
	return { writes, answer: toDeliveryRecord({ ...row, body: null }, []) };
}
