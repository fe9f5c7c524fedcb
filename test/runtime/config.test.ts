// Missing and malformed variables are named, never shown.

import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import guide from "../../docs/operations.md?raw";
import { type ConfigurationError, configuration } from "../../src/runtime/config";

const STRONG = "0123456789abcdef0123456789abcdef";
const withDays = (days: string | undefined) => configuration({ ...env, RETENTION_DAYS: days } as never);

describe("RETENTION_DAYS", () => {
	it.each([
		[undefined, 30],
		["1", 1],
		["3650", 3650],
	])("%s means %d days", async (days, expected) => {
		expect((await withDays(days)).RETENTION_DAYS).toBe(expected);
	});

	it.each(["3651", "0", "-30", "7.5", "30 days", "", "1e2", " 30"])("refuses %j", async (days) => {
		await expect(withDays(days)).rejects.toThrow("RETENTION_DAYS");
	});
});

describe("a malformed variable", () => {
	it.each([
		["RETENTION_DAYS", "0", "must be a number of days from 1 to 3650"],
		["MESSAGE_BUDGET_PER_MINUTE", "0", "must be a number from 1 to 9999999"],
		["WEBHOOK_ALLOWED_PORTS", "443,https", "must be ports from 1 to 65535, separated by commas, or *"],
		["WEBHOOK_ALLOWED_NETWORKS", "10.0.0.0", "must be networks such as 10.0.0.0/8, separated by commas"],
	])("%s=%s is reported with what it must be", async (name, value, rule) => {
		const refused = configuration({ ...env, [name]: value } as never);
		await expect(refused).rejects.toMatchObject({ variables: { [name]: rule } });
	});
});

