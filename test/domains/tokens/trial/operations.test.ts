// Trying a token on a registered issuer, and the claims of accepted tokens that are not used.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { createIssuer, updateIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { tryIssuer } from "../../../../src/domains/tokens/trial/operations";
import { call, expectOk } from "../../../support/client";
import { operatorToken } from "../../../support/factories";
import { codeOf, exchangeSigned, givenJwks, givenKey, setOf, signed, type TestKey } from "../../../support/issuers";

const ISSUER = "https://login.example";
const KEYS = "https://login.example/keys";

let key: TestKey;
let as: string;
beforeEach(async () => {
	key = await givenKey("ES256");
	as = await operatorToken();
	givenJwks(KEYS, () => setOf(key));
});

const given = async (more: object = {}) =>
	expectOk(await call(createIssuer, { as, body: { issuer: ISSUER, kind: "partner", jwks_uri: KEYS, algorithms: ["ES256"], ...more } })).id;
const tried = async (id: string, claims: Record<string, unknown>, by = key) =>
	expectOk(await call(tryIssuer, { as, path: { id }, body: { token: await signed(by, { iss: ISSUER, ...claims }) } }));
type Tried = Awaited<ReturnType<typeof tried>>;
const failing = ({ rules }: Tried) => Object.fromEntries(rules.filter(({ passed }) => !passed).map(({ rule, set }) => [rule, set]));

describe("a token that is tried", () => {
	it("is accepted where it would be exchanged, with every rule that it passes", async () => {
		const { accepted, rules, claims } = await tried(await given(), {});
		expect({ accepted, claims }).toEqual({ accepted: true, claims: [] });
		expect(rules.map(({ rule }) => rule)).toEqual([
			"ISSUER_UNKNOWN",
			"ALGORITHM_NOT_ALLOWED",
			"SIGNATURE_INVALID",
			"EXPIRY_INVALID",
			"EXPIRED",
			"AUDIENCE_MISMATCH",
			"ISSUED_AT_INVALID",
			"LIFETIME_INVALID",
			"NOT_YET_VALID",
			"TOKEN_ID_INVALID",
			"SUBJECT_INVALID",
			"ISSUER_DISABLED",
		]);
		expect(rules.every(({ passed, set }) => passed && set === null)).toBe(true);
	});

	it("learns of all that fails at once, and is exchanged after all of it was set", async () => {
		const id = await given({ algorithms: ["RS256"], required_amr: ["mfa"], required_claims: { hd: ["acme.example"] } });
		const now = Math.floor(Date.now() / 1000);
		const claims = { aud: undefined, azp: "acme-app", iat: now, exp: now + 86_000, hd: ["other.example"] };
		const result = await tried(id, claims);
		expect(failing(result)).toEqual({
			ALGORITHM_NOT_ALLOWED: "algorithms with ES256",
			AUDIENCE_MISMATCH: "audience_claim to azp, and audience to acme-app",
			CLAIM_MISMATCH: expect.stringContaining("required_claims"),
			LIFETIME_INVALID: "max_lifetime_seconds to 86000",
			AUTHENTICATION_INSUFFICIENT: expect.stringContaining("required_amr"),
		});
		expect(result.rules.find(({ rule }) => rule === "LIFETIME_INVALID")).toMatchObject({
			expected: "more than 0 s, at most 3600 s",
			found: "86000 s",
		});
		const settings = {
			...{ algorithms: ["ES256" as const], audience_claim: "azp" as const, audience: "acme-app" },
			...{ max_lifetime_seconds: 86_400, required_amr: null, required_claims: null },
		};
		expectOk(await call(updateIssuer, { as, path: { id }, body: settings }));
		expect((await tried(id, claims)).accepted).toBe(true);
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER, ...claims }))).toBe(200);
	});

	it("is distinguished by issuer, key and audience", async () => {
		const id = await given();
		expect(failing(await tried(id, { iss: `${ISSUER}/` }))).toEqual({ ISSUER_UNKNOWN: expect.stringContaining(`Register ${ISSUER}/`) });
		const stranger = await givenKey("ES256");
		expect(failing(await tried(id, {}, stranger))).toEqual({ SIGNATURE_INVALID: expect.stringContaining("jwks_uri") });
		expect(failing(await tried(id, { aud: "account" }))).toEqual({ AUDIENCE_MISMATCH: expect.stringContaining("one of account") });
		expect(failing(await tried(id, { aud: undefined }))).toEqual({ AUDIENCE_MISMATCH: expect.stringContaining("put an aud") });
		const none = await call(tryIssuer, { as, path: { id }, body: { token: "opaque" } });
		expect(failing(expectOk(none))).toEqual({ NOT_A_JWT: null });
	});

	it("learns why keys cannot be had", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const id = await given({ jwks_uri: "https://login.example/gone" });
		const { rules } = await tried(id, {});
		expect(rules.find(({ rule }) => rule === "KEYS_UNAVAILABLE")).toMatchObject({ passed: false, found: expect.any(String) });
	});

	it("leaves nothing in the log, and is 404 for an issuer that is not registered", async () => {
		const logged = (["log", "info", "warn", "error"] as const).map((level) => vi.spyOn(console, level));
		const id = await given();
		await tried(id, { sub: "somebody-secret", email: "secret@acme.example", hd: "acme" });
		expect(JSON.stringify(logged.map(({ mock }) => mock.calls))).not.toMatch(/secret/);
		const path = { id: crypto.randomUUID() };
		expect(await call(tryIssuer, { as, path, body: { token: await signed(key, { iss: ISSUER }) } })).toMatchObject({ status: 404 });
	});
});

describe("a claim that is not used", () => {
	const claims = { email: "amina@acme.example", phone_number: "+254712000001", name: "\u202eAmina" };

	it("is said with its rule and what to set", async () => {
		const id = await given();
		expect((await tried(id, claims)).claims).toEqual([
			{ claim: "email", rule: expect.stringContaining("email_verified"), set: expect.stringContaining("emails_are_verified") },
			{ claim: "phone_number", rule: "may_assert_phone_numbers is not set", set: "may_assert_phone_numbers to true" },
		]);
		expectOk(await call(updateIssuer, { as, path: { id }, body: { may_assert_phone_numbers: true, emails_are_verified: true } }));
		expect((await tried(id, claims)).claims).toMatchObject([{ claim: "phone_number", rule: expect.stringContaining("_verified") }]);
		expect((await tried(id, { phone_number: "0712", email: "x" })).claims).toEqual([
			{ claim: "email", rule: "is no mail address", set: null },
			{ claim: "phone_number", rule: "is not in E.164 form", set: null },
		]);
	});

	it("is a line of the log at the exchange, with its rule and without its value", async () => {
		const logged = vi.spyOn(console, "log").mockImplementation(() => {});
		await given();
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER, ...claims }))).toBe(200);
		const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ message }) => /is ignored/.test(message));
		expect(lines.map(({ claim, issuer }) => [claim, issuer])).toEqual([
			["email", ISSUER],
			["phone_number", ISSUER],
			["name", ISSUER],
		]);
		expect(JSON.stringify(lines)).not.toMatch(/Amina|amina|2547/);
	});
});
