// Instants are integer milliseconds; calendar dates are `YYYY-MM-DD` strings without a zone; localDate converts the first into
// the second. Months are counted from the anchor date, never from the last result: a series from the 31st returns to the 31st.

import { BoundedCache } from "./cache";

export type Unit = "DAYS" | "WEEKS" | "MONTHS";

/** A length in calendar units; `duration` is a positive integer. */
export type Span = { readonly duration: number; readonly unit: Unit };

/** `YYYY-MM-DD`, proleptic Gregorian, years 0000 to 9999; sorts as text. */
export type CalendarDate = string;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const DEFAULT_TIME_ZONE = "Africa/Nairobi";

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));
let day = { start: Number.NaN, text: "" };

/** RFC 3339 in UTC with milliseconds and `Z`. Many instants of a list are on the same day, so the text of the last day is kept. */
export function toTimestamp(instant: number): string {
	const sinceStart = instant - day.start;
	if (!(sinceStart >= 0 && sinceStart < DAY_MS && Number.isInteger(instant))) {
		const text = new Date(instant).toISOString();
		day = { start: Math.floor(Math.trunc(instant) / DAY_MS) * DAY_MS, text: text.slice(0, -"00:00:00.000Z".length) };
		return text;
	}
	const hours = TWO_DIGITS[Math.floor(sinceStart / HOUR_MS)];
	const minutes = TWO_DIGITS[Math.floor(sinceStart / MINUTE_MS) % 60];
	const seconds = TWO_DIGITS[Math.floor(sinceStart / SECOND_MS) % 60];
	return `${day.text}${hours}:${minutes}:${seconds}.${String(sinceStart % SECOND_MS).padStart(3, "0")}Z`;
}

/** UTC without the `Z`: the form of a credit account's `paid_at`. */
export function toTimestampWithoutZone(instant: number): string {
	return toTimestamp(instant).slice(0, -1);
}

/** `date`: of the last instant asked for, because a request asks for the date of one instant several times. */
type Calendar = { readonly formatter: Intl.DateTimeFormat; instant: number; date: CalendarDate };

// Formatters are expensive to build, and few time zones are in use.
const calendars = new Map<string, Calendar>();

function calendarOf(timeZone: string): Calendar {
	const known = calendars.get(timeZone);
	if (known) return known;
	const formatter = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
	const calendar = { formatter, instant: Number.NaN, date: "" };
	calendars.set(timeZone, calendar);
	return calendar;
}

/** Whether the platform knows this IANA zone; offsets such as `+03:00` are not zones. */
export function isTimeZone(name: string): boolean {
	if (!/^[A-Za-z]/.test(name)) return false;
	try {
		calendarOf(name);
		return true;
	} catch {
		return false;
	}
}

/** The calendar date in the zone at that instant; throws RangeError for an unknown zone. */
export function localDate(instant: number, timeZone: string = DEFAULT_TIME_ZONE): CalendarDate {
	const calendar = calendarOf(timeZone);
	if (calendar.instant !== instant) {
		const fields = new Map(calendar.formatter.formatToParts(instant).map((part) => [part.type, part.value]));
		calendar.date = `${fields.get("year")?.padStart(4, "0")}-${fields.get("month")}-${fields.get("day")}`;
		calendar.instant = instant;
	}
	return calendar.date;
}

/** Accounts of one zone have work on the same dates, and a search asks for the date of some thirty instants. */
const starts = new BoundedCache<number>(1_000, Number.POSITIVE_INFINITY);

/** The first instant of the date in the zone, which need not be midnight where clocks change; throws RangeError for an unknown zone. */
export function startOfDay(date: CalendarDate, timeZone: string = DEFAULT_TIME_ZONE): number {
	const key = `${date} ${timeZone}`;
	const known = starts.get(key, 0);
	if (known) return known.value;
	const start = findStart(date, timeZone);
	starts.set(key, start, 0);
	return start;
}

function findStart(date: CalendarDate, timeZone: string): number {
	// No zone is further from UTC than these.
	let before = toMidnight(date) - 15 * HOUR_MS;
	let within = toMidnight(date) + 15 * HOUR_MS;
	while (within - before > 1) {
		const middle = Math.floor((before + within) / 2);
		if (localDate(middle, timeZone) < date) before = middle;
		else within = middle;
	}
	return within;
}