describe("NEW_PAYEE_OTP_ABOVE", () => {
	const withThresholds = async (vars: object) => (await configuration({ ...env, ...vars } as never)).NEW_PAYEE_OTP_ABOVE;
	const SANDBOX = { ENVIRONMENT: "sandbox", BASE_URL: "https://service.example", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on" };

	it("is 50000 by default, in local TRANSFER_OTP_ABOVE, and never more than that", async () => {
		expect(await withThresholds(SANDBOX)).toBe(50_000);
		expect(await withThresholds({ ...SANDBOX, TRANSFER_OTP_ABOVE: "200" })).toBe(200);
		expect(await withThresholds({ TRANSFER_OTP_ABOVE: "70000" })).toBe(70_000);
		expect(await withThresholds({ TRANSFER_OTP_ABOVE: "70000", NEW_PAYEE_OTP_ABOVE: "100" })).toBe(100);
		await expect(withThresholds({ TRANSFER_OTP_ABOVE: "99", NEW_PAYEE_OTP_ABOVE: "100" })).rejects.toMatchObject({
			variables: { NEW_PAYEE_OTP_ABOVE: "must be at most TRANSFER_OTP_ABOVE" },
		});
	});
});

describe("CAUTION_HOURS", () => {
	it("is 24 by default, in local 0, and in production never less than 24", async () => {
		const hoursIn = async (vars: object) => (await configuration({ ...env, ...vars } as never)).CAUTION_HOURS;
		const sandbox = { ENVIRONMENT: "sandbox", BASE_URL: "https://service.example", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on" };
		expect([await hoursIn({}), await hoursIn(sandbox), await hoursIn({ ...sandbox, CAUTION_HOURS: "0" })]).toEqual([0, 24, 0]);
		await expect(hoursIn({ ...sandbox, ENVIRONMENT: "production", CAUTION_HOURS: "23" })).rejects.toMatchObject({
			variables: { CAUTION_HOURS: "must be at least 24 in production" },
		});
	});
});

describe("TRUSTED_ISSUERS", () => {
	const issuer = (jwks_uri: string) => JSON.stringify([{ issuer: "https://partner.example", kind: "partner", jwks_uri }]);
	const withKeysAt = (jwks_uri: string, ENVIRONMENT = "local") =>
		configuration({ ...env, ENVIRONMENT, BASE_URL: "https://service.example", TRUSTED_ISSUERS: issuer(jwks_uri) } as never);
	const variablesOf = (config: Promise<unknown>) =>
		config.then(
			() => ({}),
			(error: ConfigurationError) => error.variables,
		);
	const refused = { TRUSTED_ISSUERS: "entry 0: jwks_uri must be a public HTTPS address" };

	it.each(["https://10.0.0.1/keys", "https://169.254.169.254/", "https://[fd00::1]/", "https://8.8.8.8/", "https://a:b@partner.example/"])(
		"refuses keys at %s",
		async (jwks_uri) => {
			expect(await variablesOf(withKeysAt(jwks_uri))).toEqual(refused);
		},
	);

	it("accepts keys on loopback in the local environment only", async () => {
		for (const jwks_uri of ["http://127.0.0.1:9999/keys", "http://localhost:9999/keys"]) {
			expect(await variablesOf(withKeysAt(jwks_uri))).toEqual({});
			expect(await variablesOf(withKeysAt(jwks_uri, "sandbox"))).toMatchObject(refused);
		}
		expect(await variablesOf(withKeysAt("https://partner.example/keys"))).toEqual({});
	});
});

/** What a service outside of `local` must have. */
const complete = {
	MESSAGE_SENDER: "http",
	MESSAGE_SENDER_URL: "https://sms.example",
	MESSAGE_SENDER_TOKEN: "token",
	CUSTODIAN: "http",
	CUSTODIAN_URL: "https://custodian.example",
	DISBURSER: "http",
	DISBURSER_URL: "https://disburser.example",
	DISBURSER_SECRET: STRONG,
	WEBHOOK_ALLOWED_NETWORKS: "",
	RATE_LIMITS: "on",
	BASE_URL: "https://service.example",
};

describe("a chosen provider without its address or secret", () => {
	const PROVIDERS = {
		MESSAGE_SENDER: ["MESSAGE_SENDER_URL", "MESSAGE_SENDER_TOKEN"],
		CUSTODIAN: ["CUSTODIAN_URL"],
		DISBURSER: ["DISBURSER_URL", "DISBURSER_SECRET"],
	};
	const namesIn = async (vars: Record<string, string | undefined>) =>
		configuration({ ...env, ...complete, ...vars } as never).then(
			() => [],
			(error: ConfigurationError) => Object.keys(error.variables),
		);

	it.each(["production", "sandbox"])("stops the service in %s, even if the provider is the default", async (ENVIRONMENT) => {
		expect(await namesIn({ ENVIRONMENT })).toEqual([]);
		for (const [provider, variables] of Object.entries(PROVIDERS)) {
			for (const name of variables) {
				expect(await namesIn({ ENVIRONMENT, [name]: undefined })).toEqual([name]);
				expect(await namesIn({ ENVIRONMENT, [name]: undefined, [provider]: undefined })).toEqual([name]);
			}
		}
	});

	it("does not stop a local service: what needs the provider answers SERVICE_UNAVAILABLE", async () => {
		for (const name of Object.values(PROVIDERS).flat()) expect(await namesIn({ ENVIRONMENT: "local", [name]: undefined })).toEqual([]);
	});
});

describe("a provider's secret", () => {
	const refusedIn = (ENVIRONMENT: string, vars: Record<string, string>) =>
		configuration({ ...env, ...complete, ENVIRONMENT, ...vars } as never).then(
			() => ({}),
			(error: ConfigurationError) => error.variables,
		);
	const WEAK = ["0123456789abcdef0123456789abcde", "abababababababababababababababababab", "x".repeat(64)];
	const rule = "must have 32 characters or more, 10 of them different";

	it.each(["production", "sandbox"])("has 32 characters, 10 of them different, in %s", async (ENVIRONMENT) => {
		const daraja = (secret: string) => JSON.stringify([{ secret, organization_id: "org" }]);
		for (const name of ["CUSTODIAN_SECRET", "DISBURSER_SECRET"]) {
			expect(await refusedIn(ENVIRONMENT, { [name]: STRONG })).toEqual({});
			for (const weak of WEAK) expect(await refusedIn(ENVIRONMENT, { [name]: weak })).toEqual({ [name]: rule });
		}
		expect(await refusedIn(ENVIRONMENT, { DARAJA_SECRETS: daraja(STRONG) })).toEqual({});
		for (const weak of WEAK)
			expect(await refusedIn(ENVIRONMENT, { DARAJA_SECRETS: daraja(weak) })).toEqual({ DARAJA_SECRETS: `entry 0: secret ${rule}` });
	});

	it("may be any in a local service", async () => {
		expect(await refusedIn("local", { CUSTODIAN_SECRET: "secret", DISBURSER_SECRET: "secret" })).toEqual({});
	});
});

describe("CURRENT_ACCOUNTS", () => {
	const terms = async (text: string | undefined) => (await configuration({ ...env, CURRENT_ACCOUNTS: text } as never)).CURRENT_ACCOUNTS;

	it("defaults to shillings, the time zone of Nairobi and no interest", async () => {
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

describe("operators", () => {
	const production = { ...env, ...complete, ENVIRONMENT: "production" };
	const errorsOf = async (TRUSTED_ISSUERS: string) => {
		const logged = vi.spyOn(console, "error").mockImplementation(() => {});
		// A second look at the same configuration says nothing again.
		const bindings = { ...production, TRUSTED_ISSUERS };
		for (const _ of ["first", "again"]) await configuration(bindings as never);
		const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
		logged.mockRestore();
		return lines;
	};

	it("sign in by the example of docs/operations.md, as it stands there", async () => {
		const [, example = ""] = /^```json\n(\[[\s\S]*?)^```$/m.exec(guide) ?? [];
		const { TRUSTED_ISSUERS } = await configuration({ ...production, TRUSTED_ISSUERS: example } as never);
		expect(TRUSTED_ISSUERS).toMatchObject([
			{ kind: "operator", required_amr: ["mfa", "hwk"], audience: "financial-account-service-production" },
		]);
		expect(await errorsOf(example)).toEqual([]);
	});

	it("that nobody is one is said at the start of an isolate", async () => {
		expect(await errorsOf("[]")).toEqual([
			expect.objectContaining({
				message: "nobody can operate this service: TRUSTED_ISSUERS names no issuer of the kind operator",
				environment: "production",
			}),
		]);
	});
});
