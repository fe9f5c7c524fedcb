// What the log says of refused tokens, and what it never says.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { createIssuer, listIssuers, updateIssuer } from "../../../src/domains/tokens/issuers/operations";
import type { Reason } from "../../../src/domains/tokens/model/refusal.policy";
import { createSandboxToken } from "../../../src/domains/tokens/sandbox/operations";
import { signIn } from "../../../src/domains/tokens/sign-in.operations";
import { call, expectOk } from "../../support/client";
import { accessToken, givenUser, operatorToken } from "../../support/factories";
import { givenKey, signed, type TestKey } from "../../support/issuers";
import { badTokens } from "../../support/tokens";

const ISSUER = "https://issuer.example";
const NUMBER = "+254712345678";

let key: TestKey;
let lines: string[];

beforeEach(async () => {
	key = await givenKey("ES256");
	lines = [];
	const keep = (line: unknown) => void lines.push(String(line));
	vi.spyOn(console, "log").mockImplementation(keep);
	vi.spyOn(console, "error").mockImplementation(keep);
});

type Line = { message: string; use: string; reason: Reason; expected: string; found: string; issuer?: string };
const refusals = () => lines.map((line) => JSON.parse(line) as Line).filter(({ message }) => message === "token refused");

/** No line contains the token, its payload, its signature or its subject. */
function expectNothingLeaked(token: string, subject = NUMBER): void {
	const [, payload = "", signature = ""] = token.split(".");
	const log = lines.join("\n");
	for (const secret of [token, payload, signature, subject].filter((part) => part.length > 3)) expect(log).not.toContain(secret);
	expect(log).not.toMatch(/254712345678/);
}

const register = async (settings: Record<string, unknown> = {}) =>
	expectOk(
		await call(createIssuer, {
			as: await operatorToken(),
			body: { issuer: ISSUER, kind: "partner", algorithms: ["ES256"], jwks: { keys: [key.jwk as never] }, ...settings },
		}),
	);
const token = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
	signed(key, { iss: ISSUER, sub: NUMBER, phone_number: NUMBER, ...claims }, header);
const exchange = (partner_token: string) => call(exchangePartnerToken, { body: { partner_token } });
const seconds = () => Math.floor(Date.now() / 1000);

