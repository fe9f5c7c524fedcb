// Timestamps in requests, as RFC 3339 defines them. Every operation reads them through these schemas, so that all accept the same.

import * as z from "zod";
import { badInput } from "./errors";
import { isCalendarDate, MINUTE_MS } from "./time";

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const calendar = z.iso.datetime({ offset: true });

/** Beyond the years 0000 to 9999 a timestamp cannot be written in UTC, although its offset may make it look as if it could. */
const EARLIEST = Date.parse("0000-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** A timestamp as text, in upper case: RFC 3339 also allows `t` and `z`. */
export const Timestamp = z
	.string()
	.max(64, { abort: true })
	.toUpperCase()
	.superRefine((text, ctx) => {
		if (!RFC_3339.test(text) || !calendar.safeParse(text).success) {
			ctx.addIssue({ code: "custom", message: "must be an RFC 3339 timestamp", params: { sub_code: "INVALID_FORMAT" } });
			return;
		}
		const instant = Date.parse(text);
		if (instant >= EARLIEST && instant <= LATEST) return;
		ctx.addIssue({ code: "custom", message: "must be within the years 0000 to 9999 in UTC", params: { sub_code: "OUT_OF_RANGE" } });
	})
	.meta({ format: "date-time" });

/** The same, parsed to milliseconds. */
export const Instant = Timestamp.transform((text) => Date.parse(text)).meta({ format: "date-time" });

/** How far ahead the clock of the system that reports an instant may be. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Throws bad input for a reported instant that is in the future, by the service's clock and by real time. */
export function refuseFuture(path: string, instant: number, { now, realNow }: { now: number; realNow: number }): void {
	if (instant > Math.max(now, realNow) + CLOCK_SKEW_MS) throw badInput(path, "must not be in the future", "OUT_OF_RANGE");
}

/** A month of the calendar, such as 2026-03, and followed by another: 9999-12 is too late. */
export const Month = z.string().regex(/^[1-8][0-9]{3}-(0[1-9]|1[0-2])$/, "must be a month YYYY-MM");

/** A day of the calendar, such as 2026-03-02. */
export const LocalDate = z.string().refine(isCalendarDate, "must be a date YYYY-MM-DD").meta({ format: "date" });
