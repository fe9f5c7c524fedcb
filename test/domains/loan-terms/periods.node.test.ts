// How tenures and rates are counted in days.

import { describe, expect, it } from "vitest";
import {
	defaultInstallmentEvery,
	type InterestRate,
	MAX_INSTALLMENTS,
	periodsOf,
	type RateUnit,
	rateForDays,
	rateForPeriod,
	tenureInDays,
} from "../../../src/domains/loan-terms/periods.policy";
import { rational, sum } from "../../../src/shared/money";
import { addSpan, daysBetween, type Span, type Unit } from "../../../src/shared/time";
import { generatorFrom } from "./generator";

const days = (duration: number): Span => ({ duration, unit: "DAYS" });
const weeks = (duration: number): Span => ({ duration, unit: "WEEKS" });
const months = (duration: number): Span => ({ duration, unit: "MONTHS" });
const rate = (basisPoints: number, periodValue: number, periodUnit: RateUnit): InterestRate => ({ basisPoints, periodValue, periodUnit });

describe("periodsOf", () => {
	it.each([
		["a remainder below half a period extends the last period", days(30), weeks(1), [7, 7, 7, 9]],
		["a remainder above half a period is a period of its own", days(32), weeks(1), [7, 7, 7, 7, 4]],
		["a remainder of exactly half a period is a period of its own", days(9), days(6), [6, 3]],
		["no remainder", days(90), days(30), [30, 30, 30]],
		["a tenure shorter than the interval is one period", days(10), days(30), [10]],
		["a tenure in days with a monthly interval", days(40), months(1), [40]],
		["a tenure in months with a weekly interval", months(1), weeks(1), [7, 7, 7, 10]],
		["the longest tenure with a single installment by default", days(31), undefined, [31]],
		["the default for days", days(70), undefined, [30, 40]],
		["the default for weeks", weeks(5), undefined, [7, 7, 7, 7, 7]],
		["the default for months", months(3), undefined, [31, 28, 31]],
	])("%s", (_, tenure, every, expected) => {
		expect(periodsOf(tenure, every, "2025-01-01").map((period) => period.days)).toEqual(expected);
	});

	it("returns to the anchor day after a short month", () => {
		expect(periodsOf(months(3), months(1), "2025-01-31").map(({ dueDate }) => dueDate)).toEqual(["2025-02-28", "2025-03-31", "2025-04-30"]);
		expect(periodsOf(months(1), months(1), "2024-01-31").map(({ dueDate }) => dueDate)).toEqual(["2024-02-29"]);
		expect(periodsOf(months(4), months(1), "2011-09-20").map(({ dueDate }) => dueDate)).toEqual([
			"2011-10-20",
			"2011-11-20",
			"2011-12-20",
			"2012-01-20",
		]);
	});

	it("compares months with months, regardless of the season", () => {
		for (const start of ["2025-01-15", "2025-06-15", "2025-12-31"]) {
			expect(periodsOf(months(5), months(2), start).map((period) => period.months)).toEqual([2, 2, 1]);
			expect(periodsOf(months(7), months(3), start).map((period) => period.months)).toEqual([3, 4]);
		}
	});

	it("counts no whole months in a period that ends by days", () => {
		expect(periodsOf(days(50), months(1), "2025-01-01").map((period) => period.months)).toEqual([1, undefined]);
		expect(periodsOf(days(40), months(1), "2025-01-01").map((period) => period.months)).toEqual([undefined]);
		expect(periodsOf(months(1), days(45), "2025-01-01").map((period) => period.months)).toEqual([1]);
	});

	it.each([0, -1, 1.5, Number.NaN])("rejects a duration of %s", (duration) => {
		expect(() => periodsOf(days(duration), days(1), "2025-01-01")).toThrow(RangeError);
		expect(() => periodsOf(days(30), days(duration), "2025-01-01")).toThrow(RangeError);
	});

	it("limits the number of installments", () => {
		expect(periodsOf(days(MAX_INSTALLMENTS), days(1), "2025-01-01")).toHaveLength(MAX_INSTALLMENTS);
		expect(() => periodsOf(days(MAX_INSTALLMENTS + 1), days(1), "2025-01-01")).toThrow(RangeError);
		expect(() => periodsOf(days(Number.MAX_SAFE_INTEGER), days(1), "2025-01-01")).toThrow(RangeError);
	});

	it("covers the tenure without gaps for any tenure, interval and start", () => {
		const { between, pick } = generatorFrom(3);
		const units: [Unit, Unit, Unit] = ["DAYS", "WEEKS", "MONTHS"];
		for (let round = 0; round < 500; round++) {
			const tenure = { duration: between(1, 39), unit: pick(units) };
			const every = { duration: between(1, 10), unit: pick(units) };
			const start = addSpan("2024-01-01", days(between(0, 800)));
			const periods = periodsOf(tenure, every, start);
			const label = JSON.stringify({ tenure, every, start });
			expect(periods.at(0)?.startDate, label).toBe(start);
			expect(periods.at(-1)?.dueDate, label).toBe(addSpan(start, tenure));
			const wrong = periods.filter(
				({ position, days, startDate, dueDate }, index) =>
					position !== index + 1 ||
					days !== daysBetween(startDate, dueDate) ||
					days <= 0 ||
					(index > 0 && startDate !== periods[index - 1]?.dueDate),
			);
			expect(wrong, label).toEqual([]);
		}
	});
});

