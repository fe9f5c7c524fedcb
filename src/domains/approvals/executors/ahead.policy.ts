// The day from which rules of a lender count: a later one than today, and not so far ahead that a wrong year would keep out all later versions.

import { addDays, localDate } from "../../../shared/time";

export const MOST_DAYS_AHEAD = 366;

/** null: the rules may count from the day. */
export function faultOfDay(day: string, now: number): { readonly reason: "NOT_AHEAD" | "TOO_FAR"; readonly must: string } | null {
	const today = localDate(now);
	const last = addDays(today, MOST_DAYS_AHEAD);
	if (day <= today) return { reason: "NOT_AHEAD", must: `must be later than ${today}` };
	return day > last ? { reason: "TOO_FAR", must: `must not be later than ${last}` } : null;
}
