// What a provider's final report changes: the message's delivery, and the counts of its day.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { countIf, isUnanswered, isUnreported, recordDelivery } from "./store";
import type { DELIVERIES, MessageRow } from "./table";

export type Delivery = (typeof DELIVERIES)[number];

/** Only the first time. A message whose sending had no answer has been sent, if it was delivered. */
export function deliver({ db: { orm }, now }: Services, row: MessageRow, delivery: Delivery): Write[] {
	const { provider } = row;
	if (provider === null) return [];
	const isLate = row.status === "PENDING" && delivery === "DELIVERED";
	const counted = { [delivery === "DELIVERED" ? "delivered" : "failed"]: 1, ...(isLate && { sent: 1 }) };
	const state = isLate ? isUnanswered : isUnreported;
	return [
		countIf(orm, row, { provider, currency: row.costCurrency }, counted, state),
		recordDelivery(
			orm,
			row.id,
			{
				delivery,
				reportedAt: now,
				...(isLate && { status: "SENT" as const, sealed: null, nextAttemptAt: null }),
			},
			state,
		),
	];
}
