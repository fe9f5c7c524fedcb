// What a product offers: rates by tenure, limits that grow, and the cheapest deal.

import { describe, expect, it } from "vitest";
import { chooseDeal, limitOf, rateFor, reducedRate } from "../../../src/domains/loan-products/model/limits.policy";
import { deal, NOW, RULES, STANDARD, TERMS } from "./samples";

describe("rateFor", () => {
	const bands = [
		{ minDays: 1, maxDays: 30, interestRate: { ...STANDARD, basisPoints: 100 } },
		{ minDays: 31, maxDays: 90, interestRate: { ...STANDARD, basisPoints: 200 } },
		{ minDays: 90, maxDays: 120, interestRate: { ...STANDARD, basisPoints: 300 } },
	];
	it.each([
		[30, "DAYS", 100],
		[31, "DAYS", 200],
		[1, "MONTHS", 100],
		[4, "WEEKS", 100],
		[5, "WEEKS", 200],
		[3, "MONTHS", 200],
		[91, "DAYS", 300],
		[121, "DAYS", undefined],
		[5, "MONTHS", undefined],
	] as const)("%d %s costs %s basis points", (duration, unit, expected) => {
		expect(rateFor(bands, { duration, unit })?.basisPoints).toBe(expected);
	});
});

describe("limitOf", () => {
	it.each([
		[0, 100_000],
		[1, 125_000],
		[2, 156_000],
		[8, 500_000],
	])("after %d loans repaid on time is %d", (loansRepaidOnTime, expected) => {
		expect(limitOf(RULES, { limitOverride: null, loansRepaidOnTime })).toBe(expected);
	});

	it("grows for at most twelve loans", () => {
		const roomy = { ...RULES, maxLoanAmount: Number.MAX_SAFE_INTEGER };
		const afterTwelve = limitOf(roomy, { limitOverride: null, loansRepaidOnTime: 12 });
		expect(afterTwelve).toBe(1_455_000);
		expect(limitOf(roomy, { limitOverride: null, loansRepaidOnTime: 13 })).toBe(afterTwelve);
		expect(limitOf(roomy, { limitOverride: null, loansRepaidOnTime: 11 })).toBeLessThan(afterTwelve);
	});

	it("is the operator's override, regardless of growth", () => {
		expect(limitOf(RULES, { limitOverride: 40_250, loansRepaidOnTime: 8 })).toBe(40_250);
		expect(limitOf(RULES, { limitOverride: 0, loansRepaidOnTime: 8 })).toBe(0);
	});

	it("does not overflow on the largest amounts", () => {
		const huge = { ...RULES, baseLimit: Number.MAX_SAFE_INTEGER, maxLoanAmount: Number.MAX_SAFE_INTEGER, amountStep: 1 };
		expect(limitOf(huge, { limitOverride: null, loansRepaidOnTime: 12 })).toBe(Number.MAX_SAFE_INTEGER);
	});
});

describe("chooseDeal", () => {
	it("chooses the deal with the lowest interest", () => {
		expect(chooseDeal([deal("a", 50), deal("b", 120), deal("c", 100)], TERMS, NOW)?.id).toBe("b");
	});

	it("chooses the smaller id when deals cost the same, in any order", () => {
		expect(chooseDeal([deal("b", 100), deal("a", 100)], TERMS, NOW)?.id).toBe("a");
		expect(chooseDeal([deal("a", 100), deal("b", 100)], TERMS, NOW)?.id).toBe("a");
		// Both reduce the rate to zero.
		expect(chooseDeal([deal("b", 900), deal("a", 500)], TERMS, NOW)?.id).toBe("a");
	});

	it("is valid from its first instant (inclusive) until its last (exclusive)", () => {
		expect(chooseDeal([deal("a", 100, NOW, NOW + 1)], TERMS, NOW)?.id).toBe("a");
		expect(chooseDeal([deal("a", 100, NOW - 1, NOW)], TERMS, NOW)).toBeNull();
		expect(chooseDeal([deal("a", 100, NOW + 1, NOW + 2)], TERMS, NOW)).toBeNull();
		expect(chooseDeal([], TERMS, NOW)).toBeNull();
	});

	it("never reduces a rate below zero", () => {
		expect(reducedRate(STANDARD, deal("a", 501))).toEqual({ ...STANDARD, basisPoints: 0 });
	});
});
