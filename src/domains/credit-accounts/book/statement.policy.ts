// The statement of a span of days: the balance before it, every entry with the balance after it, and the balance at its end. A balance
// is what is owed less what is overpaid.

import { addDays, type CalendarDate } from "../../../shared/time";
import { replay } from "./book.policy";
import type { Entry } from "./entries.policy";
import type { Book } from "./facts.policy";

export type Statement = {
	readonly from: CalendarDate;
	readonly to: CalendarDate;
	readonly opening: bigint;
	readonly entries: readonly (Entry & { readonly runningBalance: bigint })[];
	readonly closing: bigint;
};

/** Both days included. The book's own beginning is the earliest that it knows. */
export function statementOf(book: Book, from: CalendarDate, to: CalendarDate): Statement {
	const { entries } = replay(book, to, [addDays(from, -1)]);
	const before = entries.filter(({ date }) => date < from);
	const opening = before.reduce((balance, { amount }) => balance + amount, 0n);
	let balance = opening;
	const listed = entries.slice(before.length).map((entry) => {
		balance += entry.amount;
		return { ...entry, runningBalance: balance };
	});
	return { from, to, opening, entries: listed, closing: balance };
}
