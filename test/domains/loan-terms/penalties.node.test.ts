// On which days penalties are charged, and on what.

import { describe, expect, it } from "vitest";
import {
	daysToFirstPenalty,
	daysToNextPenalty,
	type PenaltyTerms,
	penaltyBase,
	penaltyOn,
} from "../../../src/domains/loan-terms/penalties.policy";

const terms: PenaltyTerms = {
	rateBasisPoints: 100,
	calculationBasis: "PRINCIPAL_AND_ARREARS",
	type: "RECURRING",
	periodDays: 30,
	trigger: "AFTER_LOAN_END",
	gracePeriodDays: 0,
};

describe("the days of penalties", () => {
	it("begin the day after, or after the days of grace", () => {
		expect(daysToFirstPenalty(terms)).toBe(1);
		expect(daysToFirstPenalty({ ...terms, gracePeriodDays: 3 })).toBe(4);
	});

	it("recur by their period, or never", () => {
		expect(daysToNextPenalty(terms)).toBe(30);
		expect(daysToNextPenalty({ ...terms, type: "ONE_TIME" })).toBeUndefined();
	});
});

describe("penaltyBase", () => {
	it.each([
		["PRINCIPAL_AND_ARREARS", 1_020n],
		["PRINCIPAL", 1_000n],
		["ARREARS", 20n],
		["TOTAL_OUTSTANDING", 1_023n],
	] as const)("%s is %i", (calculationBasis, base) => {
		expect(penaltyBase({ ...terms, calculationBasis }, { principal: 1_000n, interest: 3n, arrears: 20n })).toBe(base);
	});
});

describe("penaltyOn", () => {
	it("is the share of the base, rounded half to even", () => {
		expect(penaltyOn(250n, terms, 1_000n)).toEqual({ full: 2n, amount: 2n });
		expect(penaltyOn(350n, terms, 1_000n)).toEqual({ full: 4n, amount: 4n });
		expect(penaltyOn(49n, terms, 1_000n)).toEqual({ full: 0n, amount: 0n });
	});

	it("is trimmed to what the cap still allows, down to zero", () => {
		expect(penaltyOn(1_000n, terms, 10n)).toEqual({ full: 10n, amount: 10n });
		expect(penaltyOn(1_000n, terms, 7n)).toEqual({ full: 10n, amount: 7n });
		expect(penaltyOn(1_000n, terms, -5n)).toEqual({ full: 10n, amount: 0n });
	});
});
