// What follows from the end of an attempt, as pure rules.

import { describe, expect, it } from "vitest";
import {
	afterAttempt,
	connectionErrorBy,
	errorClassOf,
	isEndpointsFailure,
	lastError,
	MAX_ATTEMPTS,
	outcomeOfError,
	outcomeOfStatus,
	RETRY_DELAYS_S,
	retry,
	retryAfterMs,
	retryDelayMs,
} from "../../../../src/domains/webhooks/attempts/policy";
import { ERROR_CLASSES, OUTCOMES, type Outcome } from "../../../../src/shared/webhook-states";

const now = Date.UTC(2026, 10, 20, 12);

describe("retry schedule", () => {
	const total = (random: number) => RETRY_DELAYS_S.reduce((sum, _, i) => sum + (retryDelayMs(i + 1, undefined, random) ?? 0), 0) / 60_000;

	it("reaches about half an hour after the first attempt", () => {
		expect(RETRY_DELAYS_S).toHaveLength(MAX_ATTEMPTS - 1);
		expect(total(0.5)).toBeCloseTo(30.25);
		expect(total(0)).toBeGreaterThan(27);
		expect(total(1)).toBeLessThan(33.5);
	});

	it.each(RETRY_DELAYS_S.map((seconds, i) => [i + 1, seconds]))("after attempt %i, waits %i s within ±10 %%", (attempt, seconds) => {
		expect(retryDelayMs(attempt, undefined, 0)).toBe(seconds * 900);
		expect(retryDelayMs(attempt, undefined, 0.5)).toBe(seconds * 1000);
		expect(retryDelayMs(attempt, undefined, 1)).toBe(seconds * 1100);
	});

	it("grows threefold each time", () => {
		for (let i = 1; i < RETRY_DELAYS_S.length; i++) expect(RETRY_DELAYS_S[i]).toBe(3 * (RETRY_DELAYS_S[i - 1] ?? 0));
	});

	it("waits longer if the endpoint asks for it, up to twice the delay, and never less than the delay", () => {
		expect(retryDelayMs(1, 20_000, 0.5)).toBe(20_000);
		expect(retryDelayMs(1, 30_000, 0.5)).toBe(30_000);
		expect(retryDelayMs(1, 3_600_000, 0.5)).toBe(30_000);
		expect(retryDelayMs(1, Number.POSITIVE_INFINITY, 0)).toBe(30_000);
		expect(retryDelayMs(1, 1_000, 0.5)).toBe(15_000);
		expect(retryDelayMs(1, 0, 0)).toBe(13_500);
		expect(retryDelayMs(5, 3_600_000, 1)).toBe(2_430_000);
	});

	it("has no delay before the first attempt or after the last", () => {
		expect(retryDelayMs(0, undefined, 0.5)).toBeUndefined();
		expect(retryDelayMs(6, undefined, 0.5)).toBeUndefined();
	});
});

describe("retryAfterMs", () => {
	it("reads seconds and HTTP dates on 429 and 503", () => {
		for (const status of [429, 503]) {
			expect(retryAfterMs(status, "120", now)).toBe(120_000);
			expect(retryAfterMs(status, " 0 ", now)).toBe(0);
			expect(retryAfterMs(status, new Date(now + 90_000).toUTCString(), now)).toBe(90_000);
			expect(retryAfterMs(status, "Friday, 20-Nov-26 12:01:00 GMT", now)).toBe(60_000);
			expect(retryAfterMs(status, "Fri Nov 20 12:01:00 2026", now)).toBe(60_000);
		}
		expect(retryAfterMs(503, new Date(now - 90_000).toUTCString(), now)).toBe(0);
	});

	it("ignores any other status", () => {
		for (const status of [200, 302, 400, 500, 502, 504]) expect(retryAfterMs(status, "120", now)).toBeUndefined();
	});

	it.each([null, "", "soon", "-1", "1.5", "1e3", "2026-11-20T12:01:00Z", "Fri, nonsense", "٣"])("ignores %j", (header) => {
		expect(retryAfterMs(503, header, now)).toBeUndefined();
	});
});

describe("afterAttempt", () => {
	const next = (roundAttempts: number, outcome: Outcome, retryAfterMs?: number, roundInterrupted = 0) =>
		afterAttempt({ roundAttempts, roundInterrupted, outcome, retryAfterMs, now, random: 0.5 });
	const failures = ["HTTP_ERROR", "REDIRECT", "TIMEOUT", "CONNECTION_FAILED"] as const;

	it("delivers at any attempt", () => {
		for (let attempt = 1; attempt <= 6; attempt++) expect(next(attempt, "DELIVERED")).toEqual({ status: "DELIVERED", nextAttemptAt: null });
	});

	it.each(failures)("schedules another attempt after %s five times, and gives up at the sixth", (outcome) => {
		for (const [i, seconds] of RETRY_DELAYS_S.entries()) {
			expect(next(i + 1, outcome)).toEqual({ status: "PENDING", nextAttemptAt: now + seconds * 1000 });
		}
		expect(next(6, outcome)).toEqual({ status: "FAILED", nextAttemptAt: null });
	});

	it("waits longer if the receiver asks for it", () => {
		expect(next(2, "HTTP_ERROR", 60_000)).toEqual({ status: "PENDING", nextAttemptAt: now + 60_000 });
		expect(next(6, "HTTP_ERROR", 60_000)).toEqual({ status: "FAILED", nextAttemptAt: null });
	});

	it("makes a delivery due immediately after the first interruption of its round, and counts the attempt", () => {
		for (let attempt = 1; attempt <= 5; attempt++)
			expect(next(attempt, "INTERRUPTED", undefined, 1)).toEqual({ status: "PENDING", nextAttemptAt: now });
		expect(next(6, "INTERRUPTED", undefined, 1)).toEqual({ status: "FAILED", nextAttemptAt: null });
	});

	it("lets a delivery that is interrupted again wait as after any other attempt", () => {
		for (const [i, seconds] of RETRY_DELAYS_S.entries()) {
			if (i === 0) continue;
			expect(next(i + 1, "INTERRUPTED", undefined, 2)).toEqual({ status: "PENDING", nextAttemptAt: now + seconds * 1000 });
		}
	});

	it("blames the endpoint for a failed delivery unless every attempt of the round was interrupted", () => {
		expect(isEndpointsFailure({ roundAttempts: 6, roundInterrupted: 6 })).toBe(false);
		expect(isEndpointsFailure({ roundAttempts: 6, roundInterrupted: 5 })).toBe(true);
	});

	it("holds a delivery at a blocked address and never finishes it", () => {
		for (let attempt = 0; attempt <= 6; attempt++)
			expect(next(attempt, "BLOCKED_ADDRESS")).toEqual({ status: "PENDING", nextAttemptAt: null });
	});
});

