// Closes days of an account. A day's books are what was known at its end: the facts posted by then, replayed to it. Its lines are the
// difference to the day before, so a payment that is booked later, with any value date, counts on the day on which it was posted, and a
// closed day never changes.

import { type CalendarDate, daysBetween } from "../../shared/time";
import { replay } from "../credit-accounts/book/book.policy";
import type { Book } from "../credit-accounts/book/facts.policy";
import { difference, type Lines, linesOf, noLines } from "../credit-accounts/book/lines.policy";
import { NO_STAND, type Stand, standOf } from "./stand.policy";

/** The account as it was last closed. */
export type Seen = {
	/** The first day of which the portfolio knows it. */
	readonly since: CalendarDate;
	/** The last day that was closed, and the position of the newest fact known then: 0 for none. */
	readonly asOf: CalendarDate;
	readonly position: number;
};

/** A day to close, and the position of the newest fact known at its end: 0 for none. */
export type Day = { readonly day: CalendarDate; readonly position: number };

export type Closed = Day & {
	readonly stand: Stand;
	/** Since the account was last closed; nothing for a day that was closed before. */
	readonly lines: Lines;
	readonly bookFrom: number;
};

/**
 * Closes the days, which ascend. The book begins early enough for the last close as well as for these: at the lower of both beginnings,
 * and where a reversal was posted since at the account's first fact.
 */
export function closeDays(book: Book, seen: Seen, days: readonly Day[]): Closed[] {
	let base: Lines | undefined = seen.position === 0 ? noLines() : undefined;
	return days.map(({ day, position }) => {
		if (position === 0 || day < seen.since) return { day, position: 0, stand: NO_STAND, lines: noLines(), bookFrom: 1 };
		const isNew = day > seen.asOf;
		// Without a new fact one replay shows both days.
		const isQuiet = isNew && base === undefined && position === seen.position;
		const ledger = replay(knownBy(book, position), day, isQuiet ? [seen.asOf] : []);
		if (isNew) base ??= linesOf(isQuiet ? ledger : replay(knownBy(book, seen.position), seen.asOf), seen.asOf);
		const lines = isNew && base ? difference(linesOf(ledger), base) : noLines();
		return { day, position, stand: standOf(ledger), lines, bookFrom: Math.max(1, ledger.bookFrom) };
	});
}

/** The book without what was posted after that position. */
export const knownBy = (book: Book, position: number): Book => ({
	...book,
	facts: book.facts.filter((fact) => fact.position <= position),
});

/** Past due for more days than these: 0 is a day or more, and over 90 an account is in default. */
export const PAST_DUE_OVER = [0, 30, 60, 90] as const;

export const isPastDue = (oldestDue: CalendarDate | null, day: CalendarDate, over: number): boolean =>
	oldestDue !== null && daysBetween(oldestDue, day) > over;
