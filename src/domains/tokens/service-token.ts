// The service's own tokens: RS256 JWTs. One kind is never taken for another, because each names itself in `typ` and `aud`.

import { importJWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Config, ServiceKey } from "../../runtime/config";
import { ApiError } from "../../shared/errors";

export const AUDIENCE = "financial-account-service";
export const ACCESS_TOKEN_SECONDS = 900;
export const ID_TOKEN_SECONDS = 900;
export const CUSTOM_TOKEN_SECONDS = 300;
export const PHONE_TOKEN_SECONDS = 300;

/** Says that somebody holds a phone; taken by the phone exchange like that of any other issuer. */
export const PHONE_TOKEN = { typ: "phone+jwt", aud: "financial-account-phone-exchange" } as const;

const KINDS = {
	access: { typ: "at+jwt", aud: AUDIENCE },
	id: { typ: "id+jwt", aud: "financial-account-client" },
	custom: { typ: "custom+jwt", aud: "financial-account-sign-in" },
	phone: PHONE_TOKEN,
} as const;
export type TokenKind = keyof typeof KINDS;

/** Values, not promises: one that a request began and was cancelled in would keep all later ones waiting. */
const imported = { private: new WeakMap<ServiceKey, CryptoKey>(), public: new WeakMap<ServiceKey, CryptoKey>() };

async function importKey(key: ServiceKey, half: "private" | "public"): Promise<CryptoKey> {
	const known = imported[half].get(key);
	if (known) return known;
	const fresh = (await importJWK(half === "private" ? key : publicJwk(key), "RS256")) as CryptoKey;
	imported[half].set(key, fresh);
	return fresh;
}

/** What may be published of a service key. */
export const publicJwk = ({ n, e, kid }: ServiceKey) => ({ kty: "RSA" as const, n, e, kid, alg: "RS256" as const, use: "sig" as const });

const signingKey = ({ SERVICE_KEYS }: Config): ServiceKey => {
	const [first] = SERVICE_KEYS.keys;
	if (!first) throw new Error("SERVICE_KEYS holds no key");
	return first;
};

/** Signs with the first service key. `claims` must bring `iss`, `iat` and `exp`. */
export async function signJwt(config: Config, typ: string, claims: JWTPayload): Promise<string> {
	const key = signingKey(config);
	return new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ, kid: key.kid }).sign(await importKey(key, "private"));
}

export type Minting = { kind: TokenKind; issuer: string; subject: string; realNow: number; lifetimeSeconds: number; claims?: JWTPayload };

/** Makes a service token. Tokens keep to real time, so that callers agree with us about `exp`. */
export function mintToken(config: Config, { kind, issuer, subject, realNow, lifetimeSeconds, claims }: Minting): Promise<string> {
	const { typ, aud } = KINDS[kind];
	const iat = Math.floor(realNow / 1000);
	return signJwt(config, typ, { jti: crypto.randomUUID(), ...claims, iss: issuer, aud, sub: subject, iat, exp: iat + lifetimeSeconds });
}

/** The claims of a service token of this kind. Throws `ApiError` UNAUTHORISED for every other token. */
export async function verifyToken(
	config: Config,
	kind: TokenKind,
	issuer: string,
	token: string,
	realNow: number,
): Promise<JWTPayload & { sub: string }> {
	const { typ, aud } = KINDS[kind];
	try {
		const { payload } = await jwtVerify(
			token,
			({ kid }) => {
				const key = config.SERVICE_KEYS.keys.find((candidate) => candidate.kid === kid);
				if (!key) throw new ApiError("UNAUTHORISED");
				return importKey(key, "public");
			},
			{ algorithms: ["RS256"], typ, audience: aud, issuer, currentDate: new Date(realNow), requiredClaims: ["sub", "exp", "iat"] },
		);
		return payload as JWTPayload & { sub: string };
	} catch {
		throw new ApiError("UNAUTHORISED");
	}
}
