// Which timestamps are taken from requests and reports.

import { describe, expect, it } from "vitest";
import { Instant, refuseFuture, Timestamp } from "../../src/shared/timestamp";

const subCodeOf = (text: string) => {
	const [issue] = Instant.safeParse(text).error?.issues ?? [];
	return issue?.code === "custom" ? issue.params?.sub_code : issue?.code;
};

describe("a timestamp in a request", () => {
	it.each([
		["2026-03-01T08:00:00Z", "2026-03-01T08:00:00.000Z"],
		["2026-03-01t08:00:00z", "2026-03-01T08:00:00.000Z"],
		["2026-03-01T08:00:00.123456789+03:00", "2026-03-01T05:00:00.123Z"],
		["2026-03-01t08:00:00.5-00:00", "2026-03-01T08:00:00.500Z"],
		["2028-02-29T23:59:59+14:00", "2028-02-29T09:59:59.000Z"],
		["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
		["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
	])("%s is %s", (text, utc) => {
		expect(new Date(Instant.parse(text)).toISOString()).toBe(utc);
		expect(Date.parse(Timestamp.parse(text))).toBe(Date.parse(utc));
	});

	it.each([
		"",
		"2026-03-01",
		"2026-03-01T08:00Z",
		"2026-03-01T08:00:00",
		"2026-03-01 08:00:00Z",
		"2026-02-30T08:00:00Z",
		"2026-03-01T24:00:00Z",
		"2026-03-01T08:00:00+0300",
		"2026-03-01T08:00:00+24:00",
		"+002026-03-01T08:00:00Z",
		" 2026-03-01T08:00:00Z",
		"２０２６-03-01T08:00:00Z",
	])("%j is malformed", (text) => expect(subCodeOf(text)).toBe("INVALID_FORMAT"));

	it.each(["9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+00:01"])("%s is out of range: its UTC year is not 0000 to 9999", (text) =>
		expect(subCodeOf(text)).toBe("OUT_OF_RANGE"),
	);

	it("is refused for its length before its form is checked", () => {
		expect(subCodeOf(`2026-03-01T08:00:00.${"0".repeat(200_000)}Z`)).toBe("too_big");
	});
});

describe("a reported instant", () => {
	const clocks = { now: 2_000_000, realNow: 1_000_000 };

	it("may be five minutes ahead of the later of the service's clock and real time", () => {
		for (const one of [clocks, { now: clocks.realNow, realNow: clocks.now }]) {
			expect(() => refuseFuture("at", 2_300_000, one)).not.toThrow();
			expect(() => refuseFuture("at", 2_300_001, one)).toThrow("Invalid input");
		}
	});
});
