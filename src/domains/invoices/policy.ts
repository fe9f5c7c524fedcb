// Which spellings of an invoice number are equal, the amount of an advance, and until when an invoice may be financed.

import type { CalendarDate } from "../../shared/time";
import { visibleKey } from "../../shared/visible-key";

/** The same text for all spellings of an invoice number; empty if it has no visible character. */
export const numberKey = (invoiceNumber: string): string => visibleKey(invoiceNumber);

/** The amount that the merchant gets; undefined if the fee leaves nothing. The buyer repays the whole amount. */
export function advanceOf(amount: number, fee: number): number | undefined {
	return fee >= 0 && fee < amount ? amount - fee : undefined;
}

/** Not on the due date itself, because the advance would be repaid on the same day. */
export const mayStillBeFinanced = (dueDate: CalendarDate, today: CalendarDate): boolean => today < dueDate;

/** How deep objects and lists are nested: 0 for any other value. */
export function depthOf(value: unknown): number {
	if (typeof value !== "object" || value === null) return 0;
	return 1 + Object.values(value).reduce<number>((deepest, member) => Math.max(deepest, depthOf(member)), 0);
}
