// The day from which rules of a lender count: a later one than today, and not so far ahead that a wrong year would keep out all later versions.

import { addDays, type CalendarDate, localDate } from "../../../shared/time";

const MOST_DAYS_AHEAD = 366;

/** The last day from which rules may count. */
export const latestStart = (now: number): CalendarDate => addDays(localDate(now), MOST_DAYS_AHEAD);

/** null: the rules may count from the day. */
export function faultOfDay(day: string, now: number): { readonly reason: "NOT_AHEAD" | "TOO_FAR"; readonly must: string } | null {
	const today = localDate(now);
	const last = latestStart(now);
	if (day <= today) return { reason: "NOT_AHEAD", must: `must be later than ${today}` };
	return day > last ? { reason: "TOO_FAR", must: `must not be later than ${last}` } : null;
}
