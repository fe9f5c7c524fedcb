// Decides what a borrower is offered: rate, limit, range and deal. Limits round down to the product's step, and a refusal names
// every reason, the first of them leading.

import { floorToStep, smallest, toBigInt, toNumber } from "../../../shared/money";
import type { Span } from "../../../shared/time";
import { type InterestRate, tenureInDays } from "../../loan-terms/periods.policy";
import { type LoanTerms, scheduleFor } from "../../loan-terms/schedule.policy";

/** A row of a rate schedule: the rate of tenures from `minDays` to `maxDays`, both included. */
export type RateBand = { readonly minDays: number; readonly maxDays: number; readonly interestRate: InterestRate };

export type Deal = {
	readonly id: string;
	readonly rateReductionBasisPoints: number;
	/** Instants; valid from the first up to but not including the second. */
	readonly validFrom: number;
	readonly validUntil: number;
};

export type LimitRules = {
	readonly minLoanAmount: number;
	readonly maxLoanAmount: number;
	readonly amountStep: number;
	readonly baseLimit: number;
	/** By how much one loan repaid without an overdue day raises the limit. */
	readonly growthBasisPoints: number;
};

/** What is known of a borrower with regard to one product. */
export type Borrower = {
	readonly isActive: boolean;
	readonly isBlocked: boolean;
	readonly isProductOffered: boolean;
	readonly isIdentified: boolean;
	readonly hasOverdueInstallment: boolean;
	readonly hasDefaulted: boolean;
	/** The instant until which a rejection rules out a new offer; null when none does. */
	readonly coolingOffUntil: number | null;
	readonly hasConflictingApplication: boolean;
	/** Set by an operator, in place of the computed limit. */
	readonly limitOverride: number | null;
	/** Loans in a row closed without an overdue day since the last default. */
	readonly loansRepaidOnTime: number;
	/** Principal outstanding and offers already submitted. */
	readonly exposure: number;
	/** What the home organization may still lend; null when it has no ceiling. */
	readonly organizationHeadroom: number | null;
};

export type Gate = (typeof GATES)[number]["reason"];
export type RejectionReason = Gate | "LIMIT_BELOW_MINIMUM";

export type TermsRange = { readonly minLoanAmount: number; readonly maxLoanAmount: number };

export type Offer<SomeDeal extends Deal = Deal> = {
	readonly interestRate: InterestRate;
	readonly standardInterestRate: InterestRate;
	readonly appliedDeal: SomeDeal | null;
} & (
	| { readonly status: "APPROVED"; readonly range: TermsRange; readonly reasons: readonly [] }
	| {
			readonly status: "REJECTED";
			readonly range: { readonly minLoanAmount: 0; readonly maxLoanAmount: 0 };
			readonly reasons: readonly [RejectionReason, ...RejectionReason[]];
	  }
);

export type AmountFault = "AMOUNT_OUT_OF_RANGE" | "AMOUNT_NOT_A_STEP";

// Growth ends here: twelve loans at a quarter more each are already fourteen times the base.
const MAX_GROWTH_STEPS = 12;

/** In the order in which they lead a refusal. */
const GATES = [
	{ reason: "USER_NOT_ACTIVE", closes: ({ isActive }: Borrower) => !isActive },
	{ reason: "USER_BLOCKED", closes: ({ isBlocked }: Borrower) => isBlocked },
	{ reason: "PRODUCT_NOT_OFFERED", closes: ({ isProductOffered }: Borrower) => !isProductOffered },
	{ reason: "IDENTIFICATION_INSUFFICIENT", closes: ({ isIdentified }: Borrower) => !isIdentified },
	{ reason: "INSTALLMENT_OVERDUE", closes: ({ hasOverdueInstallment }: Borrower) => hasOverdueInstallment },
	{ reason: "ACCOUNT_DEFAULTED", closes: ({ hasDefaulted }: Borrower) => hasDefaulted },
	{
		reason: "COOLING_OFF",
		closes: ({ coolingOffUntil }: Borrower, now: number) => coolingOffUntil !== null && now < coolingOffUntil,
	},
	{ reason: "CONFLICTING_APPLICATION", closes: ({ hasConflictingApplication }: Borrower) => hasConflictingApplication },
] as const;

/** The rate that the schedule has for the tenure, the first row winning; undefined when the tenure is not offered. */
export function rateFor(bands: readonly RateBand[], tenure: Span): InterestRate | undefined {
	const days = tenureInDays(tenure);
	return bands.find(({ minDays, maxDays }) => minDays <= days && days <= maxDays)?.interestRate;
}

/** Every closed gate, the leading one first; empty when the borrower may have an offer. */
export function closedGates(borrower: Borrower, now: number): readonly Gate[] {
	return GATES.filter(({ closes }) => closes(borrower, now)).map(({ reason }) => reason);
}

