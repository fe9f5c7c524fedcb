// What a product offers: rates by tenure, deals that reduce them, and the limit up to which a borrower may owe.

import { floorToStep, smallest, toBigInt, toNumber } from "../../../shared/money";
import type { Span } from "../../../shared/time";
import { type InterestRate, tenureInDays } from "../../loan-terms/periods.policy";
import { type LoanTerms, schedulesFor } from "../../loan-terms/schedule.policy";

/** A row of a rate schedule: the rate for tenures from `minDays` to `maxDays`, both inclusive. */
export type RateBand = { readonly minDays: number; readonly maxDays: number; readonly interestRate: InterestRate };

export type Deal = {
	readonly id: string;
	readonly rateReductionBasisPoints: number;
	/** Instants: valid from `validFrom` (inclusive) until `validUntil` (exclusive). */
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

/** What the limit of a borrower depends on, in addition to the rules. */
export type LimitFacts = {
	/** A limit that an operator set; it replaces the computed one. */
	readonly limitOverride: number | null;
	/** Loans closed in a row without an overdue day since the last default. */
	readonly loansRepaidOnTime: number;
};

/** The rate for the tenure: that of the first matching row; undefined when the tenure is not offered. */
export function rateFor(bands: readonly RateBand[], tenure: Span): InterestRate | undefined {
	const days = tenureInDays(tenure);
	return bands.find(({ minDays, maxDays }) => minDays <= days && days <= maxDays)?.interestRate;
}

/** The rules among the terms of a product. */
export const limitRulesOf = (product: LimitRules): LimitRules => ({
	minLoanAmount: product.minLoanAmount,
	maxLoanAmount: product.maxLoanAmount,
	amountStep: product.amountStep,
	baseLimit: product.baseLimit,
	growthBasisPoints: product.growthBasisPoints,
});

// Caps the growth: after twelve loans with 25 % growth each, the limit is already fourteen times the base.
const MAX_GROWTH_STEPS = 12;

/** The most that the borrower may owe on the product, before subtracting what they already owe. */
export function limitOf(rules: LimitRules, { limitOverride, loansRepaidOnTime }: LimitFacts): number {
	if (limitOverride !== null) return limitOverride;
	const steps = toBigInt(Math.max(0, Math.min(loansRepaidOnTime, MAX_GROWTH_STEPS)));
	const grown = (toBigInt(rules.baseLimit) * (10_000n + toBigInt(rules.growthBasisPoints)) ** steps) / 10_000n ** steps;
	return toNumber(smallest(toBigInt(rules.maxLoanAmount), floorToStep(grown, toBigInt(rules.amountStep))));
}

/** The rate after a deal's reduction, never below zero. */
export function reducedRate(rate: InterestRate, { rateReductionBasisPoints }: Pick<Deal, "rateReductionBasisPoints">): InterestRate {
	return { ...rate, basisPoints: Math.max(0, rate.basisPoints - rateReductionBasisPoints) };
}

/** Of the deals valid now, the one with the lowest total interest; on a tie, the one with the smaller id. */
export function chooseDeal<SomeDeal extends Deal>(deals: readonly SomeDeal[], terms: LoanTerms, now: number): SomeDeal | null {
	const valid = deals.filter(({ validFrom, validUntil }) => validFrom <= now && now < validUntil);
	if (valid.length <= 1) return valid[0] ?? null;
	const scheduleAt = schedulesFor(terms);
	const rated = Map.groupBy(valid, (deal) => reducedRate(terms.interestRate, deal).basisPoints);
	const costed = [...rated].flatMap(([basisPoints, same]) => {
		const cost = scheduleAt({ ...terms.interestRate, basisPoints }).totalInterest;
		return same.map((deal) => ({ deal, cost }));
	});
	return costed.reduce((best, candidate) => {
		if (candidate.cost !== best.cost) return candidate.cost < best.cost ? candidate : best;
		return candidate.deal.id < best.deal.id ? candidate : best;
	}).deal;
}
