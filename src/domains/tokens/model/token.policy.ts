// Whether a JWT of a trusted issuer is accepted, as pure steps in the order in which failures are reported: form,
// algorithm, issuer, signature, expiry, claims. The signature is checked between `readToken` and `judge`.

import { fromBase64 } from "../../../shared/bytes";
import { HostileJson, type Json, parseJson } from "../../../shared/json";
import { type Authentication, type Reason, type Refused, refused, shown } from "./refusal.policy";

type Members = { readonly [name: string]: Json };
export type UnverifiedToken = {
	ok: true;
	text: string;
	header: Members;
	payload: Members;
	algorithm: string;
	kid: string | undefined;
	issuer: string;
};

export type Claims = { subject: string; tokenId: string | undefined; expiresAtS: number; all: Members };

const MAX_TOKEN_BYTES = 8 * 1024;
const CLOCK_SKEW_S = 60;
const MAX_SUBJECT = 255;
const ALGORITHMS: readonly string[] = ["RS256", "PS256", "ES256", "EdDSA"];

/** Reads a token without trusting any of it. */
export function readToken(text: string): UnverifiedToken | Refused {
	// A text that passes the pattern is ASCII, so characters are bytes.
	if (text.length > MAX_TOKEN_BYTES) return refused("TOO_LARGE", `at most ${MAX_TOKEN_BYTES} characters`, `${text.length} characters`);
	// An empty signature passes here: the check of the algorithm refuses it with the right reason.
	if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return refused("NOT_A_JWT", "three parts of base64url", `${text.split(".").length} parts`);
	const [header, payload] = text.split(".").slice(0, 2).map(decodePart);
	if (!header) return refused("HEADER_UNREADABLE", "base64url of a JSON object", "something else");
	if (!payload) return refused("PAYLOAD_UNREADABLE", "base64url of a JSON object", "something else");
	const { alg, kid, crit } = header;
	// With HS* the public key would be the secret, and `none` is no signature.
	if (typeof alg !== "string" || !ALGORITHMS.includes(alg)) return refused("ALGORITHM_UNSUPPORTED", ALGORITHMS.join(", "), shown(alg));
	// `jwk`, `jku` and `x5u` are never looked at: keys come from the registry alone.
	if (crit !== undefined) return refused("EXTENSION_UNSUPPORTED", "no crit", "crit");
	if (kid !== undefined && typeof kid !== "string") return refused("KEY_ID_MALFORMED", "a string", shown(kid));
	if (typeof payload.iss !== "string" || payload.iss === "") return refused("ISSUER_MISSING", "a string", shown(payload.iss));
	return { ok: true, text, header, payload, algorithm: alg, kid, issuer: payload.iss };
}

function decodePart(part: string): Members | undefined {
	const bytes = fromBase64(part);
	if (!bytes) return undefined;
	try {
		const value = parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
		return value !== null && typeof value === "object" && !Array.isArray(value) ? value : undefined;
	} catch (error) {
		if (error instanceof HostileJson || error instanceof TypeError) return undefined;
		throw error;
	}
}

/** What the log may say about where a token comes from. */
export const originOf = ({ issuer, algorithm, kid }: UnverifiedToken): NonNullable<Refused["origin"]> => ({
	issuer: shown(issuer),
	alg: algorithm,
	kid: shown(kid),
});

export type Expectation = {
	audience: string;
	/** Any of these will do as well. */
	otherAudiences?: readonly string[] | undefined;
	/** The claim that is the audience, or holds it. */
	audienceClaim?: string | undefined;
	/** The texts of which each of these claims must be one, or hold one. */
	claims?: Readonly<Record<string, readonly string[]>> | undefined;
	maxLifetimeSeconds: number;
	/** Members of the payload that must have these values. */
	members?: { readonly [name: string]: string };
	/** The header's `typ`, where one issuer makes tokens of several kinds. */
	typ?: string;
	/** Without a token id nobody can know whether the token was used before. */
	tokenIdRequired?: boolean;
	/** How long after its expiry a token is still accepted, because the issuer's clock may differ from ours. */
	expiryGraceSeconds?: number;
};

/** A rule on a token. The expected and the found value are said where somebody wants to know. */
export type Check = { readonly reason: Reason; readonly holds: boolean; readonly says: () => readonly [expected: string, found: string] };

const check = (reason: Reason, holds: boolean, says: Check["says"]): Check => ({ reason, holds, says });

/** Judges the claims of an authentic token. `realNow` in ms: issuers know nothing of the service's own clock. */
export function judge(token: UnverifiedToken, expected: Expectation, realNow: number): ({ ok: true } & Claims) | Refused {
	for (const { holds, reason, says } of checksOf(token, expected, realNow)) if (!holds) return refused(reason, ...says());
	const { exp, sub, jti } = token.payload;
	return {
		ok: true,
		subject: String(sub),
		tokenId: typeof jti === "string" ? jti : undefined,
		expiresAtS: Number(exp),
		all: token.payload,
	};
}

