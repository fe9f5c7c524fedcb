// The signature of a token that has been read, checked with jose.

import { compactVerify } from "jose";
import { type Refused, refused, shown } from "./refusal.policy";
import type { UnverifiedToken } from "./token.policy";

/** @param keys of the issuer, for the algorithm and the key id that the token names */
export async function refusalOfSignature(
	{ text, algorithm, kid }: UnverifiedToken,
	keys: readonly CryptoKey[],
): Promise<Refused | undefined> {
	if (keys.length === 0) return refused("KEY_UNKNOWN", `a key of the issuer for ${algorithm}`, `key id ${shown(kid)}`);
	for (const key of keys) {
		const verified = await compactVerify(text, key, { algorithms: [algorithm] }).then(
			() => true,
			() => false,
		);
		if (verified) return undefined;
	}
	return refused("SIGNATURE_INVALID", "a signature by a key of the issuer", `key id ${shown(kid)}`);
}
