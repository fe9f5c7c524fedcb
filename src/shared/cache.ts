// What an isolate remembers between requests, bounded in number and age. The original is in D1, at an
// issuer or at a provider, and may have changed.

const all = new Set<Map<unknown, unknown>>();

/**
 * Holds at most `maxEntries` entries; one more drops the entry that was set longest ago, whether or not it was read since.
 * An entry older than `maxAgeMs` stays but is no longer fresh. The bound counts entries, not bytes: callers that store
 * what strangers send must bound its size too.
 */
export class BoundedCache<V> {
	readonly #entries = new Map<string, { value: V; at: number }>();
	readonly #maxEntries: number;
	readonly #maxAgeMs: number;

	constructor(maxEntries: number, maxAgeMs: number) {
		this.#maxEntries = maxEntries;
		this.#maxAgeMs = maxAgeMs;
		all.add(this.#entries);
	}

	/** The value, and whether it is younger than the maximum age. An older value is only a guess. */
	get(key: string, realNow: number): { value: V; fresh: boolean } | undefined {
		const entry = this.#entries.get(key);
		return entry && { value: entry.value, fresh: realNow - entry.at < this.#maxAgeMs };
	}

	set(key: string, value: V, realNow: number): void {
		this.#entries.delete(key);
		this.#entries.set(key, { value, at: realNow });
		if (this.#entries.size > this.#maxEntries) {
			const [oldest] = this.#entries.keys();
			if (oldest !== undefined) this.#entries.delete(oldest);
		}
	}

	delete(key: string): void {
		this.#entries.delete(key);
	}
}

/** Empties every cache of this isolate, as in a new isolate. */
export function forgetAll(): void {
	for (const entries of all) entries.clear();
}