describe("outcomes", () => {
	it("map statuses: 2xx is delivered, 3xx a redirect, everything else an error", () => {
		for (let status = 100; status <= 599; status++) {
			const expected = status < 200 ? "HTTP_ERROR" : status < 300 ? "DELIVERED" : status < 400 ? "REDIRECT" : "HTTP_ERROR";
			expect(outcomeOfStatus(status), String(status)).toBe(expected);
		}
	});

	it("map what fetch throws", async () => {
		const signal = AbortSignal.timeout(1);
		await new Promise((resolve) => setTimeout(resolve, 10));
		expect(outcomeOfError(signal.reason)).toBe("TIMEOUT");
		expect(outcomeOfError(new Error("Network connection lost."))).toBe("CONNECTION_FAILED");
		expect(outcomeOfError(new TypeError("fetch failed"))).toBe("CONNECTION_FAILED");
		expect(outcomeOfError("TimeoutError")).toBe("CONNECTION_FAILED");
		expect(outcomeOfError(undefined)).toBe("CONNECTION_FAILED");
	});

	it("each have a class, except success", () => {
		const classes = OUTCOMES.map((outcome) => [outcome, errorClassOf({ outcome, connectionError: "TLS" })]);
		expect(classes).toEqual([
			["DELIVERED", null],
			["HTTP_ERROR", "STATUS"],
			["REDIRECT", "REDIRECT"],
			["TIMEOUT", "TIMEOUT"],
			["CONNECTION_FAILED", "TLS"],
			["BLOCKED_ADDRESS", "BLOCKED"],
			["INTERRUPTED", "INTERRUPTED"],
			["ITEM_FAILED", "ITEM"],
		]);
		expect(errorClassOf({ outcome: "HTTP_ERROR" })).toBe("STATUS");
		expect(errorClassOf({ outcome: "CONNECTION_FAILED" })).toBe("RESET");
	});
});

describe("classes of failure", () => {
	it("each have a sentence of their own, with the cause where it is known", () => {
		const sentences = ERROR_CLASSES.map((errorClass) => lastError(errorClass, { responseStatus: 418 }));
		for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
		expect(new Set(sentences).size).toBe(ERROR_CLASSES.length);
		expect(lastError(null)).toBeNull();
		expect(lastError("STATUS", { responseStatus: 500 })).toBe("The endpoint responded with 500.");
		expect(lastError("REDIRECT", { responseStatus: 304 })).toContain("304");
		expect(lastError("REFUSED", { failure: "nothing listens there" })).toBe("The endpoint refused the connection: nothing listens there.");
	});

	it.each([
		["Network connection lost.", "RESET"],
		["internal error; reference = abc", "RESET"],
		["connect ECONNREFUSED: Connection refused", "REFUSED"],
		["TLS peer's certificate is not trusted", "TLS"],
		["DNS lookup failed.", "DNS"],
	])("are recognized by the platform's message %s: %s", (message, errorClass) => {
		expect(connectionErrorBy(message)).toBe(errorClass);
	});
});

describe("retry", () => {
	const finished = { status: "FAILED", endpointStatus: "ACTIVE", lastManualRetryAt: null } as const;

	it("accepts a finished delivery, even a delivered one", () => {
		expect(retry(finished, now)).toEqual({ accepted: true });
		expect(retry({ ...finished, status: "DELIVERED" }, now)).toEqual({ accepted: true });
	});

	it("rejects a pending delivery first, then a suspended endpoint, then a retry that is too soon", () => {
		const hasty = { ...finished, lastManualRetryAt: now };
		expect(retry({ ...hasty, status: "PENDING", endpointStatus: "SUSPENDED" }, now)).toEqual({
			accepted: false,
			reason: "DELIVERY_IN_PROGRESS",
		});
		expect(retry({ ...hasty, endpointStatus: "SUSPENDED" }, now)).toEqual({ accepted: false, reason: "WEBHOOK_SUSPENDED" });
		expect(retry(hasty, now)).toEqual({ accepted: false, reason: "TOO_SOON", retryAfterSeconds: 60 });
	});

	it("measures the minute to the millisecond, and never asks for a shorter wait than needed", () => {
		const at = (elapsedMs: number) => retry({ ...finished, lastManualRetryAt: now }, now + elapsedMs);
		expect(at(1)).toMatchObject({ retryAfterSeconds: 60 });
		expect(at(30_500)).toMatchObject({ retryAfterSeconds: 30 });
		expect(at(59_000)).toMatchObject({ retryAfterSeconds: 1 });
		expect(at(59_999)).toMatchObject({ retryAfterSeconds: 1 });
		expect(at(60_000)).toEqual({ accepted: true });
	});
});
