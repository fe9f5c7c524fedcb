// When the borrower has to give back what was refunded to them and is not covered by an overpayment any more.

import type { CalendarDate } from "../../../shared/time";
import type { Book } from "./facts.policy";

/**
 * The value date of the latest reversal without which, and without those posted after it, the refund would be covered: the day on which
 * the payment bounced. Where no reversal explains it, as when a draw of an earlier day was posted after the refund, the day since which
 * it is uncovered.
 */
export function refundDueOn(book: Book, uncoveredSince: CalendarDate, isCovered: (other: Book) => boolean): CalendarDate {
	const reversals = book.facts
		.filter(({ kind, valueDate }) => kind === "REVERSAL" && valueDate >= uncoveredSince)
		.sort((a, b) => b.position - a.position);
	const cause = reversals.find(({ position: from }) =>
		isCovered({ ...book, facts: book.facts.filter(({ kind, position }) => kind !== "REVERSAL" || position < from) }),
	);
	return cause?.valueDate ?? uncoveredSince;
}