describe("tenureInDays", () => {
	it("counts seven days in a week and thirty in a month", () => {
		expect([days(30), weeks(4), months(3)].map(tenureInDays)).toEqual([30, 28, 90]);
	});

	it("decides the default installment interval", () => {
		expect(defaultInstallmentEvery(months(1))).toEqual(months(1));
		expect(defaultInstallmentEvery(weeks(4))).toEqual(weeks(4));
		expect(defaultInstallmentEvery(days(32))).toEqual(days(30));
	});
});

describe("rateForPeriod", () => {
	const january = { days: 31, months: 1 };
	const thirtyDays = { days: 30, months: undefined };
	it.each([
		["a daily rate for days", rate(500, 30, "DAYS"), thirtyDays, rational(1n, 20n)],
		["a daily rate for a calendar month, by its real length", rate(500, 30, "DAYS"), january, rational(31n, 600n)],
		["a weekly rate for days", rate(125, 1, "WEEKS"), { days: 7, months: undefined }, rational(1n, 80n)],
		["a rate per 52 weeks", rate(2400, 52, "WEEKS"), { days: 28, months: undefined }, rational(24n, 1300n)],
		["a monthly rate for months", rate(200, 1, "MONTHS"), january, rational(1n, 50n)],
		["a rate per twelve months", rate(700, 12, "MONTHS"), january, rational(7n, 1200n)],
		["a yearly rate", rate(700, 1, "YEARS"), january, rational(7n, 1200n)],
		["360 days", rate(10800, 360, "DAYS"), thirtyDays, rational(9n, 100n)],
		["a rate of zero", rate(0, 30, "DAYS"), thirtyDays, rational(0n)],
	])("%s", (_, interestRate, period, expected) => {
		expect(rateForPeriod(interestRate, period, "THIRTY_360")).toEqual(expected);
		expect(rateForPeriod(interestRate, period, "ACTUAL_365")).toEqual(expected);
	});

	it("uses the day count only when a monthly or yearly rate applies to days", () => {
		expect(rateForPeriod(rate(300, 1, "MONTHS"), thirtyDays, "THIRTY_360")).toEqual(rational(3n, 100n));
		expect(rateForPeriod(rate(300, 1, "MONTHS"), thirtyDays, "ACTUAL_365")).toEqual(rational(3n * 360n, 36_500n));
		expect(rateForPeriod(rate(3600, 1, "YEARS"), thirtyDays, "THIRTY_360")).toEqual(rational(3n, 100n));
		expect(rateForPeriod(rate(3650, 1, "YEARS"), thirtyDays, "ACTUAL_365")).toEqual(rational(3n, 100n));
	});

	it("rejects a rate over zero time", () => {
		expect(() => rateForPeriod(rate(300, 0, "DAYS"), thirtyDays, "THIRTY_360")).toThrow(RangeError);
	});
});

describe("rateForDays", () => {
	it("divides a period's rate without a remainder", () => {
		const whole = rational(7n, 1200n);
		expect(sum([14, 10, 5].map((part) => rateForDays(whole, part, 29)))).toEqual(whole);
	});
});
