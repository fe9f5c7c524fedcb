// The statement of a span of days: the balance before it, every entry with the balance after it, and the balance at its end. A balance
// is what is owed less what is overpaid.

import { addDays, type CalendarDate, daysBetween } from "../../../shared/time";
import { replay } from "./book.policy";
import type { Entry } from "./entries.policy";
import { type Book, standingReversals } from "./facts.policy";

export type Statement = {
	readonly from: CalendarDate;
	readonly to: CalendarDate;
	readonly opening: bigint;
	/** `ofDay`: counts the entries of a day from 1, so that a posting on another day moves no entry. */
	readonly entries: readonly (Entry & { readonly ofDay: number; readonly runningBalance: bigint })[];
	readonly closing: bigint;
};

/** Both days included. The book's own beginning is the earliest that it knows. */
export function statementOf(book: Book, from: CalendarDate, to: CalendarDate): Statement {
	// A cycle whose first draw is reversed is charged for its earlier days when a later draw comes.
	const entries = [...replay(book, to, [addDays(from, -1)]).entries, ...undone(book, to)].toSorted((a, b) => daysBetween(b.date, a.date));
	const before = entries.filter(({ date }) => date < from);
	const opening = before.reduce((balance, { amount }) => balance + amount, 0n);
	let balance = opening;
	let [day, ofDay] = ["", 0];
	const listed = entries.slice(before.length).map((entry) => {
		balance += entry.amount;
		ofDay = entry.date === day ? ofDay + 1 : 1;
		day = entry.date;
		return { ...entry, ofDay, runningBalance: balance };
	});
	return { from, to, opening, entries: listed, closing: balance };
}

/** What was undone, what undid it, and what undid that: entries of nothing, because a replay knows none of them. */
function undone({ facts }: Book, to: CalendarDate): readonly Entry[] {
	const byId = new Map(facts.map((fact) => [fact.id, fact]));
	const standing = new Set(standingReversals(facts));
	const blank = { cycleId: null, installment: null, component: "PRINCIPAL" as const, amount: 0n };
	return facts
		.flatMap((reversal): Entry[] => {
			const original = reversal.kind === "REVERSAL" ? byId.get(reversal.reversesId ?? "") : undefined;
			if (!original) return [];
			const { id, valueDate: date, amount } = reversal;
			if (original.kind === "REVERSAL") return [{ ...blank, date, rule: "RESTORED", inputs: { amount }, transactionId: id }];
			const taken: Entry = { ...blank, date, rule: "REVERSED", inputs: { amount }, transactionId: id };
			if (!standing.has(reversal)) return [taken];
			return [{ ...blank, date: original.valueDate, rule: "UNDONE", inputs: { amount }, transactionId: original.id }, taken];
		})
		.filter(({ date }) => date <= to);
}
