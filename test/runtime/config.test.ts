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

describe("CURRENT_ACCOUNTS", () => {
	const terms = async (text: string | undefined) => (await configuration({ ...env, CURRENT_ACCOUNTS: text } as never)).CURRENT_ACCOUNTS;

	it("is by default in shillings, in Nairobi, without interest", async () => {
		const { currency, time_zone, interest_rates } = await terms(undefined);
		expect({ currency, time_zone, interest_rates }).toEqual({ currency: "KES", time_zone: "Africa/Nairobi", interest_rates: [] });
	});

	it("sorts the rates by their day", async () => {
		const rate = (from: string) => ({ from, annual_rate_basis_points: 100 });
		const { interest_rates } = await terms(JSON.stringify({ interest_rates: [rate("2026-05-01"), rate("2026-01-01")] }));
		expect(interest_rates.map(({ from }) => from)).toEqual(["2026-01-01", "2026-05-01"]);
	});

	it.each([
		"no JSON",
		"[]",
		'{"currency":"kes"}',
		'{"time_zone":"Mars/Olympus"}',
		'{"limits":{"minimum_transfer_amount":5,"maximum_transfer_amount":4}}',
		'{"limits":{"daily_transfer_limit":1000000000001}}',
		'{"interest_rates":[{"from":"2026-02-30","annual_rate_basis_points":1}]}',
		'{"interest_rates":[{"from":"2026-02-01","annual_rate_basis_points":-1}]}',
		'{"interest_rates":[{"from":"2026-02-01","annual_rate_basis_points":1},{"from":"2026-02-01","annual_rate_basis_points":2}]}',
		'{"rates":[]}',
	])("refuses %s", async (text) => {
		await expect(terms(text)).rejects.toThrow("CURRENT_ACCOUNTS");
	});
});
