// Treasury records on the wire. Amounts are in minor units.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import { TREASURY_KINDS } from "./model/treasury.policy";
import type { TreasuryRow } from "./model/treasury.table";
import { askedAndApproved } from "./wire";

export const TreasuryRecord = z
	.object({
		id: z.uuid(),
		kind: z.enum(TREASURY_KINDS),
		amount: z.int(),
		currency: z.string(),
		account: z.string(),
		to_account: z.string().nullable(),
		value_date: z.iso.date().meta({ description: "The day on which the money moved" }),
		reference: z.string(),
		corrects_id: z.uuid().nullable().meta({ description: "The record that it takes back" }),
		corrected_by_id: z.uuid().nullable().meta({ description: "The record that takes it back" }),
		...askedAndApproved,
		booked_at: z.iso.datetime(),
	})
	.meta({ id: "TreasuryRecord" });

export type ShownTreasury = TreasuryRow & {
	readonly correctedById: string | null;
	readonly askerCalled: string | null;
	readonly deciderCalled: string | null;
};

/** `called`: what people are called, by their ids. */
export const toTreasuryRecord = (row: ShownTreasury, called: ReadonlyMap<string, string | null>): z.input<typeof TreasuryRecord> => ({
	id: row.id,
	kind: row.kind,
	amount: row.amount,
	currency: row.currency,
	account: row.account,
	to_account: row.toAccount,
	value_date: row.valueDate,
	reference: row.reference,
	corrects_id: row.correctsId,
	corrected_by_id: row.correctedById,
	approval_request_id: row.approvalId,
	requested_by: row.requestedBy,
	requested_by_display: called.get(row.requestedBy) ?? null,
	approved_by: row.approvedBy,
	approved_by_display: called.get(row.approvedBy) ?? null,
	reason: row.reason,
	booked_at: toTimestamp(row.bookedAt),
});
