// Repayment prompts on the wire.

import * as z from "zod";
import { toTimestamp } from "../../../shared/time";
import { PROMPT_STATES } from "./lifecycle";
import type { PromptRow } from "./table";

export const RepaymentPrompt = z
	.object({
		id: z.uuid(),
		account_id: z.uuid(),
		reference: z.string().meta({ description: "The account number of its payment, as the payer sees it" }),
		amount: z.int(),
		currency: z.string(),
		status: z
			.enum(PROMPT_STATES)
			.meta({ description: "UNKNOWN: nobody has reported the outcome. A payment makes it SUCCEEDED, even after FAILED" }),
		failure_reason: z.string().nullable(),
		transaction_id: z.uuid().nullable().meta({ description: "The payment" }),
		created_at: z.iso.datetime(),
		ended_at: z.iso.datetime().nullable(),
	})
	.meta({ id: "RepaymentPrompt" });

export const NewPrompt = z
	.object({
		amount: z.int().min(1).optional().meta({ description: "In cents, whole shillings; by default what is due, rounded up" }),
	})
	.meta({ examples: [{}, { amount: 150_000 }] });

export const toPrompt = (row: PromptRow): z.input<typeof RepaymentPrompt> => ({
	id: row.id,
	account_id: row.accountId,
	reference: row.reference,
	amount: row.amount,
	currency: row.currency,
	status: row.status,
	failure_reason: row.failureReason,
	transaction_id: row.transactionId,
	created_at: toTimestamp(row.createdAt),
	ended_at: row.endedAt === null ? null : toTimestamp(row.endedAt),
});
