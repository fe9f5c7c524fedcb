// Verifies a JWT of a trusted issuer: the pure steps of `token.policy`, and between them the registry and the signature.

import type { Log } from "../../runtime/log";
import type { Services } from "../../runtime/services";
import { type Algorithm, DEFAULT_ALGORITHMS, type IssuerKind } from "../../shared/trusted-issuer";
import { findIssuer } from "./issuers/cache";
import type { Issuer, IssuerSettings } from "./issuers/own.plan";
import { type Authentication, type Refused, refused, shown } from "./model/refusal.policy";
import type { TokenKind } from "./model/service-token.crypto";
import { refusalOfSignature } from "./model/signature.crypto";
import {
	type Claims,
	type Expectation,
	judge,
	originOf,
	readToken,
	refusalOfAuthentication,
	type UnverifiedToken,
} from "./model/token.policy";

export type Verified = { ok: true; issuer: Issuer; token: UnverifiedToken } & Claims;

/**
 * Rejects with `KeysUnavailable` when the issuer's keys cannot be had.
 * `algorithms` narrows what the issuer's record allows, for operations that accept fewer.
 */
export async function verifyIssued(
	services: Services,
	text: string | UnverifiedToken,
	kind: IssuerKind,
	algorithms?: readonly Algorithm[],
): Promise<Verified | Refused> {
	const token = typeof text === "string" ? readToken(text) : text;
	if (!token.ok) return token;
	const verdict = await verifyRead(services, token, kind, algorithms);
	return verdict.ok ? verdict : { ...verdict, origin: originOf(token) };
}

export const demandedOf = ({
	required_amr: amr,
	required_acr: acr,
	max_authentication_age_seconds: maxAgeSeconds,
}: IssuerSettings): Authentication => ({
	amr,
	acr,
	maxAgeSeconds,
});

export const expectationOf = (issuer: IssuerSettings): Expectation => ({
	...issuer.demands,
	audience: issuer.audience,
	otherAudiences: issuer.other_audiences,
	audienceClaim: issuer.audience_claim,
	claims: issuer.required_claims,
	maxLifetimeSeconds: issuer.max_lifetime_seconds,
	tokenIdRequired: issuer.single_use,
});

/** Those that the record names, else those of its keys, else those that the issuer names itself. Rejects with `KeysUnavailable`. */
export async function algorithmsOf(
	{ providers }: Services,
	{ issuer, algorithms, jwks, jwks_uri }: IssuerSettings,
): Promise<readonly Algorithm[]> {
	if (algorithms) return algorithms;
	return jwks || jwks_uri !== undefined ? DEFAULT_ALGORITHMS : (await providers.keySets.discover(issuer)).algorithms;
}

async function verifyRead(
	services: Services,
	token: UnverifiedToken,
	kind: IssuerKind,
	algorithms: readonly Algorithm[] | undefined,
): Promise<Verified | Refused> {
	const issuer = await findIssuer(services, token.issuer, kind);
	if (!issuer) return refused("ISSUER_UNKNOWN", `a trusted issuer of kind ${kind}`, shown(token.issuer));
	// The record decides, not the token: a key is never used with an algorithm that it was not registered for.
	const own = await algorithmsOf(services, issuer);
	const allowed: readonly string[] = algorithms ? own.filter((one) => algorithms.includes(one)) : own;
	if (!allowed.includes(token.algorithm)) return refused("ALGORITHM_NOT_ALLOWED", allowed.join(", "), token.algorithm);
	const keys = await services.providers.keySets.of(issuer)({ alg: token.algorithm, kid: token.kid });
	const refusal = await refusalOfSignature(token, keys);
	if (refusal) return refusal;
	const claims = judge(token, expectationOf(issuer), services.realNow);
	if (!claims.ok) return claims;
	if (issuer.disabled) return refused("ISSUER_DISABLED", "an enabled issuer", "a disabled one");
	const weak = refusalOfAuthentication(token, demandedOf(issuer), services.realNow);
	return weak ?? { ...claims, issuer, token };
}

/** Logs once for operators why a token is refused. `use`: the kind of token that the caller had to present. */
export function logRefusal(log: Log, use: IssuerKind | TokenKind | "bearer", { reason, expected, found, origin }: Refused): void {
	log.info("token refused", { use, reason, expected, found, ...origin });
}

/** Logs for operators that a claim of an accepted token is not used, and by which rule. Its value stays out of the log. */
export function logIgnored(log: Log, { issuer }: Issuer, claim: string, rule: string): void {
	log.info("a claim of a token is ignored", { issuer, claim, rule });
}
