import { describe, expect, it } from "vitest";
import { judge, type Reason, readToken, type UnverifiedToken } from "../../../src/domains/tokens/token.policy";
import { toBase64Url, utf8 } from "../../../src/shared/bytes";

const NOW_S = 1_760_000_000;
const EXPECTED = { audience: "us", maxLifetimeSeconds: 900 };

const encode = (value: unknown) => toBase64Url(utf8(typeof value === "string" ? value : JSON.stringify(value)));
const jwt = (header: unknown, payload: unknown, signature = "c2ln") => `${encode(header)}.${encode(payload)}.${signature}`;

const HEADER = { alg: "RS256", kid: "k" };
const CLAIMS = { iss: "them", aud: "us", sub: "anna", iat: NOW_S, exp: NOW_S + 900 };

function reasonOf(text: string, expected = EXPECTED): Reason | "BELIEVED" {
	const token = readToken(text);
	if (!token.ok) return token.reason;
	const claims = judge(token, expected, NOW_S * 1000);
	return claims.ok ? "BELIEVED" : claims.reason;
}

describe("the form of a token", () => {
	it.each<[string, string, Reason]>([
		["is empty", "", "MALFORMED"],
		["has two parts", "e30.e30", "MALFORMED"],
		["has five parts", "e30.e30.e30.e30.e30", "MALFORMED"],
		["is not base64url", `${encode(HEADER)}.e+0=.c2ln`, "MALFORMED"],
		["has a part of invalid base64url length", `${encode(HEADER)}.eyJhI.c2ln`, "MALFORMED"],
		["is followed by a newline", `${jwt(HEADER, CLAIMS)}\n`, "MALFORMED"],
		["is larger than 8 KiB", jwt(HEADER, { ...CLAIMS, pad: "x".repeat(8192) }), "MALFORMED"],
		["does not contain JSON", jwt("{", CLAIMS), "MALFORMED"],
		["contains an array", jwt(HEADER, []), "MALFORMED"],
		["contains null", jwt(HEADER, null), "MALFORMED"],
		["has two issuers", jwt(HEADER, `{"iss":"them","iss":"us"}`), "MALFORMED"],
		["has two algorithms", jwt(`{"alg":"RS256","alg":"none"}`, CLAIMS), "MALFORMED"],
		["has two issuers, one of them escaped", jwt(HEADER, `{"iss":"them","\\u0069ss":"us"}`), "MALFORMED"],
		["has a member named __proto__", jwt(HEADER, `{"iss":"them","__proto__":{}}`), "MALFORMED"],
		["is not UTF-8", `${encode(HEADER)}.${toBase64Url(Uint8Array.of(0x7b, 0xff, 0x7d))}.c2ln`, "MALFORMED"],
		["is unsigned", jwt({ alg: "none" }, CLAIMS, ""), "ALGORITHM_REFUSED"],
		["is unsigned, with the algorithm in capitals", jwt({ alg: "NONE" }, CLAIMS), "ALGORITHM_REFUSED"],
		["is signed with a shared secret", jwt({ alg: "HS256", kid: "k" }, CLAIMS), "ALGORITHM_REFUSED"],
		["names no algorithm", jwt({ kid: "k" }, CLAIMS), "ALGORITHM_REFUSED"],
		["names several algorithms", jwt({ alg: ["RS256"] }, CLAIMS), "ALGORITHM_REFUSED"],
		["has a critical header extension", jwt({ ...HEADER, crit: ["b64"], b64: false }, CLAIMS), "ALGORITHM_REFUSED"],
		["has an empty list of critical extensions", jwt({ ...HEADER, crit: [] }, CLAIMS), "ALGORITHM_REFUSED"],
		["has a key id that is not a string", jwt({ ...HEADER, kid: 1 }, CLAIMS), "SIGNATURE_INVALID"],
		["names no issuer", jwt(HEADER, { ...CLAIMS, iss: undefined }), "ISSUER_MISSING"],
		["names an issuer that is not a string", jwt(HEADER, { ...CLAIMS, iss: ["them"] }), "ISSUER_MISSING"],
	])("is refused when it %s", (_, text, reason) => {
		expect(reasonOf(text)).toBe(reason);
	});
});

