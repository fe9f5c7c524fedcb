import { describe, expect, it } from "vitest";
import {
	DEFAULT_TIMEOUT,
	formatTimeout,
	MAX_TIMEOUT_MS,
	MIN_TIMEOUT_MS,
	parseTimeout,
} from "../../../../src/domains/webhooks/endpoints/timeout.policy";

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
		"PT0S",
		"PT0.999S",
		"PT30.001S",
		"PT31S",
		"PT60S",
		"PT100S",
		"PT1M",
		"PT0.5M",
		"PT0M5S",
		"P1D",
		"P0DT5S",
		"PT5",
		"5",
		"5S",
		"",
		"pt5s",
		"PT05S",
	])("rejects %j", (text) => expect(parseTimeout(text)).toBeUndefined());

	it.each(["PT-5S", "-PT5S", "PT+5S", " PT5S", "PT5S ", "PT5S\n", "PT5.S", "PT5.0001S", "PT5,5S", "PT1e1S", "PT٥S", "PTNaNS"])(
		"rejects %j",
		(text) => expect(parseTimeout(text)).toBeUndefined(),
	);
});
