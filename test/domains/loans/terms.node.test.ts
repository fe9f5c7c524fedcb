// Limits, gates and objections that decide an offer, as pure rules.

import { describe, expect, it } from "vitest";
import { limitOf, reducedRate } from "../../../src/domains/loan-products/model/limits.policy";
import { scheduleFor } from "../../../src/domains/loan-terms/schedule.policy";
import {
	amountFault,
	type Borrower,
	closedGates,
	decideOffer,
	maxLoanAmount,
	objectionsTo,
} from "../../../src/domains/loans/model/terms.policy";
import { deal, NOW, RULES, STANDARD, TERMS } from "../loan-products/samples";
import { generatorFrom } from "../loan-terms/generator";

const BORROWER: Borrower = {
	isActive: true,
	isBlocked: false,
	isProductOffered: true,
	isIdentified: true,
	hasOverdueInstallment: false,
	hasDefaulted: false,
	coolingOffUntil: null,
	hasConflictingApplication: false,
	limitOverride: null,
	loansRepaidOnTime: 0,
	exposure: 0,
	organizationHeadroom: null,
};

describe("maxLoanAmount", () => {
	it("is the limit less the exposure", () => {
		expect(maxLoanAmount(RULES, { ...BORROWER, loansRepaidOnTime: 1, exposure: 60_000 })).toBe(65_000);
	});

	it.each([
		["rounds the remaining limit down to the step", { exposure: 60_001 }, 39_500],
		["is zero when more is owed than the limit", { exposure: 100_001 }, 0],
		["does not exceed the product's maximum when the operator's override does", { limitOverride: 900_000 }, 500_000],
		["does not exceed what the organization may still lend", { organizationHeadroom: 12_345 }, 12_000],
		["is zero when the organization has exceeded its ceiling", { organizationHeadroom: -1 }, 0],
	] as const)("%s", (_, facts, expected) => {
		expect(maxLoanAmount(RULES, { ...BORROWER, ...facts })).toBe(expected);
	});
});

describe("closedGates", () => {
	const closed = {
		USER_NOT_ACTIVE: { isActive: false },
		USER_BLOCKED: { isBlocked: true },
		PRODUCT_NOT_OFFERED: { isProductOffered: false },
		IDENTIFICATION_INSUFFICIENT: { isIdentified: false },
		INSTALLMENT_OVERDUE: { hasOverdueInstallment: true },
		ACCOUNT_DEFAULTED: { hasDefaulted: true },
		COOLING_OFF: { coolingOffUntil: NOW + 1 },
		CONFLICTING_APPLICATION: { hasConflictingApplication: true },
	};

	it.each(Object.entries(closed))("%s closes on its own", (reason, facts) => {
		expect(closedGates({ ...BORROWER, ...facts }, NOW)).toEqual([reason]);
	});

	it("reports all closed gates, in order", () => {
		const everything: Borrower = Object.assign({}, BORROWER, ...Object.values(closed));
		expect(closedGates(everything, NOW)).toEqual(Object.keys(closed));
	});

	it("opens when the cooling-off period ends", () => {
		expect(closedGates({ ...BORROWER, coolingOffUntil: NOW }, NOW)).toEqual([]);
	});
});

