// A rate limit in Node: so many calls of a key in each window of the clock.

import { arrival, realNow } from "./clock";

export class Limiter {
	readonly #limit: number;
	readonly #windowMs: number;
	readonly #counts = new Map<string, { window: number; count: number }>();

	constructor({ limit, period }: { limit: number; period: number }) {
		this.#limit = limit;
		this.#windowMs = period * 1_000;
	}

	async limit({ key }: { key: string }): Promise<{ success: boolean }> {
		await arrival();
		const window = Math.floor(realNow() / this.#windowMs);
		const last = this.#counts.get(key);
		const count = last?.window === window ? last.count : 0;
		if (count >= this.#limit) return { success: false };
		this.#counts.set(key, { window, count: count + 1 });
		return { success: true };
	}

	clear(): void {
		this.#counts.clear();
	}
}
