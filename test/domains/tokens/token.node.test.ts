// The form and the claims of tokens, as pure rules.

import { describe, expect, it } from "vitest";
import type { Reason } from "../../../src/domains/tokens/model/refusal.policy";
import { judge, readToken, type UnverifiedToken } from "../../../src/domains/tokens/model/token.policy";
import { toBase64Url, utf8 } from "../../../src/shared/bytes";

const NOW_S = 1_760_000_000;
const EXPECTED = { audience: "us", maxLifetimeSeconds: 900 };

const encode = (value: unknown) => toBase64Url(utf8(typeof value === "string" ? value : JSON.stringify(value)));
const jwt = (header: unknown, payload: unknown, signature = "c2ln") => `${encode(header)}.${encode(payload)}.${signature}`;

const HEADER = { alg: "RS256", kid: "k" };
const CLAIMS = { iss: "them", aud: "us", sub: "anna", iat: NOW_S, exp: NOW_S + 900 };

function reasonOf(text: string, expected = EXPECTED): Reason | "ACCEPTED" {
	const token = readToken(text);
	if (!token.ok) return token.reason;
	const claims = judge(token, expected, NOW_S * 1000);
	return claims.ok ? "ACCEPTED" : claims.reason;
}

describe("the form of a token", () => {
	it.each<[string, string, Reason]>([
		["is empty", "", "NOT_A_JWT"],
		["has two parts", "e30.e30", "NOT_A_JWT"],
		["has five parts", "e30.e30.e30.e30.e30", "NOT_A_JWT"],
		["is not base64url", `${encode(HEADER)}.e+0=.c2ln`, "NOT_A_JWT"],
		["has a part of impossible length", `${encode(HEADER)}.eyJhI.c2ln`, "PAYLOAD_UNREADABLE"],
		["is followed by a newline", `${jwt(HEADER, CLAIMS)}\n`, "NOT_A_JWT"],
		["is larger than 8 KiB", jwt(HEADER, { ...CLAIMS, pad: "x".repeat(8192) }), "TOO_LARGE"],
		["does not contain JSON", jwt("{", CLAIMS), "HEADER_UNREADABLE"],
		["contains an array", jwt(HEADER, []), "PAYLOAD_UNREADABLE"],
		["contains null", jwt(HEADER, null), "PAYLOAD_UNREADABLE"],
		["has two issuers", jwt(HEADER, `{"iss":"them","iss":"us"}`), "PAYLOAD_UNREADABLE"],
		["has two algorithms", jwt(`{"alg":"RS256","alg":"none"}`, CLAIMS), "HEADER_UNREADABLE"],
		["hides a member behind an escape", jwt(HEADER, `{"iss":"them","\\u0069ss":"us"}`), "PAYLOAD_UNREADABLE"],
		["has a __proto__", jwt(HEADER, `{"iss":"them","__proto__":{}}`), "PAYLOAD_UNREADABLE"],
		["is not UTF-8", `${encode(HEADER)}.${toBase64Url(Uint8Array.of(0x7b, 0xff, 0x7d))}.c2ln`, "PAYLOAD_UNREADABLE"],
		["is unsigned", jwt({ alg: "none" }, CLAIMS, ""), "ALGORITHM_UNSUPPORTED"],
		["is unsigned in capitals", jwt({ alg: "NONE" }, CLAIMS), "ALGORITHM_UNSUPPORTED"],
		["is signed with a shared secret", jwt({ alg: "HS256", kid: "k" }, CLAIMS), "ALGORITHM_UNSUPPORTED"],
		["names no algorithm", jwt({ kid: "k" }, CLAIMS), "ALGORITHM_UNSUPPORTED"],
		["names several algorithms", jwt({ alg: ["RS256"] }, CLAIMS), "ALGORITHM_UNSUPPORTED"],
		["names a critical header extension", jwt({ ...HEADER, crit: ["b64"], b64: false }, CLAIMS), "EXTENSION_UNSUPPORTED"],
		["has an empty list of critical extensions", jwt({ ...HEADER, crit: [] }, CLAIMS), "EXTENSION_UNSUPPORTED"],
		["has a key id that is not a string", jwt({ ...HEADER, kid: 1 }, CLAIMS), "KEY_ID_MALFORMED"],
		["names no issuer", jwt(HEADER, { ...CLAIMS, iss: undefined }), "ISSUER_MISSING"],
		["names an issuer that is not a string", jwt(HEADER, { ...CLAIMS, iss: ["them"] }), "ISSUER_MISSING"],
	])("is refused when it %s", (_, text, reason) => {
		expect(reasonOf(text)).toBe(reason);
	});
});

