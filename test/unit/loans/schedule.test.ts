import { describe, expect, it } from "vitest";
import type { DayCount, RateUnit } from "../../../src/domains/loans/periods.policy";
import { periodsOf } from "../../../src/domains/loans/periods.policy";
import {
	accrue,
	amortise,
	equalInstallment,
	feeOn,
	type LoanProductType,
	type LoanTerms,
	type RepaymentPlan,
	type RepaymentRow,
	repaymentRows,
	type Segment,
	scheduleFor,
	segmentsOf,
	spreadFlat,
	toSafeSchedule,
} from "../../../src/domains/loans/schedule.policy";
import { add, multiply, type Rational, rational, sum, toNumber } from "../../../src/shared/money";
import { addDays, type Unit } from "../../../src/shared/time";
import vectors from "../../vectors/loans.json";
import { generatorFrom } from "./generator";

function fraction(text: string): Rational {
	const [numerator = "", denominator = "1"] = text.split("/");
	return rational(BigInt(numerator), BigInt(denominator));
}

/** One period for each rate, the principal drawn with the first. */
function planOf(principal: bigint, rates: readonly Rational[]): RepaymentPlan {
	return { openingBalance: 0n, periods: rates.map((rate, index) => [{ draw: index === 0 ? principal : 0n, rate }]) };
}

const totalsOf = (rows: readonly RepaymentRow[]) => rows.map(({ total }) => total);
const interestOf = (rows: readonly RepaymentRow[]) => rows.reduce((earned, { interest }) => earned + interest, 0n);
const principalOf = (rows: readonly RepaymentRow[]) => rows.reduce((repaid, { principal }) => repaid + principal, 0n);

describe("schedule vectors", () => {
	it.each(vectors.schedules.map((vector) => [`${vector.id}: ${vector.api_input}`, vector] as const))("%s", (_, vector) => {
		const periods = vector.periods.map((segments) => segments.map(({ draw, rate }) => ({ draw: BigInt(draw), rate: fraction(rate) })));
		const rows = amortise({ openingBalance: BigInt(vector.opening_balance), periods });
		expect(
			rows.map(({ position, total, principal, interest, balanceAfter }) => ({
				position,
				due: toNumber(total),
				principal: toNumber(principal),
				interest: toNumber(interest),
				balance_after: toNumber(balanceAfter),
			})),
		).toEqual(vector.expected);
		expect(interestOf(rows)).toBe(BigInt(vector.total_interest));
		expect(periods.map((segments) => sum(segments.map(({ rate }) => rate)))).toEqual(vector.emi_rates.map(fraction));
	});
});

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

