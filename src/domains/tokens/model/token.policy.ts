// Whether a JWT of a trusted issuer is accepted, as pure steps in the order in which failures are reported: form,
// algorithm, issuer, signature, expiry, claims. The signature is checked between `readToken` and `judge`.

import { fromBase64 } from "../../../shared/bytes";
import { HostileJson, type Json, parseJson } from "../../../shared/json";
import { type Authentication, type Refused, refused, shown } from "./refusal.policy";

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
	// What passes the pattern is ASCII, so characters are bytes.
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
	/** The claim that is the audience, or holds it. */
	audienceClaim?: string | undefined;
	/** The texts of which each of these claims must be one, or hold one. */
	claims?: Readonly<Record<string, readonly string[]>> | undefined;
	maxLifetimeSeconds: number;
	/** Members of the payload that must have these values. */
	members?: { readonly [name: string]: string };
	/** The header's `typ`, where one issuer makes tokens of several kinds. */
	typ?: string;
	/** Without a token id nobody can tell whether the token was used before. */
	tokenIdRequired?: boolean;
	/** How long after its expiry a token is still accepted, because the issuer's clock may differ from ours. */
	expiryGraceSeconds?: number;
};

/** Judges the claims of an authentic token. `realNow` in ms: issuers know nothing of the service's own clock. */
export function judge(token: UnverifiedToken, expected: Expectation, realNow: number): ({ ok: true } & Claims) | Refused {
	const { payload } = token;
	const { exp, sub, jti } = payload;
	if (!isInstant(exp)) return refused("EXPIRY_INVALID", "exp in seconds", timeOf(exp));
	const nowS = realNow / 1000;
	const graceS = expected.expiryGraceSeconds ?? CLOCK_SKEW_S;
	if (exp + graceS <= nowS) return refused("EXPIRED", `exp after ${Math.floor(nowS - graceS)}`, timeOf(exp));
	const refusal = refusalOfUse(token, expected) ?? refusalOfLifetime(payload, exp, expected.maxLifetimeSeconds, nowS);
	if (refusal) return refusal;
	if (jti === undefined ? expected.tokenIdRequired : !isName(jti)) {
		return refused("TOKEN_ID_INVALID", `jti of 1 to ${MAX_SUBJECT} characters`, sizeOf(jti));
	}
	if (!isName(sub) || sub.trim() === "") return refused("SUBJECT_INVALID", `sub of 1 to ${MAX_SUBJECT} characters`, sizeOf(sub));
	return { ok: true, subject: sub, tokenId: typeof jti === "string" ? jti : undefined, expiresAtS: exp, all: payload };
}

/** Whether the person behind an accepted token authenticated as the issuer's record demands. */
export function refusalOfAuthentication({ payload }: UnverifiedToken, demanded: Authentication, realNow: number): Refused | undefined {
	const { amr, acr, auth_time } = payload;
	const { amr: methods = [], acr: classes, maxAgeSeconds } = demanded;
	const insufficient = (expected: string, found: Json | undefined): Refused => ({
		...refused("AUTHENTICATION_INSUFFICIENT", expected, shown(found)),
		stepUp: demanded,
	});
	if (methods.length > 0 && !methodsOf(amr).some((one) => methods.includes(one))) {
		return insufficient(`amr with one of ${methods.join(", ")}`, amr);
	}
	if (classes && !(typeof acr === "string" && classes.includes(acr))) return insufficient(`acr ${classes.join(" or ")}`, acr);
	if (maxAgeSeconds === undefined) return undefined;
	const age = isInstant(auth_time) ? realNow / 1000 - auth_time : Number.POSITIVE_INFINITY;
	const fresh = age >= -CLOCK_SKEW_S && age <= maxAgeSeconds + CLOCK_SKEW_S;
	return fresh ? undefined : insufficient(`auth_time of the last ${maxAgeSeconds} s`, auth_time);
}

/** How the person authenticated: texts (RFC 8176), or objects with a `method`, as some issuers have them. */
const methodsOf = (amr: Json | undefined): readonly string[] =>
	Array.isArray(amr)
		? textsOf(amr.map((one) => (one !== null && typeof one === "object" && !Array.isArray(one) ? (one.method ?? null) : one)))
		: [];

function refusalOfLifetime({ iat, nbf }: Members, exp: number, maxLifetimeSeconds: number, nowS: number): Refused | undefined {
	const latest = Math.floor(nowS + CLOCK_SKEW_S);
	if (!isInstant(iat) || iat > nowS + CLOCK_SKEW_S) return refused("ISSUED_AT_INVALID", `iat up to ${latest}`, timeOf(iat));
	const lifetime = exp - iat;
	if (lifetime <= 0 || lifetime > maxLifetimeSeconds) {
		return refused("LIFETIME_INVALID", `more than 0 s, at most ${maxLifetimeSeconds} s`, `${lifetime} s`);
	}
	if (nbf !== undefined && (!isInstant(nbf) || nbf > nowS + CLOCK_SKEW_S)) {
		return refused("NOT_YET_VALID", `nbf up to ${latest}`, timeOf(nbf));
	}
	return undefined;
}

/** What the token is for: its audience, its type and the members that the issuer's record demands. */
function refusalOfUse({ header, payload }: UnverifiedToken, expected: Expectation): Refused | undefined {
	const { audience, audienceClaim = "aud", typ, members = {}, claims = {} } = expected;
	const named = payload[audienceClaim];
	if (!textsOf(named).includes(audience)) {
		return refused("AUDIENCE_MISMATCH", audienceClaim === "aud" ? audience : `${audienceClaim} ${audience}`, shown(named));
	}
	if (typ !== undefined && header.typ !== typ) return refused("TYPE_MISMATCH", typ, shown(header.typ));
	for (const [name, value] of Object.entries(members)) {
		if (payload[name] !== value) return refused("MEMBER_MISMATCH", `${name} ${value}`, `${name} ${shown(payload[name])}`);
	}
	for (const [name, values] of Object.entries(claims)) {
		const found = Object.hasOwn(payload, name) ? payload[name] : undefined;
		const texts = typeof found === "boolean" ? [String(found)] : textsOf(found);
		// What was found stays out of the log: a claim may be about the person.
		if (!texts.some((text) => values.includes(text)))
			return refused("CLAIM_MISMATCH", `${name} with one of ${values.join(", ")}`, shown(found, "KIND"));
	}
	return undefined;
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
