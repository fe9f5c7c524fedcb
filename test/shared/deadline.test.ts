// A deadline ends its work and leaves no timer behind.

import { describe, expect, it } from "vitest";
import { withDeadline } from "../../src/shared/deadline";

describe("withDeadline", () => {
	it("returns the result of the work, or rejects with its failure", async () => {
		expect(await withDeadline(60_000, async () => "done")).toBe("done");
		await expect(withDeadline(60_000, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
	});

	it("fires its signal with a TimeoutError when the time is over", async () => {
		await expect(
			withDeadline(10, (deadline) => new Promise((_, reject) => deadline.addEventListener("abort", () => reject(deadline.reason)))),
		).rejects.toMatchObject({ name: "TimeoutError" });
	});

	it("leaves no timer behind, so that an invocation may use it any number of times", async () => {
		for (let i = 0; i < 12_000; i++) await withDeadline(60_000, async () => {});
	});
});
