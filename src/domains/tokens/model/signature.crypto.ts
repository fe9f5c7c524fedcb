// The signature of a token that has been read, checked with jose. Tokens are sent many times, so a signature that has verified is
// remembered: by the whole token, together with the key. Everything else about a token is judged at every use.

import { compactVerify } from "jose";
import { BoundedCache } from "../../../shared/cache";
import { type Refused, refused, shown } from "./refusal.policy";
import { readToken, type UnverifiedToken } from "./token.policy";

/** Tokens by their text, as `readToken` gives them. The signature of each has verified. */
const known = new BoundedCache<UnverifiedToken>(5_000, Number.POSITIVE_INFINITY);
/** The key by which it has. */
const verifiedBy = new WeakMap<UnverifiedToken, CryptoKey>();

/** What `readToken` gives, without reading a known token again. It says nothing about whether the token is accepted. */
export const readOnce = (text: string): UnverifiedToken | Refused => known.get(text, 0)?.value ?? readToken(text);

/** @param keys of the issuer, for the algorithm and the key id that the token names */
export async function refusalOfSignature(token: UnverifiedToken, keys: readonly CryptoKey[]): Promise<Refused | undefined> {
	const { text, algorithm, kid } = token;
	if (keys.length === 0) return refused("KEY_UNKNOWN", `a key of the issuer for ${algorithm}`, `key id ${shown(kid)}`);
	const by = verifiedBy.get(token);
	if (by && keys.includes(by)) return undefined;
	for (const key of keys) {
		const verified = await compactVerify(text, key, { algorithms: [algorithm] }).then(
			() => true,
			() => false,
		);
		if (!verified) continue;
		verifiedBy.set(token, key);
		known.set(text, token, 0);
		return undefined;
	}
	return refused("SIGNATURE_INVALID", "a signature by a key of the issuer", `key id ${shown(kid)}`);
}
