// Which days of a portfolio can be closed, and when the next one can.

import { addDays, type CalendarDate, localDate, MINUTE_MS, startOfDay } from "../../../shared/time";

/** So long after midnight a day is closed: what was posted just before it is committed by then. */
const GRACE_MS = 10 * MINUTE_MS;

/** As many days at most are closed together after a pause. */
const MOST_DAYS = 31;

/** When the day can be closed. */
export const closableFrom = (day: CalendarDate, timeZone: string): number => startOfDay(addDays(day, 1), timeZone) + GRACE_MS;

/** The days that can be closed now, behind the last closed one, without those of a later run. */
export function daysToClose(closedThrough: CalendarDate, timeZone: string, now: number): CalendarDate[] {
	const last = addDays(localDate(now - GRACE_MS, timeZone), -1);
	return daysBehind(closedThrough, last);
}

/** The days after the first up to the last, as many as are closed together. */
export function daysBehind(closedThrough: CalendarDate, last: CalendarDate): CalendarDate[] {
	const days: CalendarDate[] = [];
	for (let day = addDays(closedThrough, 1); day <= last && days.length < MOST_DAYS; day = addDays(day, 1)) days.push(day);
	return days;
}