/** The rules on the claims of an authentic token, in the order in which failures are reported. */
export function* checksOf(token: UnverifiedToken, expected: Expectation, realNow: number): Generator<Check> {
	const { exp, iat, nbf, sub, jti } = token.payload;
	const nowS = realNow / 1000;
	const graceS = expected.expiryGraceSeconds ?? CLOCK_SKEW_S;
	yield check("EXPIRY_INVALID", isInstant(exp), () => ["exp in seconds", timeOf(exp)]);
	if (isInstant(exp)) yield check("EXPIRED", exp + graceS > nowS, () => [`exp after ${Math.floor(nowS - graceS)}`, timeOf(exp)]);
	yield* checksOfUse(token, expected);
	const latest = nowS + CLOCK_SKEW_S;
	yield check("ISSUED_AT_INVALID", isInstant(iat) && iat <= latest, () => [`iat up to ${Math.floor(latest)}`, timeOf(iat)]);
	if (isInstant(iat) && isInstant(exp)) {
		const lifetime = exp - iat;
		const { maxLifetimeSeconds: most } = expected;
		yield check("LIFETIME_INVALID", lifetime > 0 && lifetime <= most, () => [`more than 0 s, at most ${most} s`, `${lifetime} s`]);
	}
	const hasBegun = nbf === undefined || (isInstant(nbf) && nbf <= latest);
	yield check("NOT_YET_VALID", hasBegun, () => [`nbf up to ${Math.floor(latest)}`, timeOf(nbf)]);
	const isIdentified = jti === undefined ? !expected.tokenIdRequired : isName(jti);
	yield check("TOKEN_ID_INVALID", isIdentified, () => [`jti of 1 to ${MAX_SUBJECT} characters`, sizeOf(jti)]);
	yield check("SUBJECT_INVALID", isName(sub) && sub.trim() !== "", () => [`sub of 1 to ${MAX_SUBJECT} characters`, sizeOf(sub)]);
}

/** Whether the person behind an accepted token authenticated as the issuer's record demands. */
export function refusalOfAuthentication(token: UnverifiedToken, demanded: Authentication, realNow: number): Refused | undefined {
	for (const { holds, reason, says } of checksOfAuthentication(token, demanded, realNow))
		if (!holds) return { ...refused(reason, ...says()), stepUp: demanded };
	return undefined;
}

export function* checksOfAuthentication({ payload }: UnverifiedToken, demanded: Authentication, realNow: number): Generator<Check> {
	const { amr, acr, auth_time } = payload;
	const { amr: methods = [], acr: classes, maxAgeSeconds } = demanded;
	const authenticated = (holds: boolean, expected: string, found: Json | undefined) =>
		check("AUTHENTICATION_INSUFFICIENT", holds, () => [expected, shown(found)]);
	if (methods.length > 0)
		yield authenticated(
			methodsOf(amr).some((one) => methods.includes(one)),
			`amr with one of ${methods.join(", ")}`,
			amr,
		);
	if (classes) yield authenticated(typeof acr === "string" && classes.includes(acr), `acr ${classes.join(" or ")}`, acr);
	if (maxAgeSeconds === undefined) return;
	const age = isInstant(auth_time) ? realNow / 1000 - auth_time : Number.POSITIVE_INFINITY;
	yield authenticated(age >= -CLOCK_SKEW_S && age <= maxAgeSeconds + CLOCK_SKEW_S, `auth_time of the last ${maxAgeSeconds} s`, auth_time);
}

/** How the person authenticated: texts (RFC 8176), or objects with a `method`, as some issuers have them. */
const methodsOf = (amr: Json | undefined): readonly string[] =>
	Array.isArray(amr)
		? textsOf(amr.map((one) => (one !== null && typeof one === "object" && !Array.isArray(one) ? (one.method ?? null) : one)))
		: [];

/** What the token is for: its audience, its type and the members that the issuer's record demands. */
function* checksOfUse({ header, payload }: UnverifiedToken, expected: Expectation): Generator<Check> {
	const { audience, otherAudiences = [], audienceClaim = "aud", typ, members = {}, claims = {} } = expected;
	const audiences = [audience, ...otherAudiences];
	const named = payload[audienceClaim];
	yield check(
		"AUDIENCE_MISMATCH",
		textsOf(named).some((one) => audiences.includes(one)),
		() => [`${audienceClaim === "aud" ? "" : `${audienceClaim} `}${audiences.join(" or ")}`, shown(named)],
	);
	if (typ !== undefined) yield check("TYPE_MISMATCH", header.typ === typ, () => [typ, shown(header.typ)]);
	for (const [name, value] of Object.entries(members))
		yield check("MEMBER_MISMATCH", payload[name] === value, () => [`${name} ${value}`, `${name} ${shown(payload[name])}`]);
	for (const [name, values] of Object.entries(claims)) {
		const found = Object.hasOwn(payload, name) ? payload[name] : undefined;
		const texts = typeof found === "boolean" ? [String(found)] : textsOf(found);
		// The found value stays out of the log: a claim may be about the person.
		const says = () => [`${name} with one of ${values.join(", ")}`, shown(found, "KIND")] as const;
		yield check(
			"CLAIM_MISMATCH",
			texts.some((text) => values.includes(text)),
			says,
		);
	}
}

/** The texts of a claim that is one text or a list of them. */
const textsOf = (claim: Json | undefined): readonly string[] =>
	(Array.isArray(claim) ? claim : [claim]).filter((one): one is string => typeof one === "string");

/** A NumericDate: seconds as a JSON number. One in milliseconds is refused by its lifetime. */
const isInstant = (value: Json | undefined): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

const isName = (value: Json | undefined): value is string => typeof value === "string" && value !== "" && value.length <= MAX_SUBJECT;

/** Only the size: subjects and token ids stay out of the log. */
const sizeOf = (value: Json | undefined): string =>
	typeof value === "string" ? `${value.trim().length} characters` : shown(value, "KIND");

const timeOf = (value: Json | undefined): string => shown(value, typeof value === "number" ? "VALUE" : "KIND");
