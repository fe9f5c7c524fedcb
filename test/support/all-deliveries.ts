// Deliveries in both forms.

import { getTableColumns, sql } from "drizzle-orm";
import { longId } from "../../src/db/short-ids";
import { webhookReceipts } from "../../src/domains/webhooks/table";
import type { DeliveryRow } from "../../src/domains/webhooks/wire";
import { webhookDeliveries } from "../../src/events/table";
import { db } from "./factories";

/** All deliveries, the short ones as their rows would be, in the order of their creation. */
export async function allDeliveries(): Promise<DeliveryRow[]> {
	// First, because a delivery may become a receipt between the two reads: then it is in both.
	const rows = await db.select().from(webhookDeliveries);
	const receipts = await db.all<DeliveryRow>(sql`
		select ${longId(webhookReceipts.id)} as "id", ${longId(webhookReceipts.organizationId)} as "organizationId", ${longId(webhookReceipts.webhookId)} as "webhookId",
			${longId(webhookReceipts.eventId)} as "eventId", event_type as "eventType", null as "testData", 'DELIVERED' as "status", 1 as "attempts", 1 as "round",
			1 as "roundAttempts", 0 as "roundInterrupted", null as "nextAttemptAt", null as "claimedUntil", null as "claim", null as "lastError",
			null as "lastManualRetryAt", created_at as "createdAt", delivered_at as "deliveredAt", null as "failedAt", 1 as "attemptPosition", 1 as "attemptNumber",
			'AUTOMATIC' as "attemptTrigger", started_at as "attemptStartedAt", duration_ms as "attemptDurationMs", 'DELIVERED' as "attemptOutcome",
			null as "attemptErrorClass", response_status as "responseStatus", response_body as "responseBody"
		from webhook_receipts`);
	const short = new Set(receipts.map(({ id }) => id));
	const none = Object.fromEntries(Object.keys(getTableColumns(webhookDeliveries)).map((column) => [column, null]));
	return [...rows.filter(({ id }) => !short.has(id)), ...receipts.map((receipt) => ({ ...none, ...receipt }))].toSorted(
		(a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
	);
}
