// Over many random books: the lines of a portfolio add up to its balances and to the money that moved, and however late its days are
// closed they are the same.
// @module-tag thorough

import { expect, it, vi } from "vitest";
import { replay } from "../../../src/domains/credit-accounts/book/book.policy";
import { factsInOrder } from "../../../src/domains/credit-accounts/book/facts.policy";
import { balancesBy, difference, LINES, type Lines, linesOf, noLines } from "../../../src/domains/credit-accounts/book/lines.policy";
import { standingOf } from "../../../src/domains/credit-accounts/book/standing.policy";
import { type Closed, closeDays, knownBy, type Seen } from "../../../src/domains/portfolio/close.policy";
import { standOf } from "../../../src/domains/portfolio/stand.policy";
import { addDays, type CalendarDate, daysBetween } from "../../../src/shared/time";
import { forAllBooks, forBooks, type RandomBook } from "../credit-accounts/book/random-books";

// A run over many books takes longer than the default timeout.
vi.setConfig({ testTimeout: 1_800_000 });

const daysOf = ({ book, through }: RandomBook): CalendarDate[] => {
	const first = factsInOrder(book.facts)[0]?.valueDate ?? through;
	return Array.from({ length: daysBetween(first, through) + 1 }, (_, index) => addDays(first, index));
};

const sum = (a: Lines, b: Lines): Lines => difference(a, difference(noLines(), b));

/** Closes the days in runs of so many, each of which reads of the book only what the sweep reads. */
function closedIn(random: RandomBook, days: readonly CalendarDate[], run: number): (Closed & { total: Lines })[] {
	let seen: Seen & { bookFrom: number } = { since: days[0] ?? "", asOf: addDays(days[0] ?? "", -1), position: 0, bookFrom: 1 };
	let total = noLines();
	const closed: (Closed & { total: Lines })[] = [];
	for (let start = 0; start < days.length; start += run) {
		const together = days.slice(start, start + run);
		const now = random.knownOn(addDays(together.at(-1) ?? "", 1));
		const accountBookFrom = Math.max(
			1,
			replay(
				now,
				now.facts.reduce((last, { valueDate }) => (valueDate > last ? valueDate : last), ""),
			).bookFrom,
		);
		const isUndone = now.facts.some(({ kind, position }) => kind === "REVERSAL" && position > seen.position);
		const from = isUndone ? 1 : Math.min(seen.bookFrom, accountBookFrom);
		const book = { ...random.book, facts: random.book.facts.filter(({ position }) => position >= from) };
		const rows = closeDays(
			book,
			seen,
			together.map((day) => ({ day, position: random.knownOn(day).facts.length })),
		);
		closed.push(...rows.map((row) => ({ ...row, total: sum(total, row.lines) })));
		const last = rows.at(-1);
		if (!last) break;
		total = sum(total, last.lines);
		seen = { ...seen, asOf: last.day, position: last.position, bookFrom: last.bookFrom };
	}
	return closed;
}

it("a portfolio closes the same days daily, weekly and late, to what a replay of everything that was known says", () => {
	const closesAlike = (random: RandomBook) => {
		const days = daysOf(random);
		const daily = closedIn(random, days, 1);
		for (const { day, position, stand, total } of daily) {
			const ledger = replay(knownBy(random.book, position), day);
			expect(stand).toEqual(standOf(ledger));
			expect(total).toEqual(linesOf(ledger));
			const { interest, arrears, ...balances } = stand.balances;
			expect(balancesBy(total)).toEqual({ ...balances, interest: interest + arrears });
		}
		for (const run of [7, 31]) {
			const late = closedIn(random, days, run);
			for (const [index, { lines: _, bookFrom: __, ...row }] of late.entries()) expect(daily[index]).toMatchObject(row);
		}
	};
	forAllBooks(5, closesAlike, 1 / 40);
});

it("a portfolio counts the money that moved, and past due accounts as their standing does", () => {
	forBooks(({ book, through }) => {
		const ledger = replay(book, through);
		const lines = linesOf(ledger);
		const moved = (kind: string) =>
			factsInOrder(book.facts)
				.filter((fact) => fact.kind === kind && fact.valueDate <= through)
				.reduce((total, { amount }) => total + BigInt(amount), 0n);
		const paid = lines.paidPrincipal + lines.paidInterest + lines.paidPenalty + lines.paidRefundUncovered;
		expect(lines.drawn).toBe(moved("DRAW"));
		expect(paid + lines.recovered + lines.overpaymentReceived - lines.overpaymentUsed).toBe(moved("REPAYMENT"));
		expect(lines.refunded + lines.refundedUncovered).toBe(moved("REFUND"));
		const { overdueSince, status } = standingOf(ledger);
		expect(standOf(ledger).oldestDue).toBe(status === "WRITTEN_OFF" ? null : overdueSince);
		for (const line of LINES.filter((name) => name !== "rolledOver")) expect(lines[line]).toBeGreaterThanOrEqual(0n);
	});
});
