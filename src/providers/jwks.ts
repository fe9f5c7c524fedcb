// The key sets of issuers. A remote set is fetched when it is first needed or ten minutes old, and again when a token
// names a key that it lacks: at most once a minute, or each forged key id would become a request to the issuer. While the
// issuer is down the last good set stays in use; jose's own remote set drops it and asks again for every token.

import { createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import * as z from "zod";
import type { Log } from "../runtime/log";
import { type Fetch, type KeySet, type KeySets, KeysUnavailable, type NameResolver } from "../runtime/ports";
import { BoundedCache } from "../shared/cache";
import { parseJson } from "../shared/json";
import { isLoopback } from "../shared/origin";
import { textWithin } from "./bounded-text";

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 64 * 1024;
const MAX_KEYS = 50;
const MAX_AGE_MS = 10 * 60_000;
const REFETCH_MS = 60_000;
const RETRY_MS = 5_000;
/** How often a request looks whether another one has fetched the set that it waits for. */
const POLL_MS = 20;

const local = new WeakMap<object, KeySet>();

/** How a request reaches the issuers. */
type Reach = { fetch: Fetch; nameResolver: NameResolver; realNow: number; log: Log };

export const keySetsBy = (reach: Reach): KeySets => ({
	of: ({ issuer, jwks, jwks_uri: uri }) => (uri === undefined ? localKeys(jwks ?? { keys: [] }) : remoteKeys({ uri, issuer }, reach)),
});

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

type Known = {
	keys: KeySet | undefined;
	fetchedAt: number;
	failedAt: number;
	missedAt: number;
	/** Since when a request is fetching the set. */
	fetchingSince: number | undefined;
};

const remote = new BoundedCache<Known>(500, Number.POSITIVE_INFINITY);

type From = { uri: string; issuer: string | undefined };

/** The keys that an issuer publishes at the address. Rejects with `KeysUnavailable` until a first fetch succeeds. */
const remoteKeys =
	(from: From, reach: Reach): KeySet =>
	async (header) => {
		const { uri } = from;
		const { realNow } = reach;
		const known = remote.get(uri, realNow)?.value ?? unknownSet();
		// At once, so that concurrent requests find out that this one fetches.
		remote.set(uri, known, realNow);
		if (!known.keys) await fetchOfAnother(known, realNow);
		const stale = realNow - known.fetchedAt >= MAX_AGE_MS;
		if (stale && realNow - known.failedAt >= (known.keys ? REFETCH_MS : RETRY_MS)) {
			// Before the fetch, so that concurrent requests use the last good set instead of fetching too.
			if (known.keys) known.failedAt = realNow;
			await refresh(from, known, reach);
		}
		if (!known.keys) throw new KeysUnavailable("never fetched");
		const found = await known.keys(header);
		if (found.length > 0 || known.fetchedAt === realNow || realNow - known.missedAt < REFETCH_MS) return found;
		// Before the fetch, so that concurrent requests do not fetch too.
		known.missedAt = realNow;
		await refresh(from, known, reach);
		return known.keys(header);
	};

function unknownSet(): Known {
	const never = Number.NEGATIVE_INFINITY;
	return { keys: undefined, fetchedAt: never, failedAt: never, missedAt: never, fetchingSince: undefined };
}

/**
 * Waits while another request fetches the set for the first time. It does not await that request's promise, which never completes
 * when the request is cancelled. Then this one fetches after the time that a fetch may take.
 */
async function fetchOfAnother(known: Known, realNow: number): Promise<void> {
	for (let waitedMs = 0; known.fetchingSince !== undefined; waitedMs += POLL_MS) {
		if (realNow + waitedMs - known.fetchingSince >= TIMEOUT_MS) return;
		await scheduler.wait(POLL_MS);
	}
}

async function refresh({ uri, issuer }: From, known: Known, reach: Reach): Promise<void> {
	const { realNow, log } = reach;
	known.fetchingSince = realNow;
	try {
		known.keys = localKeys(await fetchKeys(uri, reach));
		known.fetchedAt = realNow;
	} catch (error) {
		known.failedAt = realNow;
		const cause = error instanceof KeysUnavailable ? error.message : error instanceof Error ? error.name : typeof error;
		log.error("the keys of an issuer cannot be fetched", error, {
			issuer,
			address: uri,
			cause,
			has_earlier_keys: known.keys !== undefined,
		});
	} finally {
		known.fetchingSince = undefined;
	}
}

const JwkSet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS) });

function jwkSetOf(text: string): z.output<typeof JwkSet> {
	try {
		return JwkSet.parse(parseJson(text));
	} catch {
		throw new KeysUnavailable("no key set");
	}
}

async function fetchKeys(uri: string, { fetch, nameResolver }: Reach): Promise<{ keys: object[] }> {
	// Each time, because the owner of the name may point it elsewhere. Only `local` accepts loopback addresses at all.
	if (!isLoopback(uri) && (await nameResolver.judge(new URL(uri).hostname)) === "PRIVATE")
		throw new KeysUnavailable("the name resolves to an address that is not public");
	const response = await fetch(uri, {
		headers: { Accept: "application/jwk-set+json, application/json" },
		redirect: "manual",
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	if (response.status !== 200) {
		await response.body?.cancel();
		throw new KeysUnavailable(`status ${response.status}`);
	}
	const text = await textWithin(MAX_BYTES, response);
	if (text === undefined) throw new KeysUnavailable(`more than ${MAX_BYTES} bytes`);
	const { keys } = jwkSetOf(text);
	// The set may hold keys of other kinds; symmetric and private ones must not verify anything.
	return { keys: keys.filter((key) => ["RSA", "EC", "OKP"].includes(key.kty) && !("d" in key)) };
}