/** The most that the borrower may owe on the product, whatever is owed already. */
export function limitOf(
	rules: LimitRules,
	{ limitOverride, loansRepaidOnTime }: Pick<Borrower, "limitOverride" | "loansRepaidOnTime">,
): number {
	if (limitOverride !== null) return limitOverride;
	const steps = toBigInt(Math.max(0, Math.min(loansRepaidOnTime, MAX_GROWTH_STEPS)));
	const grown = (toBigInt(rules.baseLimit) * (10_000n + toBigInt(rules.growthBasisPoints)) ** steps) / 10_000n ** steps;
	return toNumber(smallest(toBigInt(rules.maxLoanAmount), floorToStep(grown, toBigInt(rules.amountStep))));
}

/** The largest amount open to the borrower now, a multiple of the step; 0 when there is none. The gates are not asked. */
export function maxLoanAmount(rules: LimitRules, borrower: Borrower): number {
	const room = toBigInt(limitOf(rules, borrower)) - toBigInt(borrower.exposure);
	const headroom = borrower.organizationHeadroom === null ? [] : [toBigInt(borrower.organizationHeadroom)];
	const lowest = smallest(room, toBigInt(rules.maxLoanAmount), ...headroom);
	return lowest <= 0n ? 0 : toNumber(floorToStep(lowest, toBigInt(rules.amountStep)));
}

/** The rate after a deal, never below nothing. */
export function reducedRate(rate: InterestRate, { rateReductionBasisPoints }: Pick<Deal, "rateReductionBasisPoints">): InterestRate {
	return { ...rate, basisPoints: Math.max(0, rate.basisPoints - rateReductionBasisPoints) };
}

/** Of the deals valid now the one with the least total interest on the terms; the smaller id when they cost the same. */
export function chooseDeal<SomeDeal extends Deal>(deals: readonly SomeDeal[], terms: LoanTerms, now: number): SomeDeal | null {
	return (
		deals
			.filter(({ validFrom, validUntil }) => validFrom <= now && now < validUntil)
			.map((deal) => ({ deal, cost: scheduleFor({ ...terms, interestRate: reducedRate(terms.interestRate, deal) }).totalInterest }))
			.reduce<{ deal: SomeDeal; cost: bigint } | null>((best, candidate) => {
				if (best === null || candidate.cost < best.cost) return candidate;
				return candidate.cost === best.cost && candidate.deal.id < best.deal.id ? candidate : best;
			}, null)?.deal ?? null
	);
}

/**
 * The offer of a product to a borrower. `terms` are the product's, with the standard rate that rateFor chose; their principal is
 * replaced by the largest amount offered, on which the deals compete.
 */
export function decideOffer<SomeDeal extends Deal>(
	rules: LimitRules,
	borrower: Borrower,
	terms: Omit<LoanTerms, "principal">,
	deals: readonly SomeDeal[],
	now: number,
): Offer<SomeDeal> {
	const most = maxLoanAmount(rules, borrower);
	const standardInterestRate = terms.interestRate;
	const [leading, ...others]: RejectionReason[] = [
		...closedGates(borrower, now),
		...(most < rules.minLoanAmount || most === 0 ? (["LIMIT_BELOW_MINIMUM"] as const) : []),
	];
	if (leading !== undefined) {
		return {
			status: "REJECTED",
			range: { minLoanAmount: 0, maxLoanAmount: 0 },
			reasons: [leading, ...others],
			interestRate: standardInterestRate,
			standardInterestRate,
			appliedDeal: null,
		};
	}
	const appliedDeal = chooseDeal(deals, { ...terms, principal: most }, now);
	return {
		status: "APPROVED",
		range: { minLoanAmount: rules.minLoanAmount, maxLoanAmount: most },
		reasons: [],
		interestRate: appliedDeal ? reducedRate(standardInterestRate, appliedDeal) : standardInterestRate,
		standardInterestRate,
		appliedDeal,
	};
}

/** What is wrong with a chosen amount, or undefined. The ends of the range are always good, also when they are no multiple of the step. */
export function amountFault(amount: number, range: TermsRange, amountStep: number): AmountFault | undefined {
	if (!Number.isSafeInteger(amount) || amount <= 0 || amount < range.minLoanAmount || amount > range.maxLoanAmount) {
		return "AMOUNT_OUT_OF_RANGE";
	}
	if (amount === range.minLoanAmount || amount === range.maxLoanAmount || amount % amountStep === 0) return undefined;
	return "AMOUNT_NOT_A_STEP";
}

/**
 * Asked again when an offer is taken, for the borrower's standing may have changed since: the gates now closed, and
 * LIMIT_EXCEEDED when the amount no longer fits. The borrower's facts leave out the offer being taken.
 */
export function objectionsTo(amount: number, rules: LimitRules, borrower: Borrower, now: number): readonly (Gate | "LIMIT_EXCEEDED")[] {
	const gates = closedGates(borrower, now);
	return amount > maxLoanAmount(rules, borrower) ? [...gates, "LIMIT_EXCEEDED"] : gates;
}
