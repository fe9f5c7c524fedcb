// What an isolate keeps in memory between requests: bounded in number and age, and always a copy that can be made again.

const all = new Set<Map<unknown, unknown>>();

export class BoundedCache<V> {
	readonly #entries = new Map<string, { value: V; at: number }>();
	readonly #maxEntries: number;
	readonly #maxAgeMs: number;

	constructor(maxEntries: number, maxAgeMs: number) {
		this.#maxEntries = maxEntries;
		this.#maxAgeMs = maxAgeMs;
		all.add(this.#entries);
	}

	/** The value, and whether it is fresh enough to rely on. A stale value may serve as a guess only. */
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

/** Empties every cache of this isolate, so that it behaves like a new one. */
export function forgetAll(): void {
	for (const entries of all) entries.clear();
}
