// Payments, their allocations and the list of transactions on the wire.

import * as z from "zod";
import { resourceId } from "../../shared/ids";
import { toTimestamp } from "../../shared/time";
import { ALLOCATION_EFFECTS, ALLOCATION_SOURCES, ALLOCATION_TIMINGS } from "../credit-accounts/book/allocation-rows.policy";
import type { StoredAllocation } from "../credit-accounts/table";
import { PAYMENT_STATES } from "./lifecycle";
import { PaymentDetails } from "./payment-details.wire";
import type { PaymentRow } from "./table";

export const Money = z.object({ value: z.int(), currency: z.string() }).meta({ id: "Money" });

const timestamp = z.iso.datetime().nullable();

/** What the list of transactions shows. */
export const LISTED_KINDS = ["REPAYMENT", "REVERSAL", "WAIVER", "REFUND", "WRITE_OFF", "RESCHEDULE", "SETTLEMENT"] as const;

export const RepaymentTransaction = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		kind: z.enum(LISTED_KINDS),
		reverses_transaction_id: z.uuid().nullable(),
		mobile_money_transaction_id: z.string().nullable(),
		amount: Money,
		remaining_amount: Money.meta({ description: "The part of the amount that counts; the rest is reversed" }),
		fee_amount: Money,
		status: z.enum(PAYMENT_STATES).meta({ description: "REVERSED: nothing of it counts. A payment that is reversed in part is POSTED" }),
		reversed_by: z.uuid().nullable().meta({ description: "The newest of its reversals that stands" }),
		failure_reason: z.string().nullable(),
		transacted_at: z.iso.datetime(),
		confirmed_at: timestamp,
		posted_at: timestamp,
		failed_at: timestamp,
		details: PaymentDetails.nullable(),
		account_id: z.uuid().nullable().optional().meta({ description: "The loan" }),
	})
	.meta({ id: "RepaymentTransaction" });

const instant = (at: number | null) => (at === null ? null : toTimestamp(at));

export const toPayment = (row: PaymentRow): z.input<typeof RepaymentTransaction> => ({
	id: row.id,
	resource_id: resourceId("trx", row.id),
	kind: "REPAYMENT",
	reverses_transaction_id: null,
	mobile_money_transaction_id: row.transactionIdSent ?? row.mobileMoneyTransactionId,
	amount: { value: row.amount, currency: row.currency },
	remaining_amount: { value: row.amount - row.reversedAmount, currency: row.currency },
	fee_amount: { value: row.feeAmount, currency: row.currency },
	status: row.status === "MATCHED" ? "CONFIRMED" : row.status,
	reversed_by: row.reversedById,
	failure_reason: row.failureReason,
	transacted_at: toTimestamp(row.transactedAt),
	confirmed_at: instant(row.confirmedAt),
	posted_at: instant(row.postedAt),
	failed_at: instant(row.failedAt),
	details: row.details,
});

/** What reversals have left of a transaction. */
export type Reversed = { readonly remaining: number; readonly reversedById: string | null };

/** A transaction that no payment brought about. */
export const toTransaction = (
	row: {
		id: string;
		kind: (typeof LISTED_KINDS)[number];
		reversesId: string | null;
		amount: number;
		occurredAt: number;
		postedAt: number;
	},
	currency: string,
	{ remaining, reversedById }: Reversed = { remaining: row.amount, reversedById: null },
): z.input<typeof RepaymentTransaction> => ({
	id: row.id,
	resource_id: resourceId("trx", row.id),
	kind: row.kind,
	reverses_transaction_id: row.reversesId,
	mobile_money_transaction_id: null,
	amount: { value: row.amount, currency },
	remaining_amount: { value: remaining, currency },
	fee_amount: { value: 0, currency },
	status: remaining === 0 ? "REVERSED" : "POSTED",
	reversed_by: reversedById,
	failure_reason: null,
	transacted_at: toTimestamp(row.occurredAt),
	confirmed_at: null,
	posted_at: toTimestamp(row.postedAt),
	failed_at: null,
	details: null,
});

export const Allocation = z
	.object({
		id: z.uuid(),
		installment_id: z.uuid(),
		balance_id: z.uuid(),
		cycle_id: z.uuid(),
		position: z.int(),
		allocated_amount: z.int(),
		principal_amount: z.int(),
		interest_amount: z.int(),
		arrears_amount: z.int().meta({ description: "Overdue interest and penalties" }),
		penalty_amount: z.int().meta({ description: "Of the arrears" }),
		allocated_at: z.iso.datetime(),
		effect: z.enum(ALLOCATION_EFFECTS).meta({ title: "AllocationEffect" }),
		source: z.enum(ALLOCATION_SOURCES),
		timing: z.enum(ALLOCATION_TIMINGS),
	})
	.meta({ id: "Allocation" });

export const toAllocation = (row: StoredAllocation): z.input<typeof Allocation> => ({
	id: row.id,
	installment_id: row.installmentId,
	balance_id: row.balanceId,
	cycle_id: row.cycleId,
	position: row.position,
	allocated_amount: row.allocatedAmount,
	principal_amount: row.principalAmount,
	interest_amount: row.interestAmount,
	arrears_amount: row.arrearsAmount,
	penalty_amount: row.penaltyAmount,
	allocated_at: toTimestamp(row.allocatedAt),
	effect: row.effect,
	source: row.source,
	timing: row.timing,
});

export const Repayment = z
	.object({
		transaction: RepaymentTransaction,
		installments: z.array(Allocation),
		overpaid_amount: z.int().meta({ description: "The amount that exceeds all installments" }),
	})
	.meta({ id: "Repayment" });

/** The answer to a payment: what it settled when it was posted. */
export function toRepayment(payment: PaymentRow, allocations: readonly StoredAllocation[]): z.input<typeof Repayment> {
	const live = allocations.filter(({ transactionId, causeId }) => transactionId === payment.id && causeId === payment.id);
	const allocated = live.reduce((sum, row) => sum + row.allocatedAmount, 0);
	return {
		transaction: { ...toPayment(payment), account_id: payment.accountId },
		installments: live.map(toAllocation),
		overpaid_amount: payment.postedAt === null ? 0 : payment.amount - allocated,
	};
}

export const UnmatchedPayment = z
	.object({
		id: z.uuid(),
		mobile_money_transaction_id: z.string(),
		account_number: z.string().nullable().meta({ description: "As the payer typed it in" }),
		amount: Money,
		reason: z.string().nullable(),
		transacted_at: z.iso.datetime(),
		created_at: z.iso.datetime(),
		details: PaymentDetails,
	})
	.meta({ id: "UnmatchedPayment" });

export const toUnmatched = (row: PaymentRow): z.input<typeof UnmatchedPayment> => ({
	id: row.id,
	mobile_money_transaction_id: row.transactionIdSent ?? row.mobileMoneyTransactionId,
	account_number: row.accountNumber,
	amount: { value: row.amount, currency: row.currency },
	reason: row.unmatchedReason,
	transacted_at: toTimestamp(row.transactedAt),
	created_at: toTimestamp(row.createdAt),
	details: row.details,
});