// Not through the text of an instant: books and schedules have thousands of dates, and such texts would be most of their cost.
function toCalendarDate(midnight: number): CalendarDate {
	const date = new Date(midnight);
	const year = date.getUTCFullYear();
	if (!(year >= 0 && year <= 9999)) throw new RangeError("a calendar date must lie in the years 0000 to 9999");
	return `${digits(year, 4)}-${digits(date.getUTCMonth() + 1, 2)}-${digits(date.getUTCDate(), 2)}`;
}

const digits = (value: number, length: number): string => String(value).padStart(length, "0");

/** UTC midnight of the date, for arithmetic; throws RangeError unless the date exists. */
function toMidnight(date: CalendarDate): number {
	const midnight = midnightOf(date);
	if (midnight === undefined) throw new RangeError(`not a calendar date: ${date}`);
	return midnight;
}

function midnightOf(text: string): number | undefined {
	const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
	if (year === undefined || month === undefined || day === undefined) return undefined;
	const date = new Date(0);
	const midnight = date.setUTCFullYear(year, month - 1, day);
	// 30 February becomes a day of March.
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? midnight : undefined;
}

export const isCalendarDate = (text: string): boolean => midnightOf(text) !== undefined;

/** Whole days from the first date to the second; negative when the second is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
	return (toMidnight(to) - toMidnight(from)) / DAY_MS;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
	return toCalendarDate(toMidnight(date) + days * DAY_MS);
}

export function addWeeks(date: CalendarDate, weeks: number): CalendarDate {
	return addDays(date, weeks * 7);
}

/** The anchor's day, that many months later, or the last day of a shorter month. */
export function addMonths(anchor: CalendarDate, months: number): CalendarDate {
	return toCalendarDate(shiftMonths(toMidnight(anchor), months));
}

export function addSpan(anchor: CalendarDate, { duration, unit }: Span): CalendarDate {
	switch (unit) {
		case "DAYS":
			return addDays(anchor, duration);
		case "WEEKS":
			return addWeeks(anchor, duration);
		case "MONTHS":
			return addMonths(anchor, duration);
	}
}

function shiftMonths(instant: number, months: number): number {
	const shifted = new Date(instant);
	const day = shifted.getUTCDate();
	shifted.setUTCDate(1);
	shifted.setUTCMonth(shifted.getUTCMonth() + months);
	const lastOfMonth = new Date(shifted);
	lastOfMonth.setUTCMonth(lastOfMonth.getUTCMonth() + 1, 0);
	shifted.setUTCDate(Math.min(day, lastOfMonth.getUTCDate()));
	return shifted.getTime();
}

// A count may have a fraction, but only the last one of a duration. Months and years have none, because their lengths differ.
const COUNT = String.raw`\d{1,9}(?:[.,]\d{1,9})?`;
const DURATION = new RegExp(
	String.raw`^P(?:(?<weeks>${COUNT})W|(?:(?<years>\d{1,5})Y)?(?:(?<months>\d{1,6})M)?(?:(?<days>${COUNT})D)?(?:T(?:(?<hours>${COUNT})H)?(?:(?<minutes>${COUNT})M)?(?:(?<seconds>${COUNT})S)?)?)$`,
);
const FRACTION_BEFORE_LAST = /[.,]\d+[A-Z]./;
const NANO = 1e9;

/**
 * The length in milliseconds of an ISO 8601 duration such as `PT30M` or `P366D`; undefined when it is malformed or not
 * positive. Years and months are counted from `start` in UTC. Cut to whole milliseconds. Callers check upper limits.
 */
export function parseDuration(text: string, start: number): number | undefined {
	const length = Math.floor(exactDuration(text, start) ?? 0);
	return Number.isSafeInteger(length) && length > 0 ? length : undefined;
}

/** The same, not cut, and also when it is zero: for limits that a fraction of a millisecond must not pass. */
export function exactDuration(text: string, start: number): number | undefined {
	const groups = DURATION.exec(text)?.groups;
	if (!groups || text === "P" || text.endsWith("T") || FRACTION_BEFORE_LAST.test(text)) return undefined;
	const of = (name: string, unitMs: number) => {
		const [whole = "0", fraction = ""] = (groups[name] ?? "0").split(/[.,]/);
		// Integers up to the division: a binary fraction such as 1.001 is a little off.
		return Number(whole) * unitMs + (Number(fraction.padEnd(9, "0")) * unitMs) / NANO;
	};
	const months = Number(groups.years ?? 0) * 12 + Number(groups.months ?? 0);
	return (
		shiftMonths(start, months) -
		start +
		of("weeks", 7 * DAY_MS) +
		of("days", DAY_MS) +
		of("hours", HOUR_MS) +
		of("minutes", MINUTE_MS) +
		of("seconds", SECOND_MS)
	);
}
