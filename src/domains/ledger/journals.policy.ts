// What a journal of a closed day is, and which days a page of journals has.

import type { CalendarDate } from "../../shared/time";

export type SummedLine = {
	readonly account: string;
	readonly loanProductId: string;
	readonly productName: string | null;
	/** A debit is positive. */
	readonly amount: number;
};
export type SummedJournal = { readonly day: CalendarDate; readonly currency: string; readonly lines: readonly SummedLine[] };

/** So many days are read for a page. */
export const MOST_DAYS = 31;

/** Of a journal among its neighbours: the instant at which its day begins, and its currency. */
type Place = readonly [instant: number, ...rest: readonly unknown[]];
type Cursor = { readonly after?: Place | undefined; readonly before?: Place | undefined };

export const dayAt = ([instant]: Place): CalendarDate => new Date(instant).toISOString().slice(0, 10);

/** The first day of a cursor's month: later pages of a list have the month of the earlier ones, also if another month has begun since. */
export const monthOfCursor = ({ after, before }: Cursor): CalendarDate | undefined => {
	const cursor = after ?? before;
	return cursor && `${dayAt(cursor).slice(0, 7)}-01`;
};