describe("the claims of an authentic token", () => {
	it.each<[string, Record<string, unknown>, Reason | "BELIEVED"]>([
		["are as expected", {}, "BELIEVED"],
		["name us and another audience", { aud: ["them", "us"] }, "BELIEVED"],
		["name another audience only", { aud: ["them"] }, "CLAIMS_INVALID"],
		["name a prefix of our audience", { aud: "u" }, "CLAIMS_INVALID"],
		["name no audience", { aud: undefined }, "CLAIMS_INVALID"],
		["expired 59 s ago", { iat: NOW_S - 600, exp: NOW_S - 59 }, "BELIEVED"],
		["expired 60 s ago", { iat: NOW_S - 600, exp: NOW_S - 60 }, "EXPIRED"],
		["expired long ago and name another audience", { exp: 1, aud: "x" }, "EXPIRED"],
		["have no exp", { exp: undefined }, "CLAIMS_INVALID"],
		["have a string as exp", { exp: String(NOW_S + 900) }, "CLAIMS_INVALID"],
		["have an exp in milliseconds", { exp: (NOW_S + 900) * 1000 }, "CLAIMS_INVALID"],
		["have a negative exp", { exp: -1 }, "CLAIMS_INVALID"],
		["have an exp beyond the safe integers", { exp: 1e308 }, "CLAIMS_INVALID"],
		["have no iat", { iat: undefined }, "CLAIMS_INVALID"],
		["have a string as iat", { iat: String(NOW_S) }, "CLAIMS_INVALID"],
		["have an iat 60 s ahead", { iat: NOW_S + 60 }, "BELIEVED"],
		["have an iat 61 s ahead", { iat: NOW_S + 61 }, "CLAIMS_INVALID"],
		["have an nbf 60 s ahead", { nbf: NOW_S + 60 }, "BELIEVED"],
		["have an nbf 61 s ahead", { nbf: NOW_S + 61 }, "CLAIMS_INVALID"],
		["have a string as nbf", { nbf: "0" }, "CLAIMS_INVALID"],
		["live longer than the issuer may allow", { exp: NOW_S + 901 }, "CLAIMS_INVALID"],
		["have an exp before the iat", { iat: NOW_S + 30, exp: NOW_S + 10 }, "CLAIMS_INVALID"],
		["have no sub", { sub: undefined }, "CLAIMS_INVALID"],
		["have a blank sub", { sub: "  " }, "CLAIMS_INVALID"],
		["have a number as sub", { sub: 7 }, "CLAIMS_INVALID"],
		["have a sub of 256 characters", { sub: "x".repeat(256) }, "CLAIMS_INVALID"],
		["have a jti that is not a string", { jti: 7 }, "CLAIMS_INVALID"],
	])("that %s are judged correctly", (_, claims, reason) => {
		expect(reasonOf(jwt(HEADER, { ...CLAIMS, ...claims }))).toBe(reason);
	});

	it("must meet the requirements of the issuer's record", () => {
		const judged = (header: unknown, claims: Record<string, unknown>, demands: Partial<Parameters<typeof judge>[1]>) =>
			judge(readToken(jwt(header, { ...CLAIMS, ...claims })) as UnverifiedToken, { ...EXPECTED, ...demands }, NOW_S * 1000).ok;
		expect(judged(HEADER, {}, { tokenIdRequired: true })).toBe(false);
		expect(judged(HEADER, { jti: "1" }, { tokenIdRequired: true })).toBe(true);
		expect(judged(HEADER, {}, { typ: "phone+jwt" })).toBe(false);
		expect(judged({ ...HEADER, typ: "phone+jwt" }, {}, { typ: "phone+jwt" })).toBe(true);
		expect(judged(HEADER, { token_kind: "operator" }, { members: { token_kind: "partner" } })).toBe(false);
	});
});
