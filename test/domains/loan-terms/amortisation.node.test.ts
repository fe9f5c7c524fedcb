// Interest and installments meet the published vectors, and add up for every generated plan.

import { describe, expect, it } from "vitest";
import {
	accrue,
	amortise,
	equalInstallment,
	type LoanProductType,
	type RepaymentPlan,
	type RepaymentRow,
	repaymentRows,
	type Segment,
	spreadFlat,
} from "../../../src/domains/loan-terms/amortisation.policy";
import { add, multiply, type Rational, rational, sum, toNumber } from "../../../src/shared/money";
import vectors from "../../vectors/loans.json";
import { generatorFrom } from "./generator";

function fraction(text: string): Rational {
	const [numerator = "", denominator = "1"] = text.split("/");
	return rational(BigInt(numerator), BigInt(denominator));
}

/** One period for each rate; the principal is drawn at the start of the first. */
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

describe("accrue", () => {
	it("rounds each segment on its own", () => {
		const half = { draw: 0n, rate: rational(1n, 200n) };
		expect(accrue(300n, [half, half])).toEqual({ interest: 4n, balance: 300n });
		expect(accrue(300n, [{ draw: 0n, rate: rational(1n, 100n) }])).toEqual({ interest: 3n, balance: 300n });
	});

	it("accrues 24 in the first 14 of 29 days after one installment of vector F16, and 49 in all 29 (vectors P1, P2)", () => {
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

	it("is zero without periods", () => {
		expect(equalInstallment(100n, [])).toBe(0n);
		expect(amortise({ openingBalance: 100n, periods: [] })).toEqual([]);
		expect(spreadFlat({ openingBalance: 100n, periods: [] })).toEqual([]);
	});
});

describe("amortise", () => {
	const free = rational(0n);

	it("keeps the rounded installment while the last one differs by at most half the number of installments", () => {
		expect(totalsOf(amortise(planOf(7n, [free, free, free, free, free])))).toEqual([1n, 1n, 1n, 1n, 3n]);
	});

	it("adjusts the installments when the last one differs by more and the adjustment brings it closer", () => {
		const fivePercent = rational(1n, 20n);
		const twoPercent = rational(1n, 50n);
		// 8, 8, 6 before the adjustment.
		expect(totalsOf(amortise(planOf(22n, [twoPercent, twoPercent, twoPercent])))).toEqual([7n, 7n, 8n]);
		// 10, 10, 12 would be no closer.
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

	it("asks for nothing once the balance is repaid", () => {
		expect(totalsOf(amortise(planOf(3n, Array(5).fill(free))))).toEqual([1n, 1n, 1n, 0n, 0n]);
	});

	it("spreads a later draw over its own period and the following ones", () => {
		const rate = rational(1n, 20n);
		const alone = amortise(planOf(100_000n, [rate, rate, rate]));
		const rows = amortise({ openingBalance: 0n, periods: [[{ draw: 100_000n, rate }], [{ draw: 50_000n, rate }], [{ draw: 0n, rate }]] });
		expect(rows[0]).toEqual(alone[0]);
		const rest = amortise({ openingBalance: rows[0]?.balanceAfter ?? 0n, periods: [[{ draw: 50_000n, rate }], [{ draw: 0n, rate }]] });
		expect(rows.slice(1)).toEqual(rest.map((row) => ({ ...row, position: row.position + 1 })));
		expect(principalOf(rows)).toBe(150_000n);
	});

	it("charges a draw in the middle of a period only for the remaining days", () => {
		const halves: Segment[] = [
			{ draw: 0n, rate: rational(1n, 40n) },
			{ draw: 50_000n, rate: rational(1n, 40n) },
		];
		const rows = amortise({ openingBalance: 100_000n, periods: [halves, [{ draw: 0n, rate: rational(1n, 20n) }]] });
		expect(rows[0]?.interest).toBe(2_500n + 3_750n);
		expect(principalOf(rows)).toBe(150_000n);
	});

	it("rejects a negative balance, draw or rate", () => {
		expect(() => amortise({ openingBalance: -1n, periods: [] })).toThrow(RangeError);
		expect(() => amortise(planOf(-1n, [free]))).toThrow(RangeError);
		expect(() => spreadFlat(planOf(1n, [rational(-1n, 2n)]))).toThrow(RangeError);
	});
});

describe("draws inside an open cycle", () => {
	// 9.4822 % a year over six months of a 30/360 year, in cents, with the days of January to June 2024.
	const monthly = rational(94_822n, 12_000_000n);
	const month: Segment[] = [{ draw: 0n, rate: monthly }];
	const drawnAtOnce = (draw: bigint): Segment[] => [{ draw, rate: monthly }];
	const split = (before: bigint, days: bigint, draw: bigint, length: bigint): Segment[] => [
		{ draw: before, rate: multiply(monthly, rational(days, length)) },
		{ draw, rate: multiply(monthly, rational(length - days, length)) },
	];
	it.each([
		[
			"none",
			[drawnAtOnce(10_000n), month, month, month, month, month],
			[1_713n, 1_713n, 1_713n, 1_713n, 1_713n, 1_713n],
			[79n, 66n, 53n, 40n, 27n, 13n],
		],
		[
			"on 8 January, in the period of the first draw",
			[split(10_000n, 7n, 20_000n, 31n), month, month, month, month, month],
			[5_133n, 5_133n, 5_133n, 5_133n, 5_133n, 5_134n],
			[202n, 198n, 159n, 120n, 80n, 40n],
		],
		[
			"on 15 February, in the middle of the second period",
			[drawnAtOnce(10_000n), split(0n, 14n, 10_000n, 29n), month, month, month, month],
			[1_713n, 3_753n, 3_753n, 3_753n, 3_753n, 3_753n],
			[79n, 107n, 116n, 88n, 59n, 29n],
		],
		[
			"on 1 March, a due date",
			[drawnAtOnce(10_000n), month, drawnAtOnce(10_000n), month, month, month],
			[1_713n, 1_713n, 4_263n, 4_263n, 4_263n, 4_261n],
			[79n, 66n, 132n, 99n, 67n, 33n],
		],
	])("%s", (_, periods, totals, interest) => {
		const rows = amortise({ openingBalance: 0n, periods });
		expect(totalsOf(rows)).toEqual(totals);
		expect(rows.map((row) => row.interest)).toEqual(interest);
	});

	it("gives the same result when computed only from the period of the draw onwards", () => {
		const rest = amortise({ openingBalance: 8_366n, periods: [split(0n, 14n, 10_000n, 29n), month, month, month, month] });
		expect(totalsOf(rest)).toEqual([3_753n, 3_753n, 3_753n, 3_753n, 3_753n]);
	});

	it("keeps the installment in months of unequal length when an adjustment would not bring the last one closer", () => {
		const rates = [31n, 29n, 31n, 30n, 31n, 30n].map((days) => rational(15_678n * days, 36_500_000n));
		const rows = amortise(planOf(10_000n, rates));
		expect(totalsOf(rows)).toEqual([1_743n, 1_743n, 1_743n, 1_743n, 1_743n, 1_747n]);
		expect(rows.map(({ interest }) => interest)).toEqual([133n, 105n, 90n, 66n, 46n, 22n]);
	});
});

describe("spreadFlat", () => {
	it("adds a draw in an open cycle to the existing rows", () => {
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

describe("invariants over generated plans", () => {
	const types: readonly LoanProductType[] = ["REDUCING_BALANCE", "FLAT"];

	it("asks for equal installments on a reducing balance, except the last", () => {
		for (let seed = 1; seed <= 600; seed++) {
			const { between } = generatorFrom(seed);
			const rate = rational(BigInt(between(0, 1_000)), 10_000n);
			const rows = amortise(planOf(BigInt(between(100_000, 1_000_000_000)), Array(between(2, 24)).fill(rate)));
			expect(new Set(totalsOf(rows.slice(0, -1))).size, `seed ${seed}`).toBe(1);
		}
	});

	it.each(types)("%s repays exactly what was drawn, with draws inside the cycle", (productType) => {
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
