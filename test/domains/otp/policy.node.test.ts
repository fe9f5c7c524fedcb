// How long to wait for another code, and when a code is refused, as pure rules.

import { describe, expect, it } from "vitest";
import { CLIENT_CAPS, codeFrom, RECIPIENT_CAPS, refusalOf, waitForSend } from "../../../src/domains/otp/policy";
import { MINUTE_MS } from "../../../src/shared/time";

const NOW = 1_760_000_000_000;
const ago = (...minutes: number[]) => minutes.map((minute) => NOW - minute * MINUTE_MS);

describe("the wait for another send", () => {
	it.each<[string, number[], number]>([
		["there were no sends", [], 0],
		["there were two sends just now", ago(0, 1), 0],
		["there were three sends within 15 minutes", ago(1, 2, 5), 10 * MINUTE_MS],
		["the third-latest send is exactly 15 minutes old", ago(1, 2, 15), 0],
		["there were ten sends today", ago(20, 40, 60, 80, 100, 120, 140, 160, 180, 200), 1240 * MINUTE_MS],
		["both caps are reached, by the longer wait", ago(1, 2, 3, 80, 100, 120, 140, 160, 180, 200), 1240 * MINUTE_MS],
	])("when %s", (_, sentAt, waitMs) => {
		expect(waitForSend(sentAt, RECIPIENT_CAPS, NOW)).toBe(waitMs);
	});

	it("allows a client thirty sends an hour", () => {
		const sentAt = Array.from({ length: 30 }, (_, i) => NOW - i * MINUTE_MS);
		expect(waitForSend(sentAt, CLIENT_CAPS, NOW)).toBe(31 * MINUTE_MS);
		expect(waitForSend(sentAt.slice(1), CLIENT_CAPS, NOW)).toBe(0);
	});
});

describe("a challenge that refuses a try", () => {
	it("reports that it was used, otherwise that it expired, otherwise that it is exhausted", () => {
		expect(refusalOf({ consumedAt: NOW, expiresAt: NOW }, NOW)).toBe("CONSUMED");
		expect(refusalOf({ consumedAt: null, expiresAt: NOW }, NOW)).toBe("EXPIRED");
		expect(refusalOf({ consumedAt: null, expiresAt: NOW + 1 }, NOW)).toBe("EXHAUSTED");
	});
});

describe("a code", () => {
	it("has six digits, leading zeros kept", () => {
		expect(codeFrom(() => 7)).toBe("000007");
		expect(codeFrom(() => 4_293_999_999)).toBe("999999");
	});

	it("is drawn again when the random number would favour low codes", () => {
		const drawn = [4_294_000_000, 4_294_967_295, 1_234_567];
		expect(codeFrom(() => drawn.shift() ?? 0)).toBe("234567");
	});
});
