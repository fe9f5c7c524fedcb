// What an issuer publishes at an address. It is fetched when it is first needed or ten minutes old; while the issuer is down the last good
// one stays in use. jose's own remote set drops it, and asks again for every token.

import type { Log } from "../runtime/log";
import { type Fetch, KeysUnavailable, type NameResolver } from "../runtime/ports";
import { BoundedCache } from "../shared/cache";
import { isLoopback } from "../shared/origin";
import { textWithin } from "./bounded-text";

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 64 * 1024;
const MAX_AGE_MS = 10 * 60_000;
export const REFETCH_MS = 60_000;
const RETRY_MS = 5_000;
/** How often a request looks whether another one has fetched what it waits for. */
const POLL_MS = 20;

/** How a request reaches the issuers. */
export type Reach = { fetch: Fetch; nameResolver: NameResolver; realNow: number; log: Log };
export type From = { uri: string; issuer: string | undefined };

export type Known<T> = {
	value: T | undefined;
	fetchedAt: number;
	failedAt: number;
	/** Why the last fetch has failed. */
	cause: string;
	/** When it was last fetched because something was missing in it. */
	missedAt: number;
	/** Since when a request is fetching it. */
	fetchingSince: number | undefined;
};

/** All that issuers publish of one kind. */
export class Publications<T> {
	readonly #known = new BoundedCache<Known<T>>(500, Number.POSITIVE_INFINITY);
	readonly #failure: string;
	readonly #read: (text: string, from: From) => T;

	/**
	 * @param failure what the log says where one cannot be fetched
	 * @param read throws `KeysUnavailable` for a text that is none
	 */
	constructor(failure: string, read: (text: string, from: From) => T) {
		this.#failure = failure;
		this.#read = read;
	}

	/** What is published at the address. Rejects with `KeysUnavailable` until a first fetch succeeds. */
	async at(from: From, reach: Reach): Promise<Known<T> & { value: T }> {
		const { realNow } = reach;
		const known = this.#known.get(from.uri, realNow)?.value ?? unknown<T>();
		// At once, so that concurrent requests find out that this one fetches.
		this.#known.set(from.uri, known, realNow);
		if (known.value === undefined) await fetchOfAnother(known, realNow);
		const stale = realNow - known.fetchedAt >= MAX_AGE_MS;
		if (stale && realNow - known.failedAt >= (known.value === undefined ? RETRY_MS : REFETCH_MS)) {
			// Before the fetch, so that concurrent requests use the last good one instead of fetching too.
			if (known.value !== undefined) known.failedAt = realNow;
			await this.fetch(from, known, reach);
		}
		if (known.value === undefined) throw new KeysUnavailable(known.cause);
		return known as Known<T> & { value: T };
	}

	/** Fetches it again. A failure is a line of the log, and leaves the last good one. */
	async fetch({ uri, issuer }: From, known: Known<T>, reach: Reach): Promise<void> {
		const { realNow, log } = reach;
		known.fetchingSince = realNow;
		try {
			known.value = this.#read(await textAt(uri, reach), { uri, issuer });
			known.fetchedAt = realNow;
		} catch (error) {
			known.failedAt = realNow;
			known.cause = error instanceof KeysUnavailable ? error.message : error instanceof Error ? error.name : typeof error;
			const { cause, value } = known;
			log.error(this.#failure, error, { issuer, address: uri, cause, has_earlier_keys: value !== undefined });
		} finally {
			known.fetchingSince = undefined;
		}
	}
}

function unknown<T>(): Known<T> {
	const never = Number.NEGATIVE_INFINITY;
	return { value: undefined, fetchedAt: never, failedAt: never, cause: "never fetched", missedAt: never, fetchingSince: undefined };
}

/**
 * Waits while another request fetches it for the first time. It does not await that request's promise, which never completes
 * when the request is cancelled. Then this one fetches after the time that a fetch may take.
 */
async function fetchOfAnother(known: Known<unknown>, realNow: number): Promise<void> {
	for (let waitedMs = 0; known.fetchingSince !== undefined; waitedMs += POLL_MS) {
		if (realNow + waitedMs - known.fetchingSince >= TIMEOUT_MS) return;
		await scheduler.wait(POLL_MS);
	}
}

async function textAt(uri: string, { fetch, nameResolver }: Reach): Promise<string> {
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
	return text;
}
