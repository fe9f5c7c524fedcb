// What a loan costs, and its annual percentage rate compared with published examples and a second computation.

import { describe, expect, it } from "vitest";
import { annualPercentageRate, costOf, MAX_APR_BASIS_POINTS } from "../../../src/domains/loan-terms/cost.policy";
import { MAX_INSTALLMENTS } from "../../../src/domains/loan-terms/periods.policy";
import { type LoanTerms, scheduleFor, toSafeSchedule } from "../../../src/domains/loan-terms/schedule.policy";
import { addDays, daysBetween } from "../../../src/shared/time";
import { generatorFrom } from "./generator";

type Payments = readonly { readonly dueDate: string; readonly total: number }[];

/** The equation of the directive, solved in doubles by halving the logarithm of 1 + X. */
function rateByHalving(principal: number, payments: Payments, startDate: string): number {
	const due = payments.map(({ dueDate, total }) => ({ days: daysBetween(startDate, dueDate), total }));
	const gap = (growth: number) => due.reduce((sum, { days, total }) => sum + total * Math.exp((-growth * days) / 365), -principal);
	let [low, high] = [0, 40];
	for (let step = 0; step < 200; step++) {
		const middle = (low + high) / 2;
		if (gap(middle) > 0) low = middle;
		else high = middle;
	}
	return Math.expm1((low + high) / 2) * 10_000;
}

describe("the annual percentage rate", () => {
	it.each<[string, number, Payments, number]>([
		["1,200 after a year and a half for 1,000", 1_000, [{ dueDate: "1995-07-01", total: 1_200 }], 1_296],
		["the same when 50 are kept back", 950, [{ dueDate: "1995-07-01", total: 1_200 }], 1_690],
		[
			"600 after one year and after two",
			1_000,
			[
				{ dueDate: "1995-01-01", total: 600 },
				{ dueDate: "1996-01-01", total: 600 },
			],
			1_307,
		],
		[
			"272 after three months and six, 544 after twelve",
			1_000,
			[
				{ dueDate: "1994-04-01", total: 272 },
				{ dueDate: "1994-07-01", total: 272 },
				{ dueDate: "1995-01-01", total: 544 },
			],
			1_323,
		],
	])("is that of the examples of Directive 98/7/EC, Annex III: %s", (_, principal, payments, expected) => {
		expect(annualPercentageRate(principal, payments, "1994-01-01")).toBe(expected);
	});

	it("is zero when nothing is charged, the simple rate after a year, and compounded for a shorter one", () => {
		const rateAfter = (days: number, total: number) =>
			annualPercentageRate(100_000, [{ dueDate: addDays("2025-01-01", days), total }], "2025-01-01");
		expect(rateAfter(30, 100_000)).toBe(0);
		expect(rateAfter(365, 110_000)).toBe(1_000);
		expect(rateAfter(30, 110_000)).toBe(Math.round((1.1 ** (365 / 30) - 1) * 10_000));
		expect(rateAfter(1, 100_100)).toBe(Math.round((1.001 ** 365 - 1) * 10_000));
	});

	it("is null above 32 bits, however far", () => {
		const rateAfter = (days: number, total: number) =>
			annualPercentageRate(1_000, [{ dueDate: addDays("2025-01-01", days), total }], "2025-01-01");
		expect(rateAfter(1, 1_100)).toBeNull();
		expect(rateAfter(1, Number.MAX_SAFE_INTEGER)).toBeNull();
		expect(rateAfter(365, 214_749_364)).toBe((214_749_364 - 1_000) * 10);
		expect(rateAfter(365, 214_749_365)).toBeNull();
	});

	it("is that of a second computation, for 400 random loans and the longest", () => {
		const random = generatorFrom(2_008_048);
		const loan = (every: number, count: number, monthly: number): LoanTerms => ({
			principal: random.between(1, 10_000_000_000),
			tenure: { duration: every * count, unit: "DAYS" },
			installmentEvery: { duration: every, unit: "DAYS" },
			interestRate: { basisPoints: monthly, periodValue: 1, periodUnit: "MONTHS" },
			productType: random.pick(["REDUCING_BALANCE", "FLAT"]),
			dayCount: random.pick(["THIRTY_360", "ACTUAL_365"]),
			feeBasisPoints: random.pick([0, random.between(1, 1_500)]),
			startDate: addDays("2024-01-01", random.between(0, 800)),
		});
		const loans = Array.from({ length: 400 }, () => loan(random.between(1, 40), random.between(1, 24), random.between(0, 3_000)));
		for (const terms of [...loans, loan(1, MAX_INSTALLMENTS, 500)]) {
			const schedule = toSafeSchedule(scheduleFor(terms));
			if (!schedule) throw new Error("the schedule is out of range");
			const { aprBasisPoints, fee, total } = costOf(schedule, terms.startDate);
			expect(total).toBe(schedule.installments.reduce((sum, row) => sum + row.total, -terms.principal));
			expect(fee).toBeLessThanOrEqual(total);
			const expected = rateByHalving(terms.principal, schedule.installments, terms.startDate);
			if (aprBasisPoints === null) expect(expected, JSON.stringify(terms)).toBeGreaterThan(MAX_APR_BASIS_POINTS);
			// Doubles have some twelve digits left.
			else expect(Math.abs(aprBasisPoints - expected), JSON.stringify(terms)).toBeLessThanOrEqual(0.5 + 1e-3 + expected * 1e-11);
		}
	});
});
