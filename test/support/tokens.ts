// Tokens that no operation may accept: of the wrong kind, issuer, audience, time or key.

import { env } from "cloudflare:workers";
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { SANDBOX_ISSUER } from "../../src/domains/tokens/issuers/own.plan";
import { AUDIENCE, mintToken, publicJwk, signJwt } from "../../src/domains/tokens/model/service-token.crypto";
import { configuration } from "../../src/runtime/config";
import { ISSUER_KINDS, type IssuerKind } from "../../src/shared/trusted-issuer";

const ISSUER = "http://localhost";
const seconds = () => Math.floor(Date.now() / 1000);
const claims = (subject: string, more: JWTPayload = {}): JWTPayload => ({
	iss: ISSUER,
	aud: AUDIENCE,
	sub: subject,
	jti: crypto.randomUUID(),
	iat: seconds() - 60,
	exp: seconds() + 840,
	...more,
});

/** A token of the sandbox issuer. */
export const sandboxToken = async (kind: IssuerKind, subject: string, more: JWTPayload = {}): Promise<string> =>
	signJwt(await configuration(env), "JWT", claims(subject, { iss: SANDBOX_ISSUER, token_kind: kind, ...more }));

let foreignKey: ReturnType<typeof generateKeyPair> | undefined;

/** How long such tokens are used: less than the shortest of them lives. */
const REUSED_MS = 120_000;
const made = new Map<string, { at: number; tokens: ReturnType<typeof mintBadTokens> }>();

/** Tokens that no operation accepts, by what is wrong with them. Those of a subject are made once, because to sign each takes a while. */
export function badTokens(subject: string): ReturnType<typeof mintBadTokens> {
	const known = made.get(subject);
	if (known && known.at > Date.now() - REUSED_MS) return known.tokens;
	const tokens = mintBadTokens(subject);
	made.set(subject, { at: Date.now(), tokens });
	return tokens;
}

/** Identity tokens are absent, because some operations accept them. */
async function mintBadTokens(subject: string): Promise<{ [wrong: string]: string }> {
	const config = await configuration(env);
	const [key] = config.SERVICE_KEYS.keys;
	if (!key) throw new Error("no service key");
	const sign = (typ: string, more: JWTPayload) => signJwt(config, typ, claims(subject, more));
	const mint = (kind: "custom" | "phone") =>
		mintToken(config, { kind, issuer: ISSUER, subject, realNow: Date.now(), lifetimeSeconds: 300 });
	foreignKey ??= generateKeyPair("RS256");
	const { privateKey } = await foreignKey;
	const forge = (more: JWTPayload = {}, typ = "at+jwt") =>
		new SignJWT(claims(subject, more)).setProtectedHeader({ alg: "RS256", typ, kid: key.kid }).sign(privateKey);
	const operator = { iss: SANDBOX_ISSUER, token_kind: "operator" };
	const good = await sign("at+jwt", {});
	const [head = "", body = "", signature = ""] = good.split(".");
	const kinds = ISSUER_KINDS.filter((kind) => kind !== "operator" && kind !== "identity");
	return {
		"an expired token": await sign("at+jwt", { iat: seconds() - 1000, exp: seconds() - 100 }),
		"a token without an expiry": await sign("at+jwt", { exp: undefined }),
		"a custom token": await mint("custom"),
		"a phone verification token": await mint("phone"),
		"an access token whose typ is JWT": await sign("JWT", {}),
		"a token for another audience": await sign("at+jwt", { aud: "somebody-else" }),
		"a token of an unknown issuer": await sign("at+jwt", { iss: "https://unknown.example" }),
		"a token without an issuer": await sign("at+jwt", { iss: undefined }),
		"a token signed by another key": await forge(),
		"a token whose signature was truncated": `${head}.${body}.${signature.slice(0, -8)}`,
		"a token whose claims were changed": `${head}.${(await sign("at+jwt", { sub: crypto.randomUUID() })).split(".")[1]}.${signature}`,
		"an unsigned token": new UnsecuredJWT(claims(subject)).encode(),
		"a token signed with the public key as a secret": await new SignJWT(claims(subject))
			.setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: key.kid })
			.sign(new TextEncoder().encode(JSON.stringify(publicJwk(key)))),
		"a token that brings its own key": await new SignJWT(claims(subject))
			.setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "mine", jwk: { kty: "RSA", n: key.n, e: key.e } })
			.sign(privateKey),
		"an expired operator's token": await sign("JWT", { ...operator, iat: seconds() - 1000, exp: seconds() - 100 }),
		"an operator's token for another audience": await sign("JWT", { ...operator, aud: "somebody-else" }),
		"an operator's token signed by another key": await forge(operator, "JWT"),
		"an unsigned operator's token": new UnsecuredJWT(claims(subject, operator)).encode(),
		"a sandbox token without a kind": await sign("JWT", { iss: SANDBOX_ISSUER }),
		...Object.fromEntries(await Promise.all(kinds.map(async (kind) => [`a ${kind} issuer's token`, await sandboxToken(kind, subject)]))),
		"a text that is not a JWT": "abc.def.ghi",
	};
}
