// What being late costs: when a penalty is charged, on which base, and how the in-duplum rule caps it. Penalties are never part of a
// base, and a penalty of zero is not charged.

import { basisPoints, portion, smallest } from "../../shared/money";

export type PenaltyTerms = {
	readonly rateBasisPoints: number;
	readonly calculationBasis: "PRINCIPAL_AND_ARREARS" | "PRINCIPAL" | "ARREARS" | "TOTAL_OUTSTANDING";
	readonly type: "RECURRING" | "ONE_TIME";
	readonly periodDays: number;
	/** What must have passed: the final due date of the loan, or the due date of each installment. */
	readonly trigger: "AFTER_LOAN_END" | "AFTER_INSTALLMENT_DUE";
	readonly gracePeriodDays: number;
};

/** The cap on what is charged in default. */
export type InDuplumTerms = {
	/** Interest and penalties since the first overdue day, paid or not, stay within the principal outstanding on that day. */
	readonly sinceDefault: boolean;
	/** Those that were unpaid as that day began count too. Absent in the terms of loans from before this rule, whose closed days keep their figures. */
	readonly countsUnpaid?: true;
};

export const DEFAULT_IN_DUPLUM: InDuplumTerms = { sinceDefault: true };

/** What is unpaid, of the loan or of the installment as the trigger says; no penalties. */
export type PenaltyBase = { readonly principal: bigint; readonly interest: bigint; readonly arrears: bigint };

/** How many days after the due date the first penalty is charged: the day after it, or after the days of grace. */
export function daysToFirstPenalty({ gracePeriodDays }: PenaltyTerms): number {
	return gracePeriodDays + 1;
}

/** The days from one penalty to the next; undefined when there is only one. */
export function daysToNextPenalty({ type, periodDays }: PenaltyTerms): number | undefined {
	return type === "RECURRING" ? Math.max(1, periodDays) : undefined;
}

/** The amount that the rate applies to. TOTAL_OUTSTANDING is all but penalties, so that no penalty bears a penalty. */
export function penaltyBase({ calculationBasis }: PenaltyTerms, { principal, interest, arrears }: PenaltyBase): bigint {
	switch (calculationBasis) {
		case "PRINCIPAL_AND_ARREARS":
			return principal + arrears;
		case "PRINCIPAL":
			return principal;
		case "ARREARS":
			return arrears;
		case "TOTAL_OUTSTANDING":
			return principal + interest + arrears;
	}
}

/**
 * The penalty on a base, in full and trimmed by the in-duplum rule: unpaid interest, arrears and penalties of a loan together do not
 * grow beyond its principal outstanding at that moment. `room` is what is left up to it.
 */
export function penaltyOn(base: bigint, terms: PenaltyTerms, room: bigint): { readonly full: bigint; readonly amount: bigint } {
	const full = portion(base, basisPoints(terms.rateBasisPoints));
	return { full, amount: room > 0n ? smallest(full, room) : 0n };
}
