// Loan products and their terms on the wire.

import * as z from "zod";
import { list } from "../../../shared/bounded";
import { CurrencyCode } from "../../../shared/currency-code";
import { resourceId } from "../../../shared/ids";
import { isShown, MUST_BE_SHOWN } from "../../../shared/shown-text";
import { isTimeZone, type Span, toTimestamp } from "../../../shared/time";
import { Timestamp } from "../../../shared/timestamp";
import { DEFAULT_DESTINATIONS, DESTINATION_TYPES } from "../../disbursements/model/destination.policy";
import { ALLOCATION_ORDERS, DEFAULT_ALLOCATION, FUTURE_ALLOCATIONS } from "../../loan-terms/allocation.policy";
import type { Cost } from "../../loan-terms/cost.policy";
import { DEFAULT_IN_DUPLUM } from "../../loan-terms/penalties.policy";
import type { InterestRate as Rate } from "../../loan-terms/periods.policy";
import {
	CALCULATION_BASES,
	DAY_COUNTS,
	FEE_RECOGNITIONS,
	LOAN_PRODUCT_TYPES,
	PENALTY_TRIGGERS,
	PENALTY_TYPES,
	type PenaltyTerms as Penalty,
	PRODUCT_STATES,
	productState,
	RATE_UNITS,
	TENURE_UNITS,
	type TermsText,
} from "./policy";
import type { LoanProductRow, TermsTextRow } from "./table";

const days = z.int().max(36_500);

/** What a loan costs in a year. */
export const AprBasisPoints = z.int().nullable().meta({ description: "Effective annual rate, all charges included" });

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Which text a borrower is shown before they agree. */
export const termsTextMembers = {
	terms_version: z.int().nullable().meta({ description: "Of the text that borrowers agree to; null: there is none" }),
	terms_sha256: Sha256.nullable(),
};

export const toTermsTextMembers = (text: TermsText | null | undefined) => ({
	terms_version: text?.version ?? null,
	terms_sha256: text?.sha256 ?? null,
});

/** The text that a borrower has read and agrees to. */
export const AcceptedTerms = z.strictObject({ version: z.int().min(1), sha256: Sha256 }).meta({ id: "AcceptedTerms" });

export const LoanTermsText = z
	.object({
		loan_product_id: z.uuid(),
		version: z.int(),
		sha256: Sha256.meta({ description: "Of the text in UTF-8" }),
		text: z.string(),
		published_at: z.iso.datetime(),
	})
	.meta({ id: "LoanTermsText" });

export const toLoanTermsText = (row: TermsTextRow): z.input<typeof LoanTermsText> => ({
	loan_product_id: row.loanProductId,
	version: row.version,
	sha256: row.sha256,
	text: row.text,
	published_at: toTimestamp(row.publishedAt),
});

/** What a loan costs a borrower who pays in time. */
export const charges = z
	.array(z.object({ type: z.enum(["ACCESS_FEE", "INTEREST"]), amount: z.int() }).meta({ title: "LoanCharge" }))
	.meta({ description: "Their sum is total_cost; what being late costs is in penalty_terms" });

export const toCharges = ({ fee, total }: Pick<Cost, "fee" | "total">): z.input<typeof charges> =>
	[
		{ type: "ACCESS_FEE" as const, amount: fee },
		{ type: "INTEREST" as const, amount: total - fee },
	].filter(({ amount }) => amount !== 0);

/** On what a borrower may do. */
export const AvailableFrom = z.iso
	.datetime()
	.optional()
	.meta({ description: "Until then it is refused as `CAUTION`, because the sign-in is too recent; earlier if the SIM card is checked" });

/** A positive amount in minor units. */
export const Amount = z.int().min(1);

export const Tenure = z.strictObject({ duration: z.int().min(1).max(36_500), unit: z.enum(TENURE_UNITS) }).meta({ id: "Tenure" });

