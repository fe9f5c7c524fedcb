// What the console learns before anybody has signed in, and which entries the configuration takes.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { configuration } from "../../src/runtime/config";
import { getConsoleConfig } from "../../src/wiring/console.operations";
import { call, expectOk } from "../support/client";

const ENTRY = { label: "Staff", issuer: "https://login.example/realm", client_id: "console", kind: "identity" };

const refusalOf = (entry: object, more: object = {}, ...others: object[]) =>
	configuration({ ...env, ...more, CONSOLE_SIGN_IN: JSON.stringify([entry, ...others]) } as never).then(
		() => undefined,
		(error: { variables?: { CONSOLE_SIGN_IN?: string } }) => error.variables?.CONSOLE_SIGN_IN,
	);

describe("the console's configuration", () => {
	it("offers nobody until CONSOLE_SIGN_IN does, and then what it says", async () => {
		expect(expectOk(await call(getConsoleConfig, {}))).toMatchObject({ environment: "local", sign_in: [] });
		const operators = { ...ENTRY, kind: "operator", token: "access_token", scope: "roles", origins: ["https://api.login.example"] };
		const vars = { CONSOLE_SIGN_IN: JSON.stringify([ENTRY, operators]) };
		const return_path = "/console/signed-in/login.example-realm";
		expect(expectOk(await call(getConsoleConfig, { vars })).sign_in).toEqual([
			{ ...ENTRY, token: "id_token", origins: [], return_path },
			{ ...operators, return_path },
		]);
	});

	it("has a return address for each issuer, and takes no two issuers of one", async () => {
		const refused = (...issuers: string[]) =>
			refusalOf({ ...ENTRY, issuer: issuers[0] }, {}, ...issuers.slice(1).map((issuer) => ({ ...ENTRY, issuer })));
		expect(await refused("https://login.example/a", "https://login.example/b", "https://other.example")).toBeUndefined();
		expect(await refused("https://login.example/a", "https://login.example/a")).toBeUndefined();
		expect(await refused("https://login.example/a/b", "https://login.example/a-b")).toBe(
			"entry 0: has the return address of another issuer",
		);
	});

	it("takes only complete entries with secure addresses, and outside local operators' issuers that are trusted", async () => {
		expect(await refusalOf(ENTRY)).toBeUndefined();
		expect(await refusalOf({ ...ENTRY, label: "" })).toContain("0.label");
		expect(await refusalOf({ ...ENTRY, kind: "phone" })).toContain("0.kind");
		expect(await refusalOf({ ...ENTRY, origins: ["https://login.example/path"] })).toContain("must be an origin");
		expect(await refusalOf({ ...ENTRY, issuer: "http://login.example" })).toBe("entry 0: issuer and origins must be HTTPS");
		expect(await refusalOf({ ...ENTRY, origins: ["http://login.example"] })).toBe("entry 0: issuer and origins must be HTTPS");
		const outside = { ENVIRONMENT: "sandbox", BASE_URL: "https://service.example", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on" };
		expect(await refusalOf({ ...ENTRY, kind: "operator" }, outside)).toBe("entry 0: is no issuer of operators in TRUSTED_ISSUERS");
		expect(await refusalOf(ENTRY, outside)).toBeUndefined();
	});
});
