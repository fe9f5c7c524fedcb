// A year of random movements on D1, with interest paid on some Mondays and late after others: every payment equals a night-by-night
// computation that shares nothing with the book's arithmetic.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localDayOf } from "../../../../src/domains/current-accounts/ledger/interest.policy";
import { payDueInterest } from "../../../../src/domains/current-accounts/ledger/job";
import { credit, debit } from "../../../../src/domains/current-accounts/ledger/plan";
import { addDays, DAY_MS } from "../../../../src/shared/time";
import { bookOf, givenCurrentAccount, postAt, servicesAt, termsWith } from "../../../support/current-accounts";

const OPENED = Date.parse("2027-11-03T08:00:00Z");
const RATES = { "2027-01-01": 725, "2028-02-10": 0, "2028-03-01": 9_999, "2028-07-14": 1 };
const vars = termsWith(RATES) as Partial<Env>;
const UNIT = 3_650_000n;

const rateOn = (day: string) => Object.entries(RATES).reduce((rate, [from, annual]) => (from <= day ? annual : rate), 0);

type Book = Awaited<ReturnType<typeof bookOf>>;

/** What each Monday pays, from the other entries alone. */
function nightly({ entries }: Book, firstDay: string, lastDay: string): [string, bigint][] {
	let [balance, accrued] = [0n, 0n];
	const paid: [string, bigint][] = [];
	for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) {
		if (new Date(`${day}T00:00:00Z`).getUTCDay() === 1 && day > firstDay && accrued >= UNIT) {
			paid.push([day, accrued / UNIT]);
			balance += accrued / UNIT;
			accrued %= UNIT;
		}
		for (const { day: posted, type, amount } of entries) if (posted === day && type !== "INTEREST") balance += BigInt(amount);
		accrued += balance * BigInt(rateOn(day));
	}
	return paid;
}

const happening = fc.record({
	days: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 9 }) }, { weight: 1, arbitrary: fc.integer({ min: 10, max: 40 }) }),
	kind: fc.constantFrom("credit", "credit", "debit", "pay"),
	amount: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 900_000_000 })),
});

describe("a year of interest", () => {
	it("equals a night-by-night computation", { tags: ["thorough"], timeout: 120_000 }, async () => {
		for (const year of fc.sample(fc.array(happening, { minLength: 90, maxLength: 90 }), { numRuns: 3, seed: 12 })) {
			const { id } = await givenCurrentAccount({ openedAt: new Date(OPENED).toISOString(), vars });
			let at = OPENED;
			for (const [index, { days, kind, amount }] of year.entries()) {
				at += days * DAY_MS;
				if (at > OPENED + 366 * DAY_MS) break;
				const { account } = await bookOf(id);
				const taken = kind === "debit" ? Math.min(amount, account.balance) : 0;
				if (kind === "credit") await postAt(id, at, vars, credit("MOVEMENT", `in ${index}`, amount));
				if (taken > 0) await postAt(id, at, vars, debit("MOVEMENT", `out ${index}`, taken));
				if (kind === "pay") await payDueInterest(await servicesAt(id, at, vars));
			}
			const end = OPENED + 366 * DAY_MS;
			await payDueInterest(await servicesAt(id, end, vars));
			const book = await bookOf(id);
			const interest = book.entries.flatMap(({ type, day, amount }) => (type === "INTEREST" ? [[day, BigInt(amount)]] : []));
			expect(interest.length).toBeGreaterThan(20);
			expect(interest).toEqual(nightly(book, localDayOf(book.account, OPENED), localDayOf(book.account, end)));
			expect([book.account.balance, book.account.held]).toEqual([book.balance, book.held]);
		}
	});
});
