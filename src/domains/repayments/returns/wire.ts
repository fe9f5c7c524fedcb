// Returns of money on the wire.

import * as z from "zod";
import { toTimestamp } from "../../../shared/time";
import { Repayment } from "../wire";
import { RETURN_STATES } from "./lifecycle";
import type { ReturnRow } from "./table";

export const MoneyReturn = z
	.object({
		status: z.enum(RETURN_STATES).meta({
			description:
				"PENDING: the request is being sent. TAKEN: the provider has accepted it and reported no outcome. RETURNED: the payer has the money; it may follow FAILED and GIVEN_UP",
		}),
		failure_reason: z.string().nullable(),
		mobile_money_transaction_id: z
			.string()
			.nullable()
			.meta({ description: "The provider's id of the return; null if the provider reported none" }),
		contradiction: z.string().nullable().meta({
			description: "A result that says otherwise than what is stored, or than what was asked for: compare with the provider's books",
		}),
		given_up_reason: z.string().nullable(),
		attempts: z.int(),
		created_at: z.iso.datetime(),
		ended_at: z.iso.datetime().nullable(),
	})
	.meta({ id: "MoneyReturn" });

export const ShownRepayment = z
	.object({
		...Repayment.shape,
		money_return: MoneyReturn.nullable().meta({ description: "The way of the money back to its payer; null where it was not asked for" }),
	})
	.meta({ id: "ShownRepayment" });

export const toMoneyReturn = (row: ReturnRow): z.input<typeof MoneyReturn> => ({
	status: row.status,
	failure_reason: row.failureReason,
	mobile_money_transaction_id: row.transactionId,
	contradiction: row.contradiction,
	given_up_reason: row.givenUpReason,
	attempts: row.attempts,
	created_at: toTimestamp(row.createdAt),
	ended_at: row.endedAt === null ? null : toTimestamp(row.endedAt),
});
