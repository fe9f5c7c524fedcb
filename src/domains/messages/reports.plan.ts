// What a provider's final report changes: the message's delivery, and the counts of its day.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { countIf, isUnanswered, isUnreported, recordDelivery } from "./store";
import type { DELIVERIES, MessageRow } from "./table";

export type Delivery = (typeof DELIVERIES)[number];
export type Report = { readonly delivery: Delivery; readonly provider: string; readonly providerMessageId: string };

/** Only the first time. A message whose sending had no answer has been sent, if it was delivered: by the provider that says so. */
export function recordReport({ db: { orm }, now }: Services, row: MessageRow, { delivery, ...by }: Report): Write[] {
	const counts = { provider: by.provider, currency: row.costCurrency };
	const outcome = delivery === "DELIVERED" ? { delivered: 1 } : { failed: 1 };
	const reported = { delivery, reportedAt: now };
	const recorded = [countIf(orm, row, counts, outcome, isUnreported), recordDelivery(orm, row.id, reported, isUnreported)];
	if (row.status !== "PENDING" || delivery === "FAILED") return recorded;
	const ended = { ...reported, ...by, status: "SENT" as const, sealed: null, nextAttemptAt: null };
	// If the answer has come since the message was read, only the report is recorded.
	return [countIf(orm, row, counts, { ...outcome, sent: 1 }, isUnanswered), recordDelivery(orm, row.id, ended, isUnanswered), ...recorded];
}
