// What an isolate remembers between requests: bounded in number and age, and only ever a copy of what D1 knows.

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

	/** The value and whether it is still young enough to be relied on; an older one can only serve as a guess. */
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

/** Empties every memory of this isolate, as a new isolate would find them. */
export function forgetAll(): void {
	for (const entries of all) entries.clear();
}
