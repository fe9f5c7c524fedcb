// The schedule of a loan, for every generated product.

import { describe, expect, it } from "vitest";
import type { LoanProductType } from "../../../src/domains/loan-terms/amortisation.policy";
import { type DayCount, periodsOf, type RateUnit } from "../../../src/domains/loan-terms/periods.policy";
import { feeOn, type LoanTerms, scheduleFor, segmentsOf, toSafeSchedule } from "../../../src/domains/loan-terms/schedule.policy";
import { rational } from "../../../src/shared/money";
import { addDays, type Unit } from "../../../src/shared/time";
import vectors from "../../vectors/loans.json";
import { generatorFrom } from "./generator";

const base: LoanTerms = {
	principal: 100_000,
	tenure: { duration: 90, unit: "DAYS" },
	installmentEvery: { duration: 30, unit: "DAYS" },
	interestRate: { basisPoints: 500, periodValue: 30, periodUnit: "DAYS" },
	productType: "REDUCING_BALANCE",
	dayCount: "THIRTY_360",
	feeBasisPoints: 0,
	startDate: "2025-01-31",
};

/** The `api_input` of the vectors, as terms of a product. */
const PRODUCTS: Record<string, Partial<LoanTerms>> = {
	F10: {
		principal: 1_200_000,
		tenure: { duration: 4, unit: "MONTHS" },
		installmentEvery: { duration: 1, unit: "MONTHS" },
		interestRate: { basisPoints: 200, periodValue: 1, periodUnit: "MONTHS" },
		startDate: "2011-09-20",
	},
	F12: {
		principal: 7_500,
		tenure: { duration: 5, unit: "MONTHS" },
		installmentEvery: { duration: 1, unit: "MONTHS" },
		interestRate: { basisPoints: 1230, periodValue: 12, periodUnit: "MONTHS" },
	},
	F13: {
		tenure: { duration: 45, unit: "DAYS" },
		installmentEvery: { duration: 15, unit: "DAYS" },
		interestRate: { basisPoints: 0, periodValue: 1, periodUnit: "MONTHS" },
	},
	F16: {
		principal: 10_000,
		tenure: { duration: 6, unit: "MONTHS" },
		installmentEvery: { duration: 1, unit: "MONTHS" },
		interestRate: { basisPoints: 700, periodValue: 1, periodUnit: "YEARS" },
		startDate: "2024-01-01",
	},
	C1: { tenure: { duration: 30, unit: "DAYS" } },
	C2: {},
	C3: {
		principal: 50_000,
		tenure: { duration: 4, unit: "WEEKS" },
		installmentEvery: { duration: 1, unit: "WEEKS" },
		interestRate: { basisPoints: 125, periodValue: 1, periodUnit: "WEEKS" },
	},
	C12: {
		tenure: { duration: 3, unit: "MONTHS" },
		installmentEvery: { duration: 1, unit: "MONTHS" },
		interestRate: { basisPoints: 300, periodValue: 1, periodUnit: "MONTHS" },
	},
};

describe("scheduleFor", () => {
	it.each(Object.entries(PRODUCTS))("gives vector %s from the product's terms", (id, terms) => {
		const vector = vectors.schedules.find((candidate) => candidate.id === id);
		const schedule = toSafeSchedule(scheduleFor({ ...base, ...terms }));
		expect(schedule?.installments.map(({ dueDate: _, total, ...row }) => ({ ...row, due: total }))).toEqual(
			vector?.expected.map(({ balance_after: _, ...row }) => row),
		);
		expect(schedule?.totalInterest).toBe(vector?.total_interest);
		expect(schedule?.totalDue).toBe(schedule?.installments.reduce((due, { total }) => due + total, 0));
	});

	it("dates the installments of a loan drawn on the 31st", () => {
		const { installments } = scheduleFor({ ...base, ...PRODUCTS.C12 });
		expect(installments.map(({ dueDate }) => dueDate)).toEqual(["2025-02-28", "2025-03-31", "2025-04-30"]);
	});

	it("adds the fee to the interest of the first installment only", () => {
		const free = scheduleFor(base);
		const charged = scheduleFor({ ...base, feeBasisPoints: 250 });
		expect(charged.fee).toBe(2_500n);
		expect(charged.installments[0]).toMatchObject({ principal: 31_721n, interest: 7_500n, total: 39_221n });
		expect(charged.installments.slice(1)).toEqual(free.installments.slice(1));
		expect(charged.totalInterest).toBe(free.totalInterest + 2_500n);
		expect(charged.totalDue).toBe(charged.totalPrincipal + charged.totalInterest);
	});

	it("rounds a fee half to even", () => {
		expect([feeOn(50n, 100), feeOn(150n, 100), feeOn(250n, 100)]).toEqual([0n, 2n, 2n]);
	});

	it("prices a longer last period by its days", () => {
		const { installments } = scheduleFor({
			...base,
			tenure: { duration: 30, unit: "DAYS" },
			installmentEvery: { duration: 1, unit: "WEEKS" },
			interestRate: { basisPoints: 700, periodValue: 7, periodUnit: "DAYS" },
		});
		const balance = installments.at(-1)?.principal ?? 0n;
		expect(installments).toHaveLength(4);
		expect(installments.at(-1)?.interest).toBe((balance * 9n + 50n) / 100n);
	});

	it("repays a flat loan in equal parts with the remainders in the last", () => {
		const schedule = toSafeSchedule(scheduleFor({ ...base, productType: "FLAT", principal: 100_001 }));
		expect(schedule?.installments.map(({ principal, interest, total }) => [principal, interest, total])).toEqual([
			[33_333, 5_000, 38_333],
			[33_333, 5_000, 38_333],
			[33_335, 5_000, 38_335],
		]);
		expect(schedule?.totalInterest).toBe(15_000);
	});

	it("computes the largest safe principal exactly, although its total exceeds 2^53-1", () => {
		const largest = { ...base, principal: Number.MAX_SAFE_INTEGER, tenure: { duration: 30, unit: "DAYS" as const } };
		const schedule = scheduleFor(largest);
		expect(schedule.installments).toMatchObject([{ principal: 9007199254740991n, interest: 450359962737050n, total: 9457559217478041n }]);
		expect(toSafeSchedule(schedule)).toBeUndefined();
		const free = scheduleFor({ ...largest, interestRate: { basisPoints: 0, periodValue: 1, periodUnit: "DAYS" } });
		expect(toSafeSchedule(free)?.totalDue).toBe(Number.MAX_SAFE_INTEGER);
	});

	it.each([0, -1, 0.5, 2 ** 53])("rejects a principal of %s", (principal) => {
		expect(() => scheduleFor({ ...base, principal })).toThrow(RangeError);
	});

	it("computes 1,200 monthly installments at a rate per 361 days", () => {
		const schedule = scheduleFor({
			...base,
			principal: 1_000_000_007,
			tenure: { duration: 1_200, unit: "MONTHS" },
			installmentEvery: { duration: 1, unit: "MONTHS" },
			interestRate: { basisPoints: 997, periodValue: 361, periodUnit: "DAYS" },
		});
		expect(schedule.installments).toHaveLength(1_200);
		expect(schedule.installments.reduce((repaid, { principal }) => repaid + principal, 0n)).toBe(1_000_000_007n);
	});
});