describe("decideOffer", () => {
	const { principal: _, ...terms } = TERMS;

	it("offers from the product's minimum to the borrower's maximum, at the standard rate without a deal", () => {
		expect(decideOffer(RULES, BORROWER, terms, [], NOW)).toEqual({
			status: "APPROVED",
			range: { minLoanAmount: 1_000, maxLoanAmount: 100_000 },
			reasons: [],
			interestRate: STANDARD,
			standardInterestRate: STANDARD,
			appliedDeal: null,
		});
	});

	it("reduces the rate by the deal and also returns the standard rate", () => {
		expect(decideOffer(RULES, BORROWER, terms, [deal("a", 120)], NOW)).toMatchObject({
			interestRate: { basisPoints: 380 },
			standardInterestRate: { basisPoints: 500 },
			appliedDeal: { id: "a" },
		});
	});

	it("approves a limit equal to the minimum amount and rejects one below it", () => {
		expect(decideOffer(RULES, { ...BORROWER, exposure: 99_000 }, terms, [], NOW).status).toBe("APPROVED");
		expect(decideOffer(RULES, { ...BORROWER, exposure: 99_001 }, terms, [deal("a", 120)], NOW)).toEqual({
			status: "REJECTED",
			range: { minLoanAmount: 0, maxLoanAmount: 0 },
			reasons: ["LIMIT_BELOW_MINIMUM"],
			interestRate: STANDARD,
			standardInterestRate: STANDARD,
			appliedDeal: null,
		});
	});

	it("never offers zero, not even on a product without a minimum amount", () => {
		const offer = decideOffer({ ...RULES, minLoanAmount: 0 }, { ...BORROWER, limitOverride: 0 }, terms, [], NOW);
		expect(offer.reasons).toEqual(["LIMIT_BELOW_MINIMUM"]);
	});

	it("rejects with all reasons", () => {
		const offer = decideOffer(RULES, { ...BORROWER, isBlocked: true, hasDefaulted: true, limitOverride: 0 }, terms, [], NOW);
		expect(offer.reasons).toEqual(["USER_BLOCKED", "ACCOUNT_DEFAULTED", "LIMIT_BELOW_MINIMUM"]);
		expect(offer.range).toEqual({ minLoanAmount: 0, maxLoanAmount: 0 });
	});

	it("offers at most what the limit leaves, with a deal that costs no more than any other", () => {
		const { between } = generatorFrom(5);
		for (let round = 0; round < 300; round++) {
			const rules = { ...RULES, amountStep: between(1, 5_000), baseLimit: between(1, 600_000), growthBasisPoints: between(0, 5_000) };
			const borrower = { ...BORROWER, loansRepaidOnTime: between(0, 15), exposure: between(0, 200_000) };
			const deals = Array.from({ length: between(0, 4) }, (_unused, index) => deal(`deal-${index}`, between(0, 600)));
			const offer = decideOffer(rules, borrower, terms, deals, NOW);
			if (offer.status === "REJECTED") continue;
			const { minLoanAmount, maxLoanAmount: most } = offer.range;
			expect(most % rules.amountStep).toBe(0);
			expect(most + borrower.exposure).toBeLessThanOrEqual(limitOf(rules, borrower));
			expect(most).toBeGreaterThanOrEqual(minLoanAmount);
			const cost = scheduleFor({ ...terms, principal: most, interestRate: offer.interestRate }).totalInterest;
			for (const other of deals) {
				const otherCost = scheduleFor({ ...terms, principal: most, interestRate: reducedRate(STANDARD, other) }).totalInterest;
				expect(cost <= otherCost).toBe(true);
			}
		}
	});
});

describe("amountFault", () => {
	const range = { minLoanAmount: 1_250, maxLoanAmount: 10_000 };
	it.each([
		[1_250, undefined],
		[10_000, undefined],
		[1_500, undefined],
		[1_249, "AMOUNT_OUT_OF_RANGE"],
		[10_001, "AMOUNT_OUT_OF_RANGE"],
		[1_300, "AMOUNT_NOT_A_STEP"],
		[1_500.5, "AMOUNT_OUT_OF_RANGE"],
		[Number.NaN, "AMOUNT_OUT_OF_RANGE"],
		[-1_500, "AMOUNT_OUT_OF_RANGE"],
	])("%s is %s", (amount, expected) => {
		expect(amountFault(amount, range, 500)).toBe(expected);
	});

	it("rejects every amount in an empty range", () => {
		expect(amountFault(0, { minLoanAmount: 0, maxLoanAmount: 0 }, 500)).toBe("AMOUNT_OUT_OF_RANGE");
	});
});

describe("objectionsTo", () => {
	it("are none while nothing has changed", () => {
		expect(objectionsTo(100_000, RULES, BORROWER, NOW)).toEqual([]);
	});

	it("include a limit used up by another loan, and an overdue installment", () => {
		expect(objectionsTo(50_000, RULES, { ...BORROWER, exposure: 60_000 }, NOW)).toEqual(["LIMIT_EXCEEDED"]);
		expect(objectionsTo(50_000, RULES, { ...BORROWER, exposure: 60_000, hasOverdueInstallment: true }, NOW)).toEqual([
			"INSTALLMENT_OVERDUE",
			"LIMIT_EXCEEDED",
		]);
	});
});
