// A product's rules, a loan by its terms, and deals: what the pure rules of limits and offers are tried with.

import type { Deal, LimitRules } from "../../../src/domains/loan-products/model/limits.policy";
import type { InterestRate } from "../../../src/domains/loan-terms/periods.policy";
import type { LoanTerms } from "../../../src/domains/loan-terms/schedule.policy";

export const NOW = Date.UTC(2025, 5, 1);
export const RULES: LimitRules = {
	minLoanAmount: 1_000,
	maxLoanAmount: 500_000,
	amountStep: 500,
	baseLimit: 100_000,
	growthBasisPoints: 2_500,
};
export const STANDARD: InterestRate = { basisPoints: 500, periodValue: 30, periodUnit: "DAYS" };
export const TERMS: LoanTerms = {
	principal: 100_000,
	tenure: { duration: 30, unit: "DAYS" },
	interestRate: STANDARD,
	productType: "REDUCING_BALANCE",
	dayCount: "THIRTY_360",
	feeBasisPoints: 0,
	startDate: "2025-06-01",
};

export function deal(id: string, rateReductionBasisPoints: number, validFrom = NOW - 1_000, validUntil = NOW + 1_000): Deal {
	return { id, rateReductionBasisPoints, validFrom, validUntil };
}
