// The replay against a second program that follows the rules day by day with exact fractions, on both time axes. `npm run oracle`
// compares more books: 2,000 before anything lands.
// @module-tag thorough

import { expect, it } from "vitest";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { type Book, dayOf } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { installmentsOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import type { Ledger } from "../../../../src/domains/credit-accounts/book/ledger.policy";
import { canTransact, standingOf } from "../../../../src/domains/credit-accounts/book/standing.policy";
import { standOf } from "../../../../src/domains/portfolio/stand.policy";
import { judge, type Verdict } from "./oracle";
import { owes } from "./oracle-loan";
import { forAllBooks } from "./random-books";

const sumsOf = ({ allocations }: Ledger) => {
	const sums = new Map<string, bigint[]>();
	for (const { transactionId, cycleId, installment, principal, interest, arrears, penalty } of allocations) {
		const key = `${transactionId}/${cycleId}/${installment}`;
		const [p = 0n, i = 0n, a = 0n, f = 0n] = sums.get(key) ?? [];
		sums.set(key, [p + principal, i + interest, a + arrears, f + penalty]);
	}
	return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
};

const balanceSaid = (ledger: Ledger) => {
	const { breakdown, totalCharged, totalPaid, totalWaived } = balanceOf(ledger);
	return { breakdown, totals: { charged: totalCharged, paid: totalPaid, waived: totalWaived } };
};

const said = (ledger: Ledger) => ({
	...balanceSaid(ledger),
	overpaid: ledger.overpaid,
	uncovered: ledger.uncoveredRefund,
	allocated: sumsOf(ledger),
	penalties: ledger.penalties
		.map(({ cycleId, installment, number, date, amount }) => `${cycleId}/${installment}/${number}/${dayOf(date)}/${amount}`)
		.sort(),
});

const judged = ({ breakdown, totals, overpaid, uncovered, allocated, penalties }: Verdict) => ({
	breakdown,
	totals,
	overpaid,
	uncovered,
	allocated: [...allocated].sort(([a], [b]) => (a < b ? -1 : 1)),
	penalties: [...penalties].sort(),
});

/** Takes back one reversal after the other but those of other due dates, the newest first, until the refund is covered: it is due on the day of that reversal. */
function refundDueDay(book: Book, through: string): number | undefined {
	const { uncovered, uncoveredSince } = judge(book, through);
	if (uncovered === 0n) return undefined;
	const known = [...book.facts].sort((a, b) => a.position - b.position);
	const kinds = new Map(known.map(({ id, kind }) => [id, kind]));
	for (;;) {
		const newest = known.findLastIndex(({ kind, reversesId }) => kind === "REVERSAL" && kinds.get(reversesId ?? "") !== "RESCHEDULE");
		const [reversal] = newest === -1 ? [] : known.splice(newest, 1);
		if (!reversal || dayOf(reversal.valueDate) < uncoveredSince) return uncoveredSince;
		if (judge({ ...book, facts: known }, through).uncovered === 0n) return dayOf(reversal.valueDate);
	}
}

it("agrees to the unit with a day-by-day computation of exact fractions", { timeout: 1_800_000 }, () => {
	forAllBooks(40, ({ book, through, reading, knownOn }) => {
		for (const [of, day] of [
			[book, through],
			[book, reading],
			[knownOn(reading), through],
			[knownOn(reading), reading],
		] as const) {
			const ledger = replay(of, day);
			const [now, end] = [judge(of, day), judge(of, day, true)];
			const interestOf = ({ lines }: Verdict) => lines.reduce((sum, { interest }) => sum + interest, 0n);
			const owed = Object.values(now.breakdown).reduce((sum, part) => sum + part, 0n);
			const installments = installmentsOf(ledger).reduce((sum, { outstanding }) => sum + outstanding, 0n);
			expect(installments + ledger.uncoveredRefund).toBe(owed + interestOf(end) - interestOf(now));
		}
		expect(said(replay(book, through))).toEqual(judged(judge(book, through)));
		// What was known on one day of another.
		const known = knownOn(reading);
		expect(said(replay(known, through))).toEqual(judged(judge(known, through)));
		const ledger = replay(book, reading);
		const verdict = judge(book, reading, true);
		expect(said(ledger)).toEqual(judged(verdict));
		const total = (parts: { principal: bigint; interest: bigint; penalty: bigint }) => parts.principal + parts.interest + parts.penalty;
		expect(
			installmentsOf(ledger).map(({ cycleId, position, dueDate, principal, interest, fee, penalty, paid, waived }) => ({
				cycleId,
				position,
				due: dayOf(dueDate),
				principal,
				interest,
				fee,
				penalty,
				paid,
				waived,
			})),
		).toEqual(
			verdict.lines.map(({ cycleId, position, due, share, interest, fee, penalty, off }) => ({
				cycleId,
				position,
				due,
				principal: share,
				interest,
				fee,
				penalty,
				paid: total(off.paid),
				waived: total(off.waived),
			})),
		);
	});
});

it("has an uncovered refund due on the day of the reversal that uncovered it", { timeout: 1_800_000 }, () => {
	let uncovered = 0;
	forAllBooks(40, ({ book, through, reading, knownOn }) => {
		for (const [of, day] of [
			[book, through],
			[book, reading],
			[knownOn(reading), reading],
		] as const) {
			const ledger = replay(of, day);
			const due = refundDueDay(of, day);
			const today = dayOf(day);
			expect(ledger.refundDueOn === null ? undefined : dayOf(ledger.refundDueOn)).toBe(due);
			const { lines, uncovered: refund } = judge(of, day);
			const late = lines.filter(({ due: dueDay }) => dueDay < today);
			const unpaid = late.flatMap((line) => Object.values(owes(line))).reduce((sum, part) => sum + part, 0n);
			const isLate = due !== undefined && due < today;
			if (ledger.writtenOffOn === null) expect(standOf(ledger).overdue).toBe(unpaid + (isLate ? refund : 0n));
			const standing = standingOf(ledger);
			if (due === undefined) continue;
			uncovered++;
			expect(dayOf(standing.dueDate ?? "9999-12-31")).toBeLessThanOrEqual(due);
			if (isLate) expect(standing.daysOverdue).toBeGreaterThanOrEqual(today - due);
			if (due <= today) expect(canTransact("ACTIVE", standing, false)).toBe(false);
		}
	});
	expect(uncovered).toBeGreaterThan(0);
});
