// The terms of a loan product. An application freezes the terms it was offered, and the loan uses only those, so that later
// changes to the product do not affect it.

import type { Span } from "../../../shared/time";
import type { AllocationTerms } from "../../loan-terms/allocation.policy";
import type { LoanProductType } from "../../loan-terms/amortisation.policy";
import { type Cost, costOf } from "../../loan-terms/cost.policy";
import type { InDuplumTerms } from "../../loan-terms/penalties.policy";
import type { DayCount, InterestRate } from "../../loan-terms/periods.policy";
import { type FeeRecognition, type LoanTerms, type Schedule, scheduleFor, toSafeSchedule } from "../../loan-terms/schedule.policy";
import type { Deal } from "./limits.policy";

export const LOAN_PRODUCT_TYPES = ["REDUCING_BALANCE", "FLAT"] as const satisfies readonly LoanProductType[];
export const DAY_COUNTS = ["THIRTY_360", "ACTUAL_365"] as const satisfies readonly DayCount[];
export const FEE_RECOGNITIONS = ["AT_ONCE", "OVER_LIFE"] as const satisfies readonly FeeRecognition[];
export const TENURE_UNITS = ["DAYS", "WEEKS", "MONTHS"] as const;
export const RATE_UNITS = ["DAYS", "WEEKS", "MONTHS", "YEARS"] as const;
export const CALCULATION_BASES = ["PRINCIPAL_AND_ARREARS", "PRINCIPAL", "ARREARS", "TOTAL_OUTSTANDING"] as const;
export const PENALTY_TYPES = ["RECURRING", "ONE_TIME"] as const;
export const PENALTY_TRIGGERS = ["AFTER_LOAN_END", "AFTER_INSTALLMENT_DUE"] as const;

export type PenaltyTerms = {
	readonly rateBasisPoints: number;
	readonly calculationBasis: (typeof CALCULATION_BASES)[number];
	readonly type: (typeof PENALTY_TYPES)[number];
	readonly periodDays: number;
	readonly trigger: (typeof PENALTY_TRIGGERS)[number];
	readonly gracePeriodDays: number;
};

/** Which text of its terms a product has, and a borrower agrees to. */
export type TermsText = { readonly version: number; readonly sha256: string };

export type ProductDeal = Deal & { readonly name: string; readonly shortMessage: string };

/** The cost and repayment terms of a loan, fixed when the offer is made. */
export type FrozenTerms = {
	readonly productType: LoanProductType;
	readonly tenure: Span;
	readonly installmentEvery: Span;
	readonly interestRate: InterestRate;
	readonly standardInterestRate: InterestRate;
	readonly appliedDeal: Pick<ProductDeal, "id" | "name" | "shortMessage"> | null;
	readonly dayCount: DayCount;
	readonly feeBasisPoints: number;
	/** Left out: an access fee is income at once. */
	readonly accessFeeRecognition?: FeeRecognition;
	readonly penaltyTerms: PenaltyTerms;
	readonly allocation: AllocationTerms;
	/** Left out: what may be charged in default is capped. */
	readonly inDuplum?: InDuplumTerms;
	readonly timeZone: string;
	readonly autoRenews: boolean;
	readonly amountStep: number;
	/** Left out: the product had no text of its terms when the offer was made. */
	readonly termsText?: TermsText;
};

/** A product is older than some of its loans: what it lacks is added when an offer is made. */
export const capOfNewLoan = ({ inDuplum }: { readonly inDuplum: InDuplumTerms }): InDuplumTerms => ({ ...inDuplum, countsUnpaid: true });

type SchedulingTerms = Pick<FrozenTerms, "productType" | "tenure" | "installmentEvery" | "interestRate" | "dayCount" | "feeBasisPoints">;

export const loanTerms = (terms: SchedulingTerms, startDate: string): Omit<LoanTerms, "principal"> => ({
	tenure: terms.tenure,
	installmentEvery: terms.installmentEvery,
	interestRate: terms.interestRate,
	productType: terms.productType,
	dayCount: terms.dayCount,
	feeBasisPoints: terms.feeBasisPoints,
	startDate,
});

/** The schedule of a loan paid out on that date, or undefined when a date or an amount in it is out of range. */
export function scheduleOf(terms: SchedulingTerms, principal: number, startDate: string): Schedule<number> | undefined {
	try {
		return toSafeSchedule(scheduleFor({ ...loanTerms(terms, startDate), principal }));
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

/** What such a loan costs, or null when a date or an amount of its schedule is out of range. */
export function costFrom(terms: SchedulingTerms, principal: number, startDate: string): Cost | null {
	const schedule = scheduleOf(terms, principal, startDate);
	return schedule ? costOf(schedule, startDate) : null;
}

export const PRODUCT_STATES = ["ACTIVE", "SUSPENDED", "RETIRED"] as const;

/** RETIRED: no longer offered. SUSPENDED: nor drawn on. */
export const productState = (product: { retiredAt: number | null; suspendedAt: number | null }): (typeof PRODUCT_STATES)[number] =>
	product.suspendedAt !== null ? "SUSPENDED" : product.retiredAt !== null ? "RETIRED" : "ACTIVE";
