// The service's own tokens: RS256 JWTs. One kind never passes for another, because each has its own `typ` and `aud`.

import { CompactSign, compactVerify, decodeProtectedHeader, importJWK, type JWTPayload, SignJWT } from "jose";
import type { Config, ServiceKey } from "../../../runtime/config";
import { utf8 } from "../../../shared/bytes";
import { MINUTE_MS } from "../../../shared/time";
import { type Refused, refused, shown } from "./refusal.policy";
import { refusalOfSignature } from "./signature.crypto";
import { type Claims, judge, originOf, readToken, type UnverifiedToken } from "./token.policy";

export const AUDIENCE = "financial-account-service";
export const ACCESS_TOKEN_SECONDS = 900;
export const ID_TOKEN_SECONDS = 900;
export const CUSTOM_TOKEN_SECONDS = 300;
export const PHONE_TOKEN_SECONDS = 300;
/** How long each step of a sign-in gives its answer again: as long as a client sends it, its waits included. */
export const SIGN_IN_AGAIN_MS = MINUTE_MS;

/** Proves that somebody holds a phone. The phone exchange accepts it like the token of any other phone issuer. */
export const PHONE_TOKEN = { typ: "phone+jwt", aud: "financial-account-phone-exchange" } as const;

export const ID_TOKEN_TYPE = "id+jwt";

const KINDS = {
	access: { typ: "at+jwt", aud: AUDIENCE, maxLifetimeSeconds: ACCESS_TOKEN_SECONDS },
	id: { typ: ID_TOKEN_TYPE, aud: "financial-account-client", maxLifetimeSeconds: ID_TOKEN_SECONDS },
	custom: { typ: "custom+jwt", aud: "financial-account-sign-in", maxLifetimeSeconds: CUSTOM_TOKEN_SECONDS },
	phone: { ...PHONE_TOKEN, maxLifetimeSeconds: PHONE_TOKEN_SECONDS },
} as const;
export type TokenKind = keyof typeof KINDS;

/** Values, not promises: a promise of a cancelled request never settles, and later requests would wait for it. */
const imported = { private: new WeakMap<ServiceKey, CryptoKey>(), public: new WeakMap<ServiceKey, CryptoKey>() };

async function importKey(key: ServiceKey, half: "private" | "public"): Promise<CryptoKey> {
	const known = imported[half].get(key);
	if (known) return known;
	const fresh = (await importJWK(half === "private" ? key : publicJwk(key), "RS256")) as CryptoKey;
	imported[half].set(key, fresh);
	return fresh;
}

/** The public half of a service key. */
export const publicJwk = ({ n, e, kid }: ServiceKey) => ({ kty: "RSA" as const, n, e, kid, alg: "RS256" as const, use: "sig" as const });

const signingKey = ({ SERVICE_KEYS }: Config): ServiceKey => {
	const [first] = SERVICE_KEYS.keys;
	if (!first) throw new Error("SERVICE_KEYS holds no key");
	return first;
};

/** Signs with the first service key. `claims` must include `iss`, `iat` and `exp`. */
export async function signJwt(config: Config, typ: string, claims: JWTPayload): Promise<string> {
	const key = signingKey(config);
	return new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ, kid: key.kid }).sign(await importKey(key, "private"));
}

/** Signs a text that is no token. `typ` says what it is. */
export async function signText(config: Config, typ: string, text: string): Promise<string> {
	const key = signingKey(config);
	return new CompactSign(utf8(text)).setProtectedHeader({ alg: "RS256", typ, kid: key.kid }).sign(await importKey(key, "private"));
}

/** Whether we signed this text. KEY_UNKNOWN: the signing key is no longer configured. */
export async function verifyText(
	config: Config,
	typ: string,
	text: string,
	signature: string,
): Promise<"VALID" | "INVALID" | "KEY_UNKNOWN"> {
	try {
		const { kid, typ: found } = decodeProtectedHeader(signature);
		const key = config.SERVICE_KEYS.keys.find((candidate) => candidate.kid === kid);
		if (!key) return "KEY_UNKNOWN";
		const { payload } = await compactVerify(signature, await importKey(key, "public"), { algorithms: ["RS256"] });
		return found === typ && new TextDecoder().decode(payload) === text ? "VALID" : "INVALID";
	} catch {
		return "INVALID";
	}
}

export type Minting = { kind: TokenKind; issuer: string; subject: string; realNow: number; lifetimeSeconds: number; claims?: JWTPayload };

/** Makes a service token. Tokens use real time, so that callers agree with us about `exp`. */
export function mintToken(config: Config, { kind, issuer, subject, realNow, lifetimeSeconds, claims }: Minting): Promise<string> {
	const { typ, aud } = KINDS[kind];
	const iat = Math.floor(realNow / 1000);
	return signJwt(config, typ, { jti: crypto.randomUUID(), ...claims, iss: issuer, aud, sub: subject, iat, exp: iat + lifetimeSeconds });
}

/** The claims of a service token of this kind; every other token is refused. */
export async function verifyToken(
	config: Config,
	kind: TokenKind,
	issuer: string,
	text: string | UnverifiedToken,
	realNow: number,
): Promise<({ ok: true } & Claims) | Refused> {
	const token = typeof text === "string" ? readToken(text) : text;
	if (!token.ok) return token;
	const verdict = await verifyRead(config, kind, issuer, token, realNow);
	return verdict.ok ? verdict : { ...verdict, origin: originOf(token) };
}

async function verifyRead(config: Config, kind: TokenKind, issuer: string, token: UnverifiedToken, realNow: number) {
	if (token.issuer !== issuer) return refused("ISSUER_UNKNOWN", issuer, shown(token.issuer));
	if (token.algorithm !== "RS256") return refused("ALGORITHM_NOT_ALLOWED", "RS256", token.algorithm);
	const key = config.SERVICE_KEYS.keys.find((candidate) => candidate.kid === token.kid);
	const refusal = await refusalOfSignature(token, key ? [await importKey(key, "public")] : []);
	if (refusal) return refusal;
	const { typ, aud, maxLifetimeSeconds } = KINDS[kind];
	// No grace: the same clock made the token.
	return judge(token, { typ, audience: aud, maxLifetimeSeconds, expiryGraceSeconds: 0 }, realNow);
}
