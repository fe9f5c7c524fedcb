// The journal of random books against the oracle's: each posting, the entry of each day, and what every account holds at the end of it.
// `npm run oracle` compares more books: 2,000 before anything lands.
// @module-tag thorough

import { expect, it } from "vitest";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { type Book, dateOf, dayOf } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { difference, LINES, linesOf, noLines } from "../../../../src/domains/credit-accounts/book/lines.policy";
import { journalLinesOf } from "../../../../src/domains/credit-accounts/postings/journal.plan";
import { planDays } from "../../../../src/domains/ledger/close.plan";
import type { DaySum, Found } from "../../../../src/domains/ledger/close.store";
import { addDays, type CalendarDate } from "../../../../src/shared/time";
import { judge } from "./oracle";
import { type Accounts, held, more } from "./oracle-journal";
import { forAllBooks, type RandomBook } from "./random-books";

const OF = { loanProductId: "product", currency: "KES" };
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** The days from the first posting to the last that is read. */
function daysOf({ book, through, postedOn }: RandomBook): CalendarDate[] {
	const days: CalendarDate[] = [];
	for (let day = postedOn[0] ?? through; day <= through; day = addDays(day, 1)) days.push(day);
	return book.facts.length === 0 ? [] : days;
}

const without = (book: Book, count: number): Book => ({ ...book, facts: book.facts.slice(0, count) });

/** The days between two postings, which know the same. */
function stretchesOf({ postedOn, through }: RandomBook, days: readonly CalendarDate[]): CalendarDate[][] {
	const posted = new Set(postedOn);
	const first = days.flatMap((day, index) => (posted.has(day) ? [index] : []));
	return first.map((from, index) => days.slice(from, first[index + 1])).filter(([day = ""]) => day <= through);
}

it("has each posting and each day as a program has them that knows the chart of accounts alone", { timeout: 3_600_000 }, () => {
	const counted = { books: 0, postings: 0, days: 0, accounts: 0, unearned: 0 };
	forAllBooks(15, (random) => {
		const { book, postedOn, knownOn } = random;
		const days = daysOf(random);
		const sums: DaySum[] = [];
		for (const [index, { id }] of book.facts.entries()) {
			const day = postedOn[index] ?? "";
			const [before, after] = [without(book, index), without(book, index + 1)];
			const earlier = index === 0 ? noLines() : linesOf(replay(before, day));
			const lines = journalLinesOf(difference(linesOf(replay(after, day)), earlier));
			expect(sumOf(lines.map(([, amount]) => amount))).toBe(0);
			expect(lines).not.toHaveLength(1);
			const moved = more(judge(after, day).accounts, index === 0 ? {} : judge(before, day).accounts);
			expect(Object.fromEntries(lines), id).toEqual(held(moved));
			for (const [account, amount] of lines) sums.push({ ...OF, day, account, amount });
			counted.postings++;
		}
		const judged = new Map<CalendarDate, Accounts>();
		const figures = stretchesOf(random, days).flatMap((stretch) => {
			const [first = "", last = first] = [stretch[0], stretch.at(-1)];
			judge(knownOn(first), last, false, (day, _, __, accounts) => {
				if (day >= dayOf(first)) judged.set(dateOf(day), accounts());
			});
			const ledger = replay(knownOn(first), last, stretch);
			return stretch.map((day) => {
				const lines = linesOf(ledger, day);
				return { figures: { ...OF, day, ...Object.fromEntries(LINES.map((line) => [line, Number(lines[line])])) } };
			});
		});
		const found = { portfolios: [{ ...OF, timeZone: "Africa/Nairobi" }], figures, sums, before: [] } as unknown as Found;
		const closed = planDays("organization", days, found, Date.now());
		for (const { source, lines } of closed.entries) {
			expect(source).toBe("DAY");
			expect(sumOf(lines.map(([, amount]) => amount))).toBe(0);
			// Time moves no money.
			expect(lines.filter(([account]) => account === "2110" || account === "2130")).toEqual([]);
		}
		const balances = new Map(closed.days.map((row) => [row.day, row.balances]));
		for (const day of days) {
			const accounts = held(judged.get(day) ?? {});
			expect(balances.get(day) ?? {}, day).toEqual(accounts);
			expect(sumOf(Object.values(accounts))).toBe(0);
			counted.accounts += Object.keys(accounts).length;
			if (accounts["2410"] !== undefined) counted.unearned++;
		}
		counted.days += days.length;
		counted.books++;
	});
	const { books, postings, days, accounts, unearned } = counted;
	expect(unearned).toBeGreaterThan(0);
	process.stdout.write(
		`The journals of ${books} books: ${postings} postings, ${accounts} balances at the end of ${days} days, ${unearned} of them with unearned fees\n`,
	);
});
