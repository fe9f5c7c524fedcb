// Disbursements on the wire, as those who work for the lender see them.

import * as z from "zod";
import { maskNumber } from "../../../shared/mask";
import { PAYMENT_PROVIDERS } from "../../../shared/payment-providers";
import { toTimestamp } from "../../../shared/time";
import { DESTINATION_TYPES } from "./destination.policy";
import { DISBURSEMENT_KINDS, DISBURSEMENT_STATES } from "./lifecycle";
import type { DisbursementRow } from "./table";

const timestamp = z.iso.datetime().nullable();

export const Disbursement = z
	.object({
		id: z
			.uuid()
			.meta({ description: "That of the application, of the transaction or of the invoice's advance, and the disburser's reference" }),
		kind: z.enum(DISBURSEMENT_KINDS),
		account_id: z.uuid().nullable(),
		invoice_id: z.uuid().nullable(),
		organization_id: z.uuid().nullable(),
		amount: z.object({ value: z.int(), currency: z.string() }),
		fee_amount: z
			.object({ value: z.int(), currency: z.string() })
			.nullable()
			.meta({ description: "The provider's charge: by the organization's tariff, until a statement names it; null: not known" }),
		status: z
			.enum(DISBURSEMENT_STATES)
			.meta({ description: "PENDING is sent again, ACCEPTED waits for the disburser's report, RETURNED was paid and came back" }),
		destination: z
			.object({
				type: z.enum(DESTINATION_TYPES),
				user_id: z.uuid(),
				mobile_number: z.string().nullable().meta({ description: "Masked" }),
				account: z.object({ type: z.string(), identifier: z.string(), name: z.string().nullable() }).nullable(),
			})
			.nullable()
			.meta({ description: "As decided with the order; null for an invoice" }),
		provider: z.enum(PAYMENT_PROVIDERS).nullable().meta({ description: "Whose connection pays, as decided with the order" }),
		attempts: z.int(),
		next_attempt_at: timestamp,
		mobile_money_transaction_id: z.string().nullable(),
		failure_reason: z.string().nullable(),
		occurred_at: timestamp,
		contradiction: z
			.object({ mobile_money_transaction_id: z.string(), occurred_at: z.iso.datetime(), since: z.iso.datetime() })
			.nullable()
			.meta({
				description: "A payment that the provider has reported but no account owes: it had failed before, or could not be posted",
			}),
		second_receipts: z
			.array(z.object({ mobile_money_transaction_id: z.string(), occurred_at: z.iso.datetime() }))
			.meta({ description: "Other transactions by which the provider says that it was paid: perhaps it was paid more than once" }),
		second_receipt_at: timestamp.meta({ description: "Since when nobody has decided what the last of them means; null: somebody has" }),
		returned: z
			.object({ mobile_money_transaction_id: z.string(), occurred_at: z.iso.datetime() })
			.nullable()
			.meta({ description: "The transaction by which the money came back" }),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "Disbursement" });

const instant = (at: number | null) => (at === null ? null : toTimestamp(at));

/** `fee`: what its provider charged, where that is known. */
export type ShownDisbursement = DisbursementRow & { readonly fee: number | null };

export const toDisbursement = (row: ShownDisbursement): z.input<typeof Disbursement> => ({
	id: row.id,
	kind: row.kind,
	account_id: row.accountId,
	invoice_id: row.invoiceId,
	organization_id: row.organizationId,
	amount: { value: row.amount, currency: row.currency },
	fee_amount: row.fee === null ? null : { value: row.fee, currency: row.currency },
	status: row.status,
	destination: row.destination && {
		type: row.destination.type,
		user_id: row.destination.userId,
		mobile_number: row.destination.mobileNumber && maskNumber(row.destination.mobileNumber),
		account: row.destination.account ?? null,
	},
	provider: row.provider,
	attempts: row.attempts,
	next_attempt_at: row.status === "PENDING" ? toTimestamp(row.nextAttemptAt) : null,
	mobile_money_transaction_id: row.mobileMoneyTransactionId,
	failure_reason: row.failureReason,
	occurred_at: instant(row.occurredAt),
	contradiction:
		row.contradictedAt === null
			? null
			: {
					mobile_money_transaction_id: row.paidTransaction ?? "",
					occurred_at: toTimestamp(row.paidAt ?? row.contradictedAt),
					since: toTimestamp(row.contradictedAt),
				},
	second_receipts: (row.secondReceipts ?? []).map(({ transaction, at }) => ({
		mobile_money_transaction_id: transaction,
		occurred_at: toTimestamp(at),
	})),
	second_receipt_at: instant(row.secondReceiptAt),
	returned:
		row.returnTransactionSent === null || row.returnedAt === null
			? null
			: { mobile_money_transaction_id: row.returnTransactionSent, occurred_at: toTimestamp(row.returnedAt) },
	created_at: toTimestamp(row.createdAt),
});
