import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { configuration } from "../../src/runtime/config";

const withDays = (days: string | undefined) => configuration({ ...env, RETENTION_DAYS: days } as never);

describe("RETENTION_DAYS", () => {
	it.each([
		[undefined, 30],
		["7", 7],
		["3650", 3650],
	])("%s means %d days", async (days, expected) => {
		expect((await withDays(days)).RETENTION_DAYS).toBe(expected);
	});

	it.each(["6", "3651", "0", "-30", "7.5", "30 days", "", "1e2", " 30"])("refuses %j", async (days) => {
		await expect(withDays(days)).rejects.toThrow("RETENTION_DAYS");
	});
});
