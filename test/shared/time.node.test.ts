// Instants, local dates and durations.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	addDays,
	addMonths,
	addSpan,
	addWeeks,
	DAY_MS,
	daysBetween,
	isCalendarDate,
	isTimeZone,
	localDate,
	parseDuration,
	startOfDay,
	toTimestamp,
	toTimestampWithoutZone,
} from "../../src/shared/time";

const START = Date.UTC(2025, 0, 31, 12);

describe("instants", () => {
	it("are written in UTC, with Z or, for an account's paid_at, without it", () => {
		expect(toTimestamp(0)).toBe("1970-01-01T00:00:00.000Z");
		expect(toTimestampWithoutZone(0)).toBe("1970-01-01T00:00:00.000");
	});

	it("are written as Date writes them, in any order", () => {
		const moment = fc.integer({ min: 0, max: 2 * DAY_MS });
		const at = fc.oneof(
			moment,
			moment.map((ms) => START - ms),
			fc.integer({ min: -8.64e15, max: 8.64e15 }),
			fc.constantFrom(0.5, -0.5, START + 0.9),
		);
		fc.assert(
			fc.property(fc.array(at, { maxLength: 20 }), (instants) => {
				for (const instant of instants) expect(toTimestamp(instant)).toBe(new Date(instant).toISOString());
			}),
		);
		expect([-0.5, -1].map(toTimestamp)).toEqual(["1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z"]);
		expect(() => toTimestamp(Number.NaN)).toThrow(RangeError);
		expect(() => toTimestamp(8.64e15 + 1)).toThrow(RangeError);
	});
});

describe("localDate", () => {
	it("is already 1 April in Nairobi at 22:30 UTC on 31 March", () => {
		const instant = Date.UTC(2025, 2, 31, 22, 30);
		expect(localDate(instant)).toBe("2025-04-01");
		expect(localDate(instant, "UTC")).toBe("2025-03-31");
		expect(localDate(instant, "America/New_York")).toBe("2025-03-31");
	});

	it("changes exactly at the zone's midnight", () => {
		const midnight = Date.UTC(2025, 2, 31, 21);
		expect(localDate(midnight - 1)).toBe("2025-03-31");
		expect(localDate(midnight)).toBe("2025-04-01");
	});

	it("rejects an unknown zone", () => {
		expect(() => localDate(0, "Mars/Olympus")).toThrow(RangeError);
		expect(isTimeZone("Mars/Olympus")).toBe(false);
		expect(isTimeZone("+03:00")).toBe(false);
		expect(isTimeZone("Africa/Kampala")).toBe(true);
	});
});

describe("startOfDay", () => {
	it("is midnight of the zone", () => {
		expect(startOfDay("2025-04-01")).toBe(Date.UTC(2025, 2, 31, 21));
		expect(startOfDay("2025-04-01", "UTC")).toBe(Date.UTC(2025, 3, 1));
		expect(startOfDay("2025-04-01", "Pacific/Kiritimati")).toBe(Date.UTC(2025, 2, 31, 10));
	});

	it("is the first instant of a day whose midnight the clocks skip", () => {
		const start = startOfDay("2025-09-07", "America/Santiago");
		expect(start).toBe(Date.UTC(2025, 8, 7, 4));
		expect(localDate(start - 1, "America/Santiago")).toBe("2025-09-06");
	});

	it("refuses an unknown zone", () => {
		expect(() => startOfDay("2025-04-01", "Mars/Olympus")).toThrow(RangeError);
	});
});

describe("calendar dates", () => {
	it.each(["2025-02-30", "2025-13-01", "2025-00-10", "2025-1-1", "2025-01-01T00:00:00Z", "", "2025-02-29"])("rejects %j", (text) => {
		expect(isCalendarDate(text)).toBe(false);
		expect(() => addDays(text, 1)).toThrow(RangeError);
	});

	it("include leap days", () => {
		expect(isCalendarDate("2024-02-29")).toBe(true);
		expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
	});

	it("keep the anchor day across short months", () => {
		expect([1, 2, 3, 13].map((months) => addMonths("2025-01-31", months))).toEqual([
			"2025-02-28",
			"2025-03-31",
			"2025-04-30",
			"2026-02-28",
		]);
		expect(addMonths("2024-01-31", 1)).toBe("2024-02-29");
		expect(addMonths("2025-03-31", -1)).toBe("2025-02-28");
		expect(addMonths("2025-12-15", 1)).toBe("2026-01-15");
	});

	it("count days and weeks across month and year ends", () => {
		expect(addWeeks("2025-12-29", 1)).toBe("2026-01-05");
		expect(daysBetween("2024-02-01", "2024-03-01")).toBe(29);
		expect(daysBetween("2025-03-01", "2025-02-01")).toBe(-28);
		expect(addSpan("2025-01-31", { duration: 3, unit: "DAYS" })).toBe("2025-02-03");
		expect(addSpan("2025-01-31", { duration: 2, unit: "WEEKS" })).toBe("2025-02-14");
		expect(addSpan("2025-01-31", { duration: 1, unit: "MONTHS" })).toBe("2025-02-28");
	});

	it("end with the year 9999", () => {
		expect(() => addDays("9999-12-31", 1)).toThrow(RangeError);
	});
});

describe("parseDuration", () => {
	it.each([
		["PT1S", 1_000],
		["PT0.5S", 500],
		["PT1,25S", 1_250],
		["PT30M", 1_800_000],
		["PT36H", 1.5 * DAY_MS],
		["P366D", 366 * DAY_MS],
		["P1DT1H1M1S", DAY_MS + 3_661_000],
		["P2W", 14 * DAY_MS],
		["P1M", 28 * DAY_MS],
		["P1Y", 365 * DAY_MS],
		["PT1.0005M", 60_030],
		["PT0.5H", 1_800_000],
		["P0.5D", DAY_MS / 2],
		["P0DT1.001S", 1_001],
		["P0Y0M0DT0H0M1.9999S", 1_999],
	])("%s from 31 January 2025 is %d ms", (text, expected) => {
		expect(parseDuration(text, START)).toBe(expected);
	});

	it.each([
		"",
		"P",
		"PT",
		"P1DT",
		"PT0S",
		"P0D",
		"-PT1S",
		"PT1.5M1S",
		"P0.5DT1S",
		"P0.5M",
		"PT.5S",
		"PT5.S",
		"PT1.2.3S",
		"1S",
		"pt1s",
		"P1S",
		"PT1D",
		"P1W1D",
		"PT0.0001S",
		" PT1S",
	])("%j is refused", (text) => {
		expect(parseDuration(text, START)).toBeUndefined();
	});

	it("rejects lengths that no instant can reach", () => {
		expect(parseDuration("P99999Y", 8.64e15)).toBeUndefined();
	});
});
