// Which spellings of an invoice number are one number, what an advance comes to, and when an invoice is too late to finance.

import type { CalendarDate } from "../../shared/time";

/** Spaces of every script, and characters that nobody sees, such as zero-width joiners. */
const UNSEEN = /[\s\p{Z}\p{Cf}\p{Cc}]+/gu;

/** The same text for all spellings of an invoice number; empty when there is nothing to see. */
export const numberKey = (invoiceNumber: string): string =>
	// Capitals of some letters are not in normal form.
	invoiceNumber.normalize("NFKC").replace(UNSEEN, "").toUpperCase().normalize("NFKC");

/** What the merchant gets; undefined unless the fee leaves something. The buyer repays the whole amount. */
export function advanceOf(amount: number, fee: number): number | undefined {
	return fee >= 0 && fee < amount ? amount - fee : undefined;
}

/** An advance on the due date itself would be repaid on the same day. */
export const mayStillBeFinanced = (dueDate: CalendarDate, today: CalendarDate): boolean => today < dueDate;

/** How deep objects and lists are nested: 0 for any other value. */
export function depthOf(value: unknown): number {
	if (typeof value !== "object" || value === null) return 0;
	return 1 + Object.values(value).reduce<number>((deepest, member) => Math.max(deepest, depthOf(member)), 0);
}
