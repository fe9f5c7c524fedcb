// A test: a delivery of an example payload to one endpoint. The service attempts it like any other delivery, but counts it neither in the
// statistics nor among the failures in a row.

import { sql } from "drizzle-orm";
import { effect, type Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { countMade, deliveriesAreMadeFor } from "../../../events/holdings";
import { raise } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import type { EventType } from "../../../shared/event-type";
import { webhookTest } from "../events";
import { type EndpointRow, toDeliveryRecord } from "../wire";

/** Only a test of the type `webhook.test` raises an event for the feed: a test of another type shows something that has not happened. */
export function newTest(
	services: Services,
	endpoint: Pick<EndpointRow, "id" | "organizationId" | "name" | "slow">,
	eventType: Pick<EventType, "type" | "example"> = webhookTest,
) {
	const { db, now } = services;
	const { organizationId } = endpoint;
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
	const writes: Write[] = [
		// Beyond the quota, and in a database that is nearly full, the service makes no deliveries, not even tests.
		orStaleUnless(deliveriesAreMadeFor({ organizationId: sql`${organizationId}` }, services.config.WEBHOOK_QUOTA)),
		...(isPlainTest ? [raise(services, webhookTest, { id: row.eventId, organizationId, entityId: row.id, data: own })] : []),
		effect([db.orm.insert(webhookDeliveries).values(row), countMade(organizationId)], () =>
			services.afterwards(() => services.queue.poke([{ webhookId: endpoint.id, lane: endpoint.slow ? "SLOW" : "QUICK" }])),
		),
		// The commit is stale if the endpoint was deleted or suspended meanwhile, because nothing would send the test.
		orStaleUnless(
			sql`exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${endpoint.id} and ${webhookEndpoints.status} = 'ACTIVE')`,
		),
	];
	return { writes, answer: toDeliveryRecord({ ...row, body: null }, []) };
}