describe("the claims of an authentic token", () => {
	it.each<[string, Record<string, unknown>, Reason | "ACCEPTED"]>([
		["are as expected", {}, "ACCEPTED"],
		["name our audience among others", { aud: ["them", "us"] }, "ACCEPTED"],
		["name only other audiences", { aud: ["them"] }, "AUDIENCE_MISMATCH"],
		["name a part of our audience", { aud: "u" }, "AUDIENCE_MISMATCH"],
		["name no audience", { aud: undefined }, "AUDIENCE_MISMATCH"],
		["expired 59 s ago", { iat: NOW_S - 600, exp: NOW_S - 59 }, "ACCEPTED"],
		["expired 60 s ago", { iat: NOW_S - 600, exp: NOW_S - 60 }, "EXPIRED"],
		["expired long ago and name another audience", { exp: 1, aud: "x" }, "EXPIRED"],
		["have no expiry", { exp: undefined }, "EXPIRY_INVALID"],
		["have a string as expiry", { exp: String(NOW_S + 900) }, "EXPIRY_INVALID"],
		["have an expiry in milliseconds", { exp: (NOW_S + 900) * 1000 }, "LIFETIME_INVALID"],
		["have a negative expiry", { exp: -1 }, "EXPIRY_INVALID"],
		["have an enormous expiry", { exp: 1e308 }, "LIFETIME_INVALID"],
		["have no time of issue", { iat: undefined }, "ISSUED_AT_INVALID"],
		["have a string as time of issue", { iat: String(NOW_S) }, "ISSUED_AT_INVALID"],
		["are issued 60 s from now", { iat: NOW_S + 60 }, "ACCEPTED"],
		["are issued 61 s from now", { iat: NOW_S + 61 }, "ISSUED_AT_INVALID"],
		["are valid from 60 s from now", { nbf: NOW_S + 60 }, "ACCEPTED"],
		["are valid from 61 s from now", { nbf: NOW_S + 61 }, "NOT_YET_VALID"],
		["have a string as start of validity", { nbf: "0" }, "NOT_YET_VALID"],
		["are valid for longer than the issuer may grant", { exp: NOW_S + 901 }, "LIFETIME_INVALID"],
		["expire before they are issued", { iat: NOW_S + 30, exp: NOW_S + 10 }, "LIFETIME_INVALID"],
		["have no subject", { sub: undefined }, "SUBJECT_INVALID"],
		["have a blank subject", { sub: "  " }, "SUBJECT_INVALID"],
		["have a number as subject", { sub: 7 }, "SUBJECT_INVALID"],
		["have a very long subject", { sub: "x".repeat(256) }, "SUBJECT_INVALID"],
		["have a token id that is not a string", { jti: 7 }, "TOKEN_ID_INVALID"],
	])("are judged when they %s", (_, claims, reason) => {
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

describe("a refusal", () => {
	const refusalOf = (header: unknown, claims: Record<string, unknown>, demands: Partial<Parameters<typeof judge>[1]> = {}) => {
		const token = readToken(jwt(header, { ...CLAIMS, ...claims }));
		return token.ok ? judge(token, { ...EXPECTED, ...demands }, NOW_S * 1000) : token;
	};

	it.each<[Reason, string, string, Parameters<typeof refusalOf>]>([
		["TOO_LARGE", "at most 8192 characters", "12148 characters", [HEADER, { pad: "x".repeat(9000) }]],
		["ALGORITHM_UNSUPPORTED", "RS256, PS256, ES256, EdDSA", "HS256", [{ alg: "HS256" }, {}]],
		["EXTENSION_UNSUPPORTED", "no crit", "crit", [{ ...HEADER, crit: ["b64"] }, {}]],
		["KEY_ID_MALFORMED", "a string", "7", [{ ...HEADER, kid: 7 }, {}]],
		["ISSUER_MISSING", "a string", "nothing", [HEADER, { iss: undefined }]],
		["EXPIRY_INVALID", "exp in seconds", "a string", [HEADER, { exp: "soon" }]],
		["EXPIRED", `exp after ${NOW_S - 60}`, String(NOW_S - 60), [HEADER, { exp: NOW_S - 60 }]],
		["EXPIRED", `exp after ${NOW_S}`, String(NOW_S), [HEADER, { exp: NOW_S }, { expiryGraceSeconds: 0 }]],
		["ISSUED_AT_INVALID", `iat up to ${NOW_S + 60}`, String(NOW_S + 61), [HEADER, { iat: NOW_S + 61 }]],
		["LIFETIME_INVALID", "more than 0 s, at most 900 s", "901 s", [HEADER, { exp: NOW_S + 901 }]],
		["NOT_YET_VALID", `nbf up to ${NOW_S + 60}`, String(NOW_S + 61), [HEADER, { nbf: NOW_S + 61 }]],
		["AUDIENCE_MISMATCH", "us", "them, others", [HEADER, { aud: ["them", "others"] }]],
		["TYPE_MISMATCH", "phone+jwt", "JWT", [{ ...HEADER, typ: "JWT" }, {}, { typ: "phone+jwt" }]],
		[
			"MEMBER_MISMATCH",
			"token_kind phone",
			"token_kind partner",
			[HEADER, { token_kind: "partner" }, { members: { token_kind: "phone" } }],
		],
		["TOKEN_ID_INVALID", "jti of 1 to 255 characters", "nothing", [HEADER, {}, { tokenIdRequired: true }]],
		["TOKEN_ID_INVALID", "jti of 1 to 255 characters", "256 characters", [HEADER, { jti: "x".repeat(256) }]],
		["SUBJECT_INVALID", "sub of 1 to 255 characters", "a number", [HEADER, { sub: 254712345678 }]],
		["SUBJECT_INVALID", "sub of 1 to 255 characters", "300 characters", [HEADER, { sub: "x".repeat(300) }]],
	])("%s says that %s was expected and %s was found", (reason, expected, found, given) => {
		expect(refusalOf(...given)).toEqual({ ok: false, reason, expected, found });
	});

	it("shows at most 100 characters of the token's content", () => {
		expect(refusalOf(HEADER, { aud: "x".repeat(5_000) })).toMatchObject({ found: "x".repeat(100) });
	});
});
