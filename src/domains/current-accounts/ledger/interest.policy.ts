// Deposit interest, exact to the basis-point day. A rate index counts the basis points of each day since an account was opened; a
// balance earns its amount times the growth of the index, and 3,650,000 of that product are one unit of interest. Amounts below one
// unit stay accrued. Interest is paid on Mondays, for the days before.

import { addDays, type CalendarDate, daysBetween, localDate } from "../../../shared/time";

export type DatedRate = { readonly from: CalendarDate; readonly annualBasisPoints: number };

/** One unit of interest: 10,000 basis points for 365 days, in every year. */
export const BASIS_POINT_DAYS_IN_UNIT = 3_650_000;

const A_MONDAY: CalendarDate = "1970-01-05";
const WEEK = 7;

/** The annual rate of a day, in basis points. `rates` ascend; before the first one it is 0. */
export const rateOn = (rates: readonly DatedRate[], day: CalendarDate): number =>
	rates.findLast(({ from }) => from <= day)?.annualBasisPoints ?? 0;

/** The sum of the daily rates from the first day up to the second, which does not count. */
export function rateIndex(rates: readonly DatedRate[], from: CalendarDate, to: CalendarDate): number {
	return rates.reduce((sum, { from: start, annualBasisPoints }, position) => {
		const end = rates[position + 1]?.from ?? to;
		const first = start > from ? start : from;
		const last = end < to ? end : to;
		return first < last ? sum + annualBasisPoints * daysBetween(first, last) : sum;
	}, 0);
}

/** The first Monday after the day. */
export function paydayAfter(day: CalendarDate): CalendarDate {
	const sinceMonday = ((daysBetween(A_MONDAY, day) % WEEK) + WEEK) % WEEK;
	return addDays(day, WEEK - sinceMonday);
}

/** The paydays from the next unpaid one up to the day, in order. */
export function paydaysUpTo(next: CalendarDate, day: CalendarDate): CalendarDate[] {
	const due: CalendarDate[] = [];
	for (let payday = next; payday <= day; payday = addDays(payday, WEEK)) due.push(payday);
	return due;
}

/** Today in the account's calendar. */
export const localDayOf = ({ timeZone }: { readonly timeZone: string }, now: number): CalendarDate => localDate(now, timeZone);
