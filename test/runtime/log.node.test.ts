// What a line of the log says of an error.

import { afterEach, expect, it, vi } from "vitest";
import { logger } from "../../src/runtime/log";

afterEach(() => vi.restoreAllMocks());

function logged(error: unknown): Record<string, unknown> {
	const written = vi.spyOn(console, "error").mockReturnValue();
	logger({ request_id: "r" }).error("it went wrong", error, { payment_id: "p" });
	return JSON.parse(String(written.mock.lastCall?.[0]));
}

const line = { level: "error", message: "it went wrong", request_id: "r", payment_id: "p" };

it("a log line names what was thrown, and none where nothing was", () => {
	expect(logged(undefined)).toEqual(line);
	expect(logged("text")).toEqual({ ...line, error: "string" });
	expect(logged(null)).toEqual({ ...line, error: "object" });
});

it("a log line has an error's stack without its message, which may hold a secret, but for what D1 says", () => {
	const told = logged(new TypeError("code 123456"));
	expect(told).toEqual({ ...line, error: "TypeError", stack: expect.stringMatching(/^\s+at /) });
	expect(JSON.stringify(told)).not.toContain("123456");
	const cause = new Error("D1_ERROR: UNIQUE constraint failed: payments.id");
	expect(logged(new Error("Failed query: 123456", { cause }))).toMatchObject({ error: "Error", database: cause.message });
});
