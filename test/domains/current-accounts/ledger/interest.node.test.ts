// Interest by day and rate, exact over years, as pure rules.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	BASIS_POINT_DAYS_IN_UNIT,
	type DatedRate,
	paydayAfter,
	paydaysUpTo,
	rateIndex,
	rateOn,
} from "../../../../src/domains/current-accounts/ledger/interest.policy";
import { addDays } from "../../../../src/shared/time";

const START = "2027-12-30";
const day = (offset: number) => addDays(START, offset);

const rates = fc
	.uniqueArray(fc.record({ offset: fc.integer({ min: -400, max: 800 }), annualBasisPoints: fc.integer({ min: 0, max: 10_000 }) }), {
		maxLength: 6,
		selector: ({ offset }) => offset,
	})
	.map((drawn): DatedRate[] =>
		drawn.toSorted((a, b) => a.offset - b.offset).map(({ offset, annualBasisPoints }) => ({ from: day(offset), annualBasisPoints })),
	);

describe("the rate index", () => {
	it("is the sum of the daily rates, over leap days and changes of rate", () => {
		fc.assert(
			fc.property(rates, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }), (dated, from, length) => {
				let sum = 0;
				for (let offset = from; offset < from + length; offset++) {
					// The last rate that began by this day, found another way.
					let rate = 0;
					for (const each of dated) if (each.from <= day(offset)) rate = each.annualBasisPoints;
					sum += rate;
				}
				expect(rateIndex(dated, day(from), day(from + length))).toBe(sum);
			}),
			{ numRuns: 300 },
		);
	});

	it("adds up over adjacent spans", () => {
		fc.assert(
			fc.property(rates, fc.nat(300), fc.nat(300), fc.nat(300), (dated, from, first, second) => {
				const [a, b, c] = [day(from), day(from + first), day(from + first + second)];
				expect(rateIndex(dated, a, b) + rateIndex(dated, b, c)).toBe(rateIndex(dated, a, c));
			}),
		);
	});

	it("is 0 without rates, and before the first one", () => {
		expect(rateIndex([], START, day(365))).toBe(0);
		expect(rateOn([{ from: day(1), annualBasisPoints: 300 }], START)).toBe(0);
		expect(rateOn([{ from: day(1), annualBasisPoints: 300 }], day(1))).toBe(300);
	});
});

/** The book's arithmetic, applied to a year of random entries. */
function earnedByBook(dated: readonly DatedRate[], balances: readonly number[]) {
	let [balance, weighted, paid, due] = [0n, 0n, 0n, paydayAfter(START)];
	const payouts: [string, bigint][] = [];
	for (const [offset, target] of balances.entries()) {
		const today = day(offset);
		for (const payday of paydaysUpTo(due, today)) {
			const index = BigInt(rateIndex(dated, START, payday));
			const interest = (balance * index - weighted) / BigInt(BASIS_POINT_DAYS_IN_UNIT);
			weighted += interest * index + interest * BigInt(BASIS_POINT_DAYS_IN_UNIT);
			balance += interest;
			paid += interest;
			payouts.push([payday, interest]);
			due = addDays(payday, 7);
		}
		const change = BigInt(target) + paid - balance;
		balance += change;
		weighted += change * BigInt(rateIndex(dated, START, today));
	}
	return payouts;
}

/** The same, computed day by day: each night earns the day's rate on the balance. */
function earnedByNight(dated: readonly DatedRate[], balances: readonly number[]) {
	let [accrued, paid] = [0n, 0n];
	const payouts: [string, bigint][] = [];
	let balance = 0n;
	for (const [offset, target] of balances.entries()) {
		if (offset > 0 && new Date(`${day(offset)}T00:00:00Z`).getUTCDay() === 1) {
			const interest = accrued / 3_650_000n;
			accrued -= interest * 3_650_000n;
			paid += interest;
			payouts.push([day(offset), interest]);
		}
		balance = BigInt(target) + paid;
		accrued += balance * BigInt(rateOn(dated, day(offset)));
	}
	return payouts;
}

describe("a year of days", () => {
	it("pays each week what a night-by-night computation pays", () => {
		const year = fc.array(fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, fc.nat(1_000_000_000_000)), {
			minLength: 366,
			maxLength: 366,
		});
		fc.assert(
			fc.property(rates, year, (dated, drawn) => {
				let last = 0;
				const balances = drawn.map((balance) => {
					last = balance ?? last;
					return last;
				});
				expect(earnedByBook(dated, balances)).toEqual(earnedByNight(dated, balances));
			}),
			{ numRuns: 60 },
		);
	});
});

describe("paydays", () => {
	it("are Mondays after the day", () => {
		expect(paydayAfter("2026-11-22")).toBe("2026-11-23");
		expect(paydayAfter("2026-11-23")).toBe("2026-11-30");
		fc.assert(
			fc.property(fc.integer({ min: -30_000, max: 30_000 }), (offset) => {
				const today = addDays("2026-01-01", offset);
				const payday = paydayAfter(today);
				expect(new Date(`${payday}T00:00:00Z`).getUTCDay()).toBe(1);
				expect(payday > today && payday <= addDays(today, 7)).toBe(true);
			}),
		);
	});

	it("that were missed are all due, in order", () => {
		expect(paydaysUpTo("2026-11-23", "2026-11-22")).toEqual([]);
		expect(paydaysUpTo("2026-11-23", "2026-12-08")).toEqual(["2026-11-23", "2026-11-30", "2026-12-07"]);
	});
});
