// Which durations are timeouts, and how they are answered.

import { describe, expect, it } from "vitest";
import { DEFAULT_TIMEOUT, formatTimeout, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS, parseTimeout } from "../../../src/domains/webhooks/timeout.policy";

describe("timeout", () => {
	it("survives parsing and formatting for every whole second", () => {
		for (let seconds = 1; seconds <= 30; seconds++) {
			expect(parseTimeout(`PT${seconds}S`)).toBe(seconds * 1000);
			expect(formatTimeout(seconds * 1000)).toBe(`PT${seconds}S`);
		}
		expect(parseTimeout(DEFAULT_TIMEOUT)).toBe(5_000);
		expect(parseTimeout("PT1S")).toBe(MIN_TIMEOUT_MS);
		expect(parseTimeout("PT30S")).toBe(MAX_TIMEOUT_MS);
	});

	it("accepts decimals down to the millisecond", () => {
		expect(parseTimeout("PT1.5S")).toBe(1_500);
		expect(parseTimeout("PT2.007S")).toBe(2_007);
		expect(parseTimeout("PT30.000S")).toBe(30_000);
		expect(formatTimeout(1_500)).toBe("PT1.5S");
		expect(formatTimeout(2_007)).toBe("PT2.007S");
	});

	it.each([
		["PT0M30S", 30_000],
		["P0DT5S", 5_000],
		["P0Y0M0DT0H0M5S", 5_000],
		["PT0.5M", 30_000],
		["PT05S", 5_000],
		["PT5,5S", 5_500],
		["PT5.0001S", 5_000],
		["PT0.001H", 3_600],
		["P0.0001D", 8_640],
	])("reads %s as %d ms", (text, timeoutMs) => expect(parseTimeout(text)).toBe(timeoutMs));

	it.each(["PT0S", "PT0.999S", "PT0.9999S", "PT30.001S", "PT30.0001S", "PT31S", "PT60S", "PT100S", "PT1M", "P1D", "P1Y", "P1W"])(
		"rejects %s as out of range",
		(text) => expect(parseTimeout(text)).toBe("OUT_OF_RANGE"),
	);

	it.each([
		"PT5",
		"5",
		"5S",
		"",
		"P",
		"PT",
		"pt5s",
		"PT-5S",
		"-PT5S",
		"PT+5S",
		" PT5S",
		"PT5S ",
		"PT5S\n",
		"PT5.S",
		"PT1e1S",
		"PT٥S",
		"PTNaNS",
	])("rejects %j as malformed", (text) => expect(parseTimeout(text)).toBe("INVALID_FORMAT"));
});