export const InterestRate = z
	.strictObject({
		basis_points: z.int().min(0).max(1_000_000),
		period_value: z.int().min(1).max(36_500),
		period_unit: z.enum(RATE_UNITS),
	})
	.meta({ id: "InterestRate" });

export const toInterestRate = ({ basisPoints, periodValue, periodUnit }: Rate): z.input<typeof InterestRate> => ({
	basis_points: basisPoints,
	period_value: periodValue,
	period_unit: periodUnit,
});

export const fromInterestRate = ({ basis_points, period_value, period_unit }: z.output<typeof InterestRate>): Rate => ({
	basisPoints: basis_points,
	periodValue: period_value,
	periodUnit: period_unit,
});

export const toTenure = ({ duration, unit }: Span): z.input<typeof Tenure> => ({ duration, unit });

export const PenaltyTerms = z
	.strictObject({
		rate_basis_points: z.int().min(0).max(1_000_000),
		calculation_basis: z.enum(CALCULATION_BASES),
		type: z.enum(PENALTY_TYPES),
		period_days: days.min(1),
		trigger: z.enum(PENALTY_TRIGGERS),
		grace_period_days: days.min(0),
	})
	.meta({ id: "PenaltyTerms" });

export const toPenaltyTerms = (terms: Penalty): z.input<typeof PenaltyTerms> => ({
	rate_basis_points: terms.rateBasisPoints,
	calculation_basis: terms.calculationBasis,
	type: terms.type,
	period_days: terms.periodDays,
	trigger: terms.trigger,
	grace_period_days: terms.gracePeriodDays,
});

export const fromPenaltyTerms = (terms: z.output<typeof PenaltyTerms>): Penalty => ({
	rateBasisPoints: terms.rate_basis_points,
	calculationBasis: terms.calculation_basis,
	type: terms.type,
	periodDays: terms.period_days,
	trigger: terms.trigger,
	gracePeriodDays: terms.grace_period_days,
});

const Allocation = z
	.strictObject({
		order: z.enum(ALLOCATION_ORDERS).meta({
			description: "HORIZONTAL pays installment after installment, VERTICAL each component of all that are due before the next component",
		}),
		future: z.enum(FUTURE_ALLOCATIONS).meta({
			description: "The installments that a payment ahead reduces: the next one, the last one, or all in equal parts",
		}),
	})
	.meta({ id: "AllocationTerms" });

const InDuplum = z
	.strictObject({
		since_default: z.boolean().meta({
			description:
				"Interest and penalties that are unpaid as the first overdue day begins, and those charged from then on, paid or not, stay within the principal outstanding at that moment",
		}),
	})
	.meta({ id: "InDuplumTerms" });

const AccessFeeRecognition = z.enum(FEE_RECOGNITIONS).meta({
	description: "When an access fee becomes income of the lender: as it is charged, or day by day until the loan's last due date",
});

const RateBand = z.strictObject({ min_days: days.min(0), max_days: days.min(1), interest_rate: InterestRate }).meta({ title: "RateBand" });

const NewDeal = z.strictObject({
	name: z.string().trim().min(1).max(100).refine(isShown, MUST_BE_SHOWN),
	short_message: z.string().trim().max(255),
	rate_reduction_basis_points: z.int().min(0).max(1_000_000),
	valid_from: Timestamp,
	valid_until: Timestamp,
});

const Deal = z.object({ id: z.uuid(), resource_id: z.string(), ...NewDeal.shape });

const PayoutDestinations = list(z.enum(DESTINATION_TYPES), { min: 1, max: DESTINATION_TYPES.length }).meta({
	description: "To what its loans may be paid",
});

const productMembers = {
	organization_id: z.uuid().toLowerCase().nullable().meta({ description: "null: the product serves every organization" }),
	name: z.string().trim().min(1).max(100).refine(isShown, MUST_BE_SHOWN),
	loan_product_type: z.enum(LOAN_PRODUCT_TYPES),
	currency: CurrencyCode,
	min_loan_amount: Amount,
	max_loan_amount: Amount,
	amount_step: Amount,
	base_limit: z.int().min(0),
	tenure: Tenure,
	installment_every: Tenure,
	rate_schedule: list(RateBand, { min: 1, max: 100 }),
	fee_basis_points: z.int().min(0).max(10_000),
	penalty_terms: PenaltyTerms,
};

