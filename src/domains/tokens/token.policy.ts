// Whether a JWT of a trusted issuer is to be believed, as pure steps in the order in which their failures are told:
// form, algorithm, issuer, signature, expiry, claims. The signature itself is checked between `pinned` and `judge`.

import { fromBase64 } from "../../shared/bytes";
import { HostileJson, type Json, parseJson } from "../../shared/json";

/** Why a token is not believed. */
export type Reason =
	| "MALFORMED"
	| "ALGORITHM_REFUSED"
	| "ISSUER_MISSING"
	| "ISSUER_UNKNOWN"
	| "SIGNATURE_INVALID"
	| "EXPIRED"
	| "CLAIMS_INVALID"
	| "ISSUER_DISABLED";

export type Rejected = { ok: false; reason: Reason };
const rejected = (reason: Reason): Rejected => ({ ok: false, reason });

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

/** Reads a token without believing any of it. */
export function readToken(text: string): UnverifiedToken | Rejected {
	// Whatever passes is ASCII, so characters are bytes. An empty signature is left to the algorithm's check.
	if (text.length > MAX_TOKEN_BYTES || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return rejected("MALFORMED");
	const [header, payload] = text.split(".").slice(0, 2).map(decodePart);
	if (!header || !payload) return rejected("MALFORMED");
	const { alg, kid, crit } = header;
	// Extensions that must be understood are not; `jwk`, `jku` and `x5u` are never looked at: keys come from the registry.
	if (typeof alg !== "string" || !isAsymmetric(alg) || crit !== undefined) return rejected("ALGORITHM_REFUSED");
	if (kid !== undefined && typeof kid !== "string") return rejected("SIGNATURE_INVALID");
	if (typeof payload.iss !== "string" || payload.iss === "") return rejected("ISSUER_MISSING");
	return { ok: true, text, header, payload, algorithm: alg, kid, issuer: payload.iss };
}

/** With HS* the public key would be the secret, and `none` is no signature. */
const isAsymmetric = (alg: string): boolean => alg === "RS256" || alg === "ES256" || alg === "EdDSA";

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

export type Expectation = {
	audience: string;
	maxLifetimeSeconds: number;
	/** Members that the payload must hold with just these values. */
	members?: { readonly [name: string]: string };
	/** The header's `typ`, where one issuer makes tokens of several kinds. */
	typ?: string;
	/** Without a token id nobody can tell whether it was spent. */
	tokenIdRequired?: boolean;
};

/** Judges what an authentic token says. `realNow` in ms: issuers know nothing of the service's own clock. */
export function judge({ header, payload }: UnverifiedToken, expected: Expectation, realNow: number): ({ ok: true } & Claims) | Rejected {
	const nowS = realNow / 1000;
	const { exp, iat, nbf, aud, sub, jti } = payload;
	if (!isInstant(exp)) return rejected("CLAIMS_INVALID");
	if (exp + CLOCK_SKEW_S <= nowS) return rejected("EXPIRED");
	const lifetime = isInstant(iat) && iat <= nowS + CLOCK_SKEW_S ? exp - iat : Number.NaN;
	const valid =
		lifetime > 0 &&
		lifetime <= expected.maxLifetimeSeconds &&
		(nbf === undefined || (isInstant(nbf) && nbf <= nowS + CLOCK_SKEW_S)) &&
		(Array.isArray(aud) ? aud.includes(expected.audience) : aud === expected.audience) &&
		(jti === undefined ? !expected.tokenIdRequired : typeof jti === "string" && jti !== "" && jti.length <= MAX_SUBJECT) &&
		(expected.typ === undefined || header.typ === expected.typ) &&
		Object.entries(expected.members ?? {}).every(([name, value]) => payload[name] === value);
	if (!valid || typeof sub !== "string" || sub.trim() === "" || sub.length > MAX_SUBJECT) return rejected("CLAIMS_INVALID");
	return { ok: true, subject: sub, tokenId: typeof jti === "string" ? jti : undefined, expiresAtS: exp, all: payload };
}

/** A NumericDate: seconds as a JSON number; one in milliseconds is refused by its lifetime. */
const isInstant = (value: Json | undefined): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;