describe("the log of refused tokens", () => {
	it.each<[Reason, string, () => Promise<string>]>([
		["TOO_LARGE", "MALFORMED_TOKEN", async () => token({ pad: "x".repeat(9_000) })],
		["NOT_A_JWT", "MALFORMED_TOKEN", async () => `${await token()}.more`],
		["HEADER_UNREADABLE", "MALFORMED_TOKEN", async () => `x${await token()}`],
		["PAYLOAD_UNREADABLE", "MALFORMED_TOKEN", async () => (await token()).replace(".", ".x")],
		["ALGORITHM_UNSUPPORTED", "INVALID_TOKEN", async () => withHeader(await token(), { alg: "HS256" })],
		["EXTENSION_UNSUPPORTED", "INVALID_TOKEN", async () => withHeader(await token(), { alg: "ES256", crit: ["b64"] })],
		["KEY_ID_MALFORMED", "INVALID_TOKEN_SIGNATURE", async () => withHeader(await token(), { alg: "ES256", kid: 7 })],
		["ISSUER_MISSING", "INVALID_TOKEN_CLAIMS", () => token({ iss: undefined })],
		["ISSUER_UNKNOWN", "UNKNOWN_TOKEN_ISSUER", () => token({ iss: "https://nobody.example" })],
		["ALGORITHM_NOT_ALLOWED", "INVALID_TOKEN", async () => signed(await givenKey("EdDSA"), { iss: ISSUER, sub: NUMBER })],
		["KEY_UNKNOWN", "INVALID_TOKEN_SIGNATURE", () => token({}, { kid: "other" })],
		["SIGNATURE_INVALID", "INVALID_TOKEN_SIGNATURE", async () => signed(await givenKey("ES256"), { iss: ISSUER, sub: NUMBER })],
		["EXPIRY_INVALID", "INVALID_TOKEN_CLAIMS", () => token({ exp: undefined })],
		["EXPIRED", "TOKEN_EXPIRED", () => token({ iat: seconds() - 600, exp: seconds() - 61 })],
		["ISSUED_AT_INVALID", "INVALID_TOKEN_CLAIMS", () => token({ iat: seconds() + 120 })],
		["LIFETIME_INVALID", "INVALID_TOKEN_CLAIMS", () => token({ exp: seconds() + 4_000 })],
		["NOT_YET_VALID", "INVALID_TOKEN_CLAIMS", () => token({ nbf: seconds() + 120 })],
		["AUDIENCE_MISMATCH", "INVALID_TOKEN_CLAIMS", () => token({ aud: "another-service" })],
		["TOKEN_ID_INVALID", "INVALID_TOKEN_CLAIMS", () => token({ jti: "" })],
		["SUBJECT_INVALID", "INVALID_TOKEN_CLAIMS", () => token({ sub: NUMBER.repeat(20) })],
	])("has one line with %s where the caller sees %s", async (reason, code, make) => {
		await register();
		const refusedToken = await make();
		expect(await exchange(refusedToken)).toMatchObject({ ok: false, body: { code } });
		expect(refusals()).toEqual([
			expect.objectContaining({ use: "partner", reason, expected: expect.stringMatching(/./), found: expect.stringMatching(/./) }),
		]);
		expectNothingLeaked(refusedToken);
	});

	it("names the issuer, the algorithm and the key id of a token that could be read", async () => {
		await register();
		await exchange(await token({ aud: "another-service" }));
		expect(refusals()).toMatchObject([
			{ issuer: ISSUER, alg: "ES256", kid: "k1", expected: "financial-account-service", found: "another-service" },
		]);
	});

	it("has one line for a disabled issuer and for a second use", async () => {
		const { id } = await register({ single_use: true });
		const once = await token({ jti: "t1" });
		expect((await exchange(once)).status).toBe(200);
		expect(await exchange(once)).toMatchObject({ status: 401, body: { code: "INVALID_TOKEN" } });
		await call(updateIssuer, { as: await operatorToken(), path: { id }, body: { disabled: true } });
		expect(await exchange(once)).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		expect(refusals().map(({ reason }) => reason)).toEqual(["ALREADY_USED", "ISSUER_DISABLED"]);
		expectNothingLeaked(once);
	});

	it("has one line for a sandbox token of another kind or another organization", async () => {
		const sandbox = async (body: { kind: "operator" | "partner"; organization?: string }) =>
			expectOk(await call(createSandboxToken, { body: { subject: NUMBER, ...body } })).token;
		await exchange(await sandbox({ kind: "operator" }));
		await exchange(await sandbox({ kind: "partner", organization: "No Slug" }));
		expect(refusals()).toMatchObject([
			{ reason: "MEMBER_MISMATCH", expected: "token_kind partner", found: "token_kind operator" },
			{ reason: "ORGANIZATION_INVALID", found: "No Slug" },
		]);
	});

	it("has one line for each refused phone token, without the number", async () => {
		await register({ kind: "phone", single_use: true });
		const phone = (phone_verification_token: string) => call(exchangePhoneToken, { body: { phone_verification_token } });
		const tokens = [
			await token({ jti: "1", sub: NUMBER.slice(1) }),
			await token({ jti: "2", exp: 1 }),
			await token({ jti: "3", aud: "another-service" }),
			await token({ iss: "https://nobody.example" }),
		];
		for (const one of tokens) expect(await phone(one)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		const once = await token({ jti: "4" });
		expect((await phone(once)).status).toBe(200);
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
		expect((await phone(once)).status).toBe(400);
		expect(refusals().map(({ use, reason }) => `${use} ${reason}`)).toEqual([
			"phone SUBJECT_INVALID",
			"phone EXPIRED",
			"phone AUDIENCE_MISMATCH",
			"phone ISSUER_UNKNOWN",
			"phone ALREADY_USED",
		]);
		for (const one of [...tokens, once]) expectNothingLeaked(one);
	});

	it("has one line for each refused custom token", async () => {
		for (const custom_token of ["nonsense", await accessToken(crypto.randomUUID())]) await call(signIn, { body: { custom_token } });
		expect(refusals().map(({ use, reason }) => `${use} ${reason}`)).toEqual(["custom NOT_A_JWT", "custom AUDIENCE_MISMATCH"]);
	});

	it("has one line for each refused bearer token", async () => {
		const { id } = await givenUser();
		for (const [wrong, as] of Object.entries(await badTokens(id))) {
			lines.length = 0;
			expect(await call(listIssuers, { as, query: {} }), wrong).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
			expect(refusals(), wrong).toHaveLength(1);
			expect(refusals()[0], wrong).toMatchObject({ use: "bearer" });
			expectNothingLeaked(as, id);
		}
	});

	it("has none for a bearer token whose issuer's keys cannot be fetched: that is 503, and the log says why", async () => {
		await register({ kind: "operator", jwks: undefined, jwks_uri: "https://issuer.example/keys" });
		const as = await token();
		expect(await call(listIssuers, { as, query: {} })).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
		expect(refusals()).toEqual([]);
		expect(lines.join("\n")).toContain("the keys of an issuer cannot be fetched");
		expectNothingLeaked(as);
	});
});

function withHeader(text: string, header: object): string {
	const [, payload, signature] = text.split(".");
	return `${btoa(JSON.stringify(header)).replaceAll("=", "")}.${payload}.${signature}`;
}
