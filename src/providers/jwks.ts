// The key sets of issuers: in their records, at an address that the record names, or where the issuer's own configuration says (OpenID
// Connect Discovery). A set is fetched again when a token names a key that it lacks: at most once a minute, or each forged key id would
// become a request to the issuer.

import { createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import * as z from "zod";
import { isKeySetAddress } from "../runtime/config";
import { type Discovery, type KeySet, type KeySets, KeysUnavailable } from "../runtime/ports";
import { parseJson } from "../shared/json";
import { ALGORITHMS, DEFAULT_ALGORITHMS } from "../shared/trusted-issuer";
import { type From, Publications, REFETCH_MS, type Reach } from "./published";

const MAX_KEYS = 50;

const local = new WeakMap<object, KeySet>();

/** @param isLocal whether issuers may be on this machine */
export const keySetsBy = (reach: Reach, isLocal: boolean): KeySets => {
	const discover = (issuer: string) => discovered(issuer, reach, isLocal);
	return {
		discover,
		of({ issuer, jwks, jwks_uri: uri }) {
			if (jwks) return localKeys(jwks);
			if (uri !== undefined) return (header) => remoteKey({ uri, issuer }, reach, header);
			return async (header) => remoteKey({ uri: (await discover(issuer)).jwks_uri, issuer }, reach, header);
		},
	};
};

/** The keys of a set that is in memory. The object remembers imported keys. */
function localKeys(jwks: { readonly keys: readonly object[] }): KeySet {
	const known = local.get(jwks);
	if (known) return known;
	const set = createLocalJWKSet(jwks as unknown as JSONWebKeySet);
	const keys: KeySet = async ({ alg, kid }) => {
		try {
			return [await set({ alg, ...(kid !== undefined && { kid }) })];
		} catch (error) {
			if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return [];
			const several: CryptoKey[] = [];
			for await (const key of error) several.push(key);
			return several;
		}
	};
	local.set(jwks, keys);
	return keys;
}

const JwkSet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS) });

const sets = new Publications<KeySet>("the keys of an issuer cannot be fetched", (text) => {
	const { keys } = readAs(JwkSet, text, "no key set");
	// The set may hold keys of other kinds; symmetric and private ones must not verify anything.
	return localKeys({ keys: keys.filter((key) => ["RSA", "EC", "OKP"].includes(key.kty) && !("d" in key)) });
});

/** The keys that an issuer publishes at the address, of those that may have made the signature. Rejects with `KeysUnavailable`. */
async function remoteKey(from: From, reach: Reach, header: Parameters<KeySet>[0]): Promise<readonly CryptoKey[]> {
	const { realNow } = reach;
	const known = await sets.at(from, reach);
	const found = await known.value(header);
	if (found.length > 0 || known.fetchedAt === realNow || realNow - known.missedAt < REFETCH_MS) return found;
	// Before the fetch, so that concurrent requests do not fetch too.
	known.missedAt = realNow;
	await sets.fetch(from, known, reach);
	return known.value(header);
}

const Configuration = z.object({
	issuer: z.string(),
	jwks_uri: z.string().max(2048),
	id_token_signing_alg_values_supported: z
		.array(z.string())
		.max(100)
		.default([...DEFAULT_ALGORITHMS]),
});

const configurations = new Publications<Discovery>("the configuration of an issuer cannot be fetched", (text, { issuer }) => {
	const found = readAs(Configuration, text, "no OpenID configuration with issuer and jwks_uri");
	// Another issuer's keys would sign for this one.
	if (found.issuer !== issuer) throw new KeysUnavailable(`it is the configuration of ${found.issuer.slice(0, 255)}`);
	const algorithms = ALGORITHMS.filter((one) => found.id_token_signing_alg_values_supported.includes(one));
	if (algorithms.length === 0) throw new KeysUnavailable(`it signs with none of ${ALGORITHMS.join(", ")}`);
	return { jwks_uri: found.jwks_uri, algorithms };
});

async function discovered(issuer: string, reach: Reach, isLocal: boolean): Promise<Discovery> {
	if (!isKeySetAddress(issuer, isLocal)) throw new KeysUnavailable("the issuer's name is no public HTTPS address");
	const uri = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
	const { value } = await configurations.at({ uri, issuer }, reach);
	if (!isKeySetAddress(value.jwks_uri, isLocal)) throw new KeysUnavailable("its jwks_uri is no public HTTPS address");
	return value;
}

function readAs<S extends z.ZodType>(schema: S, text: string, failure: string): z.output<S> {
	try {
		return schema.parse(parseJson(text));
	} catch {
		throw new KeysUnavailable(failure);
	}
}
