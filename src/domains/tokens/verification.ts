// Verifies a JWT of a trusted issuer: the pure steps of `token.policy`, and between them the registry and the signature.

import { compactVerify } from "jose";
import type { KeySet } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import type { Algorithm, IssuerKind } from "../../runtime/trusted-issuer";
import { findIssuer, type Issuer } from "./issuers/store";
import { type Claims, judge, type Reason, type Rejected, readToken, type UnverifiedToken } from "./token.policy";

export type Verified = { ok: true; issuer: Issuer; text: string } & Claims;

/**
 * Throws `KeysUnavailable` when the issuer's keys cannot be had.
 * `algorithms` narrows what the issuer's record allows, for operations that take less.
 */
export async function verifyIssued(
	services: Services,
	text: string,
	kind: IssuerKind,
	algorithms?: readonly Algorithm[],
): Promise<Verified | Rejected> {
	const token = readToken(text);
	if (!token.ok) return token;
	const issuer = await findIssuer(services, token.issuer, kind);
	if (!issuer) return rejected("ISSUER_UNKNOWN");
	// The record decides, not the token: a key is never used with an algorithm that it was not registered for.
	const allowed: readonly string[] = algorithms ? issuer.algorithms.filter((one) => algorithms.includes(one)) : issuer.algorithms;
	if (!allowed.includes(token.algorithm)) return rejected("ALGORITHM_REFUSED");
	const keys = services.providers.keySets.of(issuer);
	if (!(await isSigned(token, keys))) return rejected("SIGNATURE_INVALID");
	const claims = judge(
		token,
		{
			...issuer.demands,
			audience: issuer.audience,
			maxLifetimeSeconds: issuer.max_lifetime_seconds,
			tokenIdRequired: issuer.single_use,
		},
		services.realNow,
	);
	if (!claims.ok) return claims;
	if (issuer.disabled) return rejected("ISSUER_DISABLED");
	return { ...claims, issuer, text };
}

const rejected = (reason: Reason): Rejected => ({ ok: false, reason });

async function isSigned({ text, algorithm, kid }: UnverifiedToken, keys: KeySet): Promise<boolean> {
	for (const key of await keys({ alg: algorithm, kid })) {
		const verified = await compactVerify(text, key, { algorithms: [algorithm] }).then(
			() => true,
			() => false,
		);
		if (verified) return true;
	}
	return false;
}
