// The lines of an export, as they are sent and stored.

import * as z from "zod";
import { list } from "../../shared/bounded";
import { atLeastOneOf } from "../../shared/schema-rules";
import { LocalDate } from "../../shared/timestamp";
import { DAY_COUNTS, FEE_RECOGNITIONS, LOAN_PRODUCT_TYPES } from "../loan-products/model/policy";
import { InterestRate, PenaltyTerms, Tenure } from "../loan-products/model/wire";
import { MAX_INSTALLMENTS } from "../loan-terms/periods.policy";
import { PaymentDetails } from "../repayments/payment-details.wire";
import { PhoneNumber } from "../users/model/phone.wire";

/** Lines of one portion. */
export const MAX_LINES = 500;
/** Cycles of one account. */
const MAX_CYCLES = 100;

const oldId = z.string().trim().min(1).max(100);
const date = LocalDate;
const amount = z.int().min(0).meta({ description: "In minor units" });
const positive = z.int().min(1).meta({ title: "ImportAmount", description: "In minor units" });
const number = z.int().min(1);

const Borrower = z
	.strictObject({
		mobile_number: PhoneNumber.optional(),
		identity: z
			.strictObject({ issuer: z.string().trim().min(1).max(500), subject: z.string().trim().min(1).max(255) })
			.optional()
			.meta({ description: "As a partner's tokens will name the borrower" }),
	})
	.refine(({ mobile_number, identity }) => mobile_number !== undefined || identity !== undefined, "needs mobile_number or identity")
	.meta(atLeastOneOf("mobile_number", "identity"));

const OldCycle = z.strictObject({
	number: number.meta({ description: "From 1, in the order in which they began" }),
	rolled_over_from: number.optional().meta({ description: "The number of the cycle whose principal rolled into this one" }),
	tenure: Tenure,
	interest_rate: InterestRate,
	installment_every: Tenure.optional(),
	loan_product_type: z.enum(LOAN_PRODUCT_TYPES).optional(),
	day_count: z.enum(DAY_COUNTS).optional(),
	fee_basis_points: z.int().min(0).max(10_000).optional(),
	access_fee_recognition: z.enum(FEE_RECOGNITIONS).optional(),
	penalty_terms: PenaltyTerms.optional(),
});

const AccountLine = z
	.strictObject({
		type: z.literal("ACCOUNT"),
		account: oldId,
		borrower: Borrower,
		loan_product_id: z.uuid().toLowerCase(),
		auto_renews: z.boolean().optional().meta({ description: "By default as the product does" }),
		loans_repaid_on_time: z.int().min(0).max(10_000).default(0).meta({ description: "In a row, since the last default" }),
		cycles: list(OldCycle, { min: 1, max: MAX_CYCLES }).meta({ description: "Terms that a cycle does not name are the product's" }),
	})
	.meta({ id: "ImportAccountLine" });

const fact = {
	type: z.literal("FACT"),
	account: oldId,
	id: oldId,
	position: number.meta({ title: "ImportPosition", description: "In the order of posting, unique in the account" }),
	on: date.meta({ title: "ImportDay", description: "The local day on which it counts" }),
};

const FactLine = z
	.discriminatedUnion("kind", [
		z.strictObject({ ...fact, kind: z.literal("DRAW"), amount: positive, cycle: number }).meta({ id: "ImportDrawLine" }),
		z
			.strictObject({
				...fact,
				kind: z.literal("REPAYMENT"),
				amount: positive,
				payment: z
					.strictObject({ mobile_money_transaction_id: z.string().trim().min(1).max(100), details: PaymentDetails })
					.optional()
					.meta({ description: "With it, a later report of the same payment is refused as known" }),
			})
			.meta({ id: "ImportRepaymentLine" }),
		z
			.strictObject({ ...fact, kind: z.literal("WAIVER"), amount: positive, cycle: number, installment: number })
			.meta({ id: "ImportWaiverLine" }),
		z.strictObject({ ...fact, kind: z.literal("REFUND"), amount: positive }).meta({ id: "ImportRefundLine" }),
		z.strictObject({ ...fact, kind: z.literal("WRITE_OFF"), amount: positive }).meta({ id: "ImportWriteOffLine" }),
		z.strictObject({ ...fact, kind: z.literal("ROLL_OVER"), amount: positive, cycle: number }).meta({ id: "ImportRollOverLine" }),
		z.strictObject({ ...fact, kind: z.literal("REVERSAL"), reverses: oldId }).meta({ id: "ImportReversalLine" }),
		z
			.strictObject({
				...fact,
				kind: z.literal("RESCHEDULE"),
				cycle: number,
				due_dates: list(date, { min: 1, max: MAX_INSTALLMENTS }).meta({ description: "Of all installments that were not yet due" }),
			})
			.meta({ id: "ImportRescheduleLine" }),
		z.strictObject({ ...fact, kind: z.literal("SETTLEMENT"), amount: positive, valid_until: date }).meta({ id: "ImportSettlementLine" }),
	])
	.meta({ id: "ImportFactLine" });

const BalanceLine = z
	.strictObject({
		type: z.literal("BALANCE"),
		account: oldId,
		on: date.meta({ description: "At the end of this day, with all that is known now" }),
		principal: amount,
		interest: amount.meta({ description: "Earned, and not overdue" }),
		arrears: amount.meta({ description: "Overdue interest" }),
		penalty: amount,
		overpaid: amount.default(0),
		refund_uncovered: amount.default(0),
	})
	.meta({ id: "ImportBalanceLine" });

export const Line = z.discriminatedUnion("type", [AccountLine, FactLine, BalanceLine]).meta({ id: "ImportLine" });
export type Line = z.output<typeof Line>;
export type AccountLine = z.output<typeof AccountLine>;
export type FactLine = z.output<typeof FactLine>;
export type BalanceLine = z.output<typeof BalanceLine>;

/** What names a line within its account and type. */
export const keyOf = (line: Line): string => (line.type === "FACT" ? line.id : line.type === "BALANCE" ? line.on : "");
