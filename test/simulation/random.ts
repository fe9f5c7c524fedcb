// Numbers drawn from a seed (mulberry32): the same seed draws the same.

export class Random {
	#state: number;
	constructor(seed: number) {
		this.#state = seed | 0;
	}

	/** From 0 up to 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let drawn = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
		drawn = (drawn + Math.imul(drawn ^ (drawn >>> 7), 61 | drawn)) ^ drawn;
		return ((drawn ^ (drawn >>> 14)) >>> 0) / 4_294_967_296;
	}

	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	between(least: number, most: number): number {
		return least + this.below(most - least + 1);
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(from: readonly T[]): T | undefined {
		return from[this.below(from.length)];
	}

	/** One of the names, as often as its weight says. */
	weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
		const entries = Object.entries(weights) as [Name, number][];
		let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
		for (const [name, weight] of entries) {
			left -= weight;
			if (left < 0) return name;
		}
		throw new Error("there is nothing to draw from");
	}
}