/** What the vectors' `api_input` says, as a product would. */
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

	it("counts the fee as interest of the first installment and leaves the others alone", () => {
		const free = scheduleFor(base);
		const charged = scheduleFor({ ...base, feeBasisPoints: 250 });
		expect(charged.fee).toBe(2_500n);
		expect(charged.installments[0]).toMatchObject({ principal: 31_721n, interest: 7_500n, total: 39_221n });
		expect(charged.installments.slice(1)).toEqual(free.installments.slice(1));
		expect(charged.totalInterest).toBe(free.totalInterest + 2_500n);
		expect(charged.totalDue).toBe(charged.totalPrincipal + charged.totalInterest);
	});

	it("rounds a fee's tie to the even amount", () => {
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

	it("repays a flat loan in equal parts with the remainders on the last", () => {
		const schedule = toSafeSchedule(scheduleFor({ ...base, productType: "FLAT", principal: 100_001 }));
		expect(schedule?.installments.map(({ principal, interest, total }) => [principal, interest, total])).toEqual([
			[33_333, 5_000, 38_333],
			[33_333, 5_000, 38_333],
			[33_335, 5_000, 38_335],
		]);
		expect(schedule?.totalInterest).toBe(15_000);
	});

	it("computes the largest safe principal to the unit, though its total is beyond a number", () => {
		const largest = { ...base, principal: Number.MAX_SAFE_INTEGER, tenure: { duration: 30, unit: "DAYS" as const } };
		const schedule = scheduleFor(largest);
		expect(schedule.installments).toMatchObject([{ principal: 9007199254740991n, interest: 450359962737050n, total: 9457559217478041n }]);
		expect(toSafeSchedule(schedule)).toBeUndefined();
		const free = scheduleFor({ ...largest, interestRate: { basisPoints: 0, periodValue: 1, periodUnit: "DAYS" } });
		expect(toSafeSchedule(free)?.totalDue).toBe(Number.MAX_SAFE_INTEGER);
	});

	it.each([0, -1, 0.5, 2 ** 53])("refuses a principal of %s", (principal) => {
		expect(() => scheduleFor({ ...base, principal })).toThrow(RangeError);
	});

	it("ends after the longest rhythm with every rate different", () => {
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

describe("accrue", () => {
	it("rounds each segment on its own", () => {
		const half = { draw: 0n, rate: rational(1n, 200n) };
		expect(accrue(300n, [half, half])).toEqual({ interest: 4n, balance: 300n });
		expect(accrue(300n, [{ draw: 0n, rate: rational(1n, 100n) }])).toEqual({ interest: 3n, balance: 300n });
	});

	it("earns 24 in the first 14 of 29 days after one installment of vector F16, 49 in all of them (vectors P1, P2)", () => {
		const whole = rational(7n, 1200n);
		const part = multiply(whole, rational(14n, 29n));
		expect(accrue(8_357n, [{ draw: 0n, rate: part }]).interest).toBe(24n);
		expect(accrue(8_357n, [{ draw: 0n, rate: whole }]).interest).toBe(49n);
	});
});

describe("equalInstallment", () => {
	it("agrees with the recurrence in plain fractions for unequal rates", () => {
		const { between } = generatorFrom(11);
		for (let round = 0; round < 100; round++) {
			const rates = Array.from({ length: between(1, 12) }, () => rational(BigInt(between(0, 900)), BigInt(between(1_000, 20_000))));
			const principal = BigInt(between(1, 1_000_000_000));
			let weight = rational(0n);
			let growth = rational(1n);
			for (const rate of rates) {
				const factor = add(rational(1n), rate);
				weight = add(rational(1n), multiply(weight, factor));
				growth = multiply(growth, factor);
			}
			const exact = multiply(rational(principal), multiply(growth, rational(weight.denominator, weight.numerator)));
			const difference = add(rational(equalInstallment(principal, rates)), rational(-exact.numerator, exact.denominator));
			const distance = difference.numerator < 0n ? -difference.numerator : difference.numerator;
			expect(distance * 2n).toBeLessThanOrEqual(difference.denominator);
		}
	});

	it("is nothing without periods", () => {
		expect(equalInstallment(100n, [])).toBe(0n);
		expect(amortise({ openingBalance: 100n, periods: [] })).toEqual([]);
		expect(spreadFlat({ openingBalance: 100n, periods: [] })).toEqual([]);
	});
});

describe("amortise", () => {
	const free = rational(0n);

	it("keeps the rounded installment while the last differs by no more than half the count", () => {
		expect(totalsOf(amortise(planOf(7n, [free, free, free, free, free])))).toEqual([1n, 1n, 1n, 1n, 3n]);
	});

	it("smooths a last installment that differs by more, when that brings it nearer", () => {
		const fivePercent = rational(1n, 20n);
		const twoPercent = rational(1n, 50n);
		// 8, 8, 6 at first.
		expect(totalsOf(amortise(planOf(22n, [twoPercent, twoPercent, twoPercent])))).toEqual([7n, 7n, 8n]);
		// 10, 10, 12 would be no nearer.
		expect(totalsOf(amortise(planOf(29n, [fivePercent, fivePercent, fivePercent])))).toEqual([11n, 11n, 9n]);
	});

	it("repays nothing while the installment does not cover the interest", () => {
		const rows = amortise(planOf(1_000n, [rational(3n, 2n), free, free]));
		expect(rows.map(({ principal, interest }) => [principal, interest])).toEqual([
			[0n, 1_500n],
			[611n, 0n],
			[389n, 0n],
		]);
	});

	it("has nothing left to ask once the balance is repaid", () => {
		expect(totalsOf(amortise(planOf(3n, Array(5).fill(free))))).toEqual([1n, 1n, 1n, 0n, 0n]);
	});

	it("spreads a later draw over its own period and those after it", () => {
		const rate = rational(1n, 20n);
		const alone = amortise(planOf(100_000n, [rate, rate, rate]));
		const rows = amortise({ openingBalance: 0n, periods: [[{ draw: 100_000n, rate }], [{ draw: 50_000n, rate }], [{ draw: 0n, rate }]] });
		expect(rows[0]).toEqual(alone[0]);
		const rest = amortise({ openingBalance: rows[0]?.balanceAfter ?? 0n, periods: [[{ draw: 50_000n, rate }], [{ draw: 0n, rate }]] });
		expect(rows.slice(1)).toEqual(rest.map((row) => ({ ...row, position: row.position + 1 })));
		expect(principalOf(rows)).toBe(150_000n);
	});

	it("charges a draw in the middle of a period only for the days that are left", () => {
		const halves: Segment[] = [
			{ draw: 0n, rate: rational(1n, 40n) },
			{ draw: 50_000n, rate: rational(1n, 40n) },
		];
		const rows = amortise({ openingBalance: 100_000n, periods: [halves, [{ draw: 0n, rate: rational(1n, 20n) }]] });
		expect(rows[0]?.interest).toBe(2_500n + 3_750n);
		expect(principalOf(rows)).toBe(150_000n);
	});

	it("refuses a negative balance, draw or rate", () => {
		expect(() => amortise({ openingBalance: -1n, periods: [] })).toThrow(RangeError);
		expect(() => amortise(planOf(-1n, [free]))).toThrow(RangeError);
		expect(() => spreadFlat(planOf(1n, [rational(-1n, 2n)]))).toThrow(RangeError);
	});
});

describe("spreadFlat", () => {
	it("adds a draw in an open cycle to what stands", () => {
		const rate = rational(1n, 20n);
		const standing = spreadFlat(planOf(100_000n, [rate, rate, rate]));
		const later = spreadFlat({ openingBalance: 0n, periods: [[{ draw: 30_000n, rate }], [{ draw: 0n, rate }]] });
		const both = spreadFlat({ openingBalance: 0n, periods: [[{ draw: 100_000n, rate }], [{ draw: 30_000n, rate }], [{ draw: 0n, rate }]] });
		expect(totalsOf(both)).toEqual([
			standing[0]?.total,
			...[1, 2].map((index) => (standing[index]?.total ?? 0n) + (later[index - 1]?.total ?? 0n)),
		]);
		expect(both.at(-1)?.balanceAfter).toBe(0n);
	});

	it("rounds the whole interest once, a tie to even", () => {
		expect(interestOf(spreadFlat(planOf(250n, [rational(1n, 200n), rational(1n, 200n)])))).toBe(2n);
		expect(interestOf(spreadFlat(planOf(350n, [rational(1n, 200n), rational(1n, 200n)])))).toBe(4n);
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

	it("puts a draw on a due date into the period that begins", () => {
		const [first, second] = segmentsOf(periods, rate, "THIRTY_360", [{ date: "2025-01-31", amount: 7n }]);
		expect(first).toEqual([{ draw: 0n, rate: rational(6n, 100n) }]);
		expect(second).toEqual([{ draw: 7n, rate: rational(6n, 100n) }]);
	});

	it.each(["2024-12-31", "2025-03-02"])("refuses a draw on %s", (date) => {
		expect(() => segmentsOf(periods, rate, "THIRTY_360", [{ date, amount: 1n }])).toThrow(RangeError);
	});
});

describe("invariants over generated products", () => {
	const units: [Unit, Unit, Unit] = ["DAYS", "WEEKS", "MONTHS"];
	const rateUnits: [RateUnit, ...RateUnit[]] = ["DAYS", "WEEKS", "MONTHS", "YEARS"];
	const dayCounts: [DayCount, DayCount] = ["THIRTY_360", "ACTUAL_365"];
	const ceilings: [number, ...number[]] = [10, 1_000, 1_000_000, 1_000_000_000_000, Number.MAX_SAFE_INTEGER];
	const types: readonly LoanProductType[] = ["REDUCING_BALANCE", "FLAT"];

	it.each(types)("%s repays exactly what was drawn and never owes less than nothing", (productType) => {
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
			const label = `seed ${seed}`;
			let balance = BigInt(terms.principal);
			let interest = 0n;
			for (const row of schedule.installments) {
				expect(row.principal >= 0n && row.interest >= 0n, label).toBe(true);
				expect(row.total, label).toBe(row.principal + row.interest);
				balance -= row.principal;
				interest += row.interest;
				expect(balance >= 0n, label).toBe(true);
			}
			expect(balance, label).toBe(0n);
			expect(schedule.totalInterest, label).toBe(interest);
			expect(schedule.totalDue, label).toBe(schedule.totalPrincipal + interest);
			expect(schedule.totalPrincipal, label).toBe(BigInt(terms.principal));
		}
	});

	it("asks equal installments of a reducing balance, all but the last", () => {
		for (let seed = 1; seed <= 600; seed++) {
			const { between } = generatorFrom(seed);
			const rate = rational(BigInt(between(0, 1_000)), 10_000n);
			const rows = amortise(planOf(BigInt(between(100_000, 1_000_000_000)), Array(between(2, 24)).fill(rate)));
			expect(new Set(totalsOf(rows.slice(0, -1))).size, `seed ${seed}`).toBe(1);
		}
	});

	it.each(types)("%s holds with draws inside the cycle", (productType) => {
		for (let seed = 1; seed <= 300; seed++) {
			const { between } = generatorFrom(seed);
			const count = between(1, 12);
			const periods = Array.from({ length: count }, () =>
				Array.from({ length: between(1, 3) }, () => ({
					draw: between(0, 2) === 0 ? BigInt(between(1, 1_000_000)) : 0n,
					rate: rational(BigInt(between(0, 500)), 10_000n),
				})),
			);
			const openingBalance = BigInt(between(0, 1_000_000));
			const drawn = periods.flat().reduce((total, { draw }) => total + draw, openingBalance);
			const rows = repaymentRows(productType, { openingBalance, periods });
			expect(principalOf(rows), `seed ${seed}`).toBe(drawn);
			expect(rows.map(({ position }) => position)).toEqual(periods.map((_, index) => index + 1));
			expect(rows.at(-1)?.balanceAfter, `seed ${seed}`).toBe(0n);
			expect(
				rows.every(({ principal, interest, balanceAfter }) => principal >= 0n && interest >= 0n && balanceAfter >= 0n),
				`seed ${seed}`,
			).toBe(true);
		}
	});
});