export const LoanProductInput = z
	.strictObject({
		...productMembers,
		auto_renews: z.boolean().default(false),
		time_zone: z.string().max(64).refine(isTimeZone, "must be an IANA time zone").default("Africa/Nairobi"),
		day_count: z.enum(DAY_COUNTS).default("THIRTY_360"),
		access_fee_recognition: AccessFeeRecognition.default("AT_ONCE"),
		allocation: Allocation.default(DEFAULT_ALLOCATION),
		in_duplum: InDuplum.default({ since_default: DEFAULT_IN_DUPLUM.sinceDefault }),
		growth_basis_points: z
			.int()
			.min(0)
			.max(10_000)
			.default(0)
			.meta({ description: "How much each loan repaid without an overdue day raises the limit" }),
		payout_destinations: PayoutDestinations.default([...DEFAULT_DESTINATIONS]),
		deals: list(NewDeal, { max: 20 }).default([]),
	})
	.meta({ id: "LoanProductInput" });

export const LoanProduct = z
	.object({
		id: z.uuid(),
		...productMembers,
		auto_renews: z.boolean(),
		time_zone: z.string(),
		day_count: z.enum(DAY_COUNTS),
		access_fee_recognition: AccessFeeRecognition,
		allocation: Allocation,
		in_duplum: InDuplum,
		growth_basis_points: z.int(),
		payout_destinations: PayoutDestinations,
		deals: z.array(Deal),
		...termsTextMembers,
		status: z.enum(PRODUCT_STATES),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "LoanProduct" });

export const toLoanProduct = (row: LoanProductRow): z.input<typeof LoanProduct> => ({
	id: row.id,
	organization_id: row.organizationId,
	auto_renews: row.autoRenews,
	time_zone: row.timeZone,
	day_count: row.dayCount,
	access_fee_recognition: row.accessFeeRecognition,
	name: row.name,
	loan_product_type: row.loanProductType,
	currency: row.currency,
	min_loan_amount: row.minLoanAmount,
	max_loan_amount: row.maxLoanAmount,
	amount_step: row.amountStep,
	base_limit: row.baseLimit,
	growth_basis_points: row.growthBasisPoints,
	tenure: toTenure(row.tenure),
	installment_every: toTenure(row.installmentEvery),
	rate_schedule: row.rateSchedule.map(({ minDays, maxDays, interestRate }) => ({
		min_days: minDays,
		max_days: maxDays,
		interest_rate: toInterestRate(interestRate),
	})),
	fee_basis_points: row.feeBasisPoints,
	penalty_terms: toPenaltyTerms(row.penaltyTerms),
	allocation: row.allocation,
	in_duplum: { since_default: row.inDuplum.sinceDefault },
	payout_destinations: [...row.payoutDestinations],
	deals: row.deals.map((deal) => ({
		id: deal.id,
		resource_id: resourceId("deal", deal.id),
		name: deal.name,
		short_message: deal.shortMessage,
		rate_reduction_basis_points: deal.rateReductionBasisPoints,
		valid_from: toTimestamp(deal.validFrom),
		valid_until: toTimestamp(deal.validUntil),
	})),
	...toTermsTextMembers(row.termsText),
	status: productState(row),
	created_at: toTimestamp(row.createdAt),
});

export const LoanProductPatch = z
	.strictObject({
		name: productMembers.name.optional(),
		status: z.enum(PRODUCT_STATES).optional(),
		end_deals: list(z.string().min(1).max(100), { min: 1, max: 20 }).optional().meta({ description: "Names of deals that end now" }),
		terms_version: z.int().min(1).nullish().meta({ description: "The published text that offers name from now on; null: none" }),
	})
	.meta({ id: "LoanProductPatch", examples: [{ status: "RETIRED" }] });