describe("segmentsOf", () => {
	const rate = { basisPoints: 600, periodValue: 30, periodUnit: "DAYS" } as const;
	const periods = periodsOf({ duration: 60, unit: "DAYS" }, { duration: 30, unit: "DAYS" }, "2025-01-01");

	it("divides a period at the day of the draw", () => {
		const segments = segmentsOf(periods, rate, "THIRTY_360", [
			{ date: "2025-01-01", amount: 100n },
			{ date: "2025-01-11", amount: 50n },
			{ date: "2025-01-11", amount: 5n },
		]);
		expect(segments).toEqual([
			[
				{ draw: 100n, rate: rational(2n, 100n) },
				{ draw: 55n, rate: rational(4n, 100n) },
			],
			[{ draw: 0n, rate: rational(6n, 100n) }],
		]);
	});

	it("puts a draw on a due date into the period that begins that day", () => {
		const [first, second] = segmentsOf(periods, rate, "THIRTY_360", [{ date: "2025-01-31", amount: 7n }]);
		expect(first).toEqual([{ draw: 0n, rate: rational(6n, 100n) }]);
		expect(second).toEqual([{ draw: 7n, rate: rational(6n, 100n) }]);
	});

	it.each(["2024-12-31", "2025-03-02"])("rejects a draw on %s", (date) => {
		expect(() => segmentsOf(periods, rate, "THIRTY_360", [{ date, amount: 1n }])).toThrow(RangeError);
	});
});

describe("invariants over generated products", () => {
	const units: [Unit, Unit, Unit] = ["DAYS", "WEEKS", "MONTHS"];
	const rateUnits: [RateUnit, ...RateUnit[]] = ["DAYS", "WEEKS", "MONTHS", "YEARS"];
	const dayCounts: [DayCount, DayCount] = ["THIRTY_360", "ACTUAL_365"];
	const ceilings: [number, ...number[]] = [10, 1_000, 1_000_000, 1_000_000_000_000, Number.MAX_SAFE_INTEGER];
	const types: readonly LoanProductType[] = ["REDUCING_BALANCE", "FLAT"];

	it.each(types)("%s repays exactly what was drawn, and the balance is never negative", (productType) => {
		for (let seed = 1; seed <= 600; seed++) {
			const { between, pick } = generatorFrom(seed);
			const terms: LoanTerms = {
				principal: between(1, pick(ceilings)),
				tenure: { duration: between(1, 36), unit: pick(units) },
				installmentEvery: { duration: between(1, 12), unit: pick(units) },
				interestRate: { basisPoints: between(0, 2_000), periodValue: between(1, 60), periodUnit: pick(rateUnits) },
				productType,
				dayCount: pick(dayCounts),
				feeBasisPoints: between(0, 1_000),
				startDate: addDays("2024-01-01", between(0, 800)),
			};
			const schedule = scheduleFor(terms);
			let balance = BigInt(terms.principal);
			let interest = 0n;
			const wrong = schedule.installments.filter((row) => {
				balance -= row.principal;
				interest += row.interest;
				return row.principal < 0n || row.interest < 0n || row.total !== row.principal + row.interest || balance < 0n;
			});
			const { totalInterest, totalPrincipal, totalDue } = schedule;
			expect({ seed, wrong, balance, totalInterest, totalPrincipal, totalDue }).toEqual({
				...{ seed, wrong: [], balance: 0n },
				...{ totalInterest: interest, totalPrincipal: BigInt(terms.principal), totalDue: totalPrincipal + interest },
			});
		}
	});
});
