// What a random history draws: numbers, chances and choices. The same seed draws the same.

import { randomBy } from "../../src/dev/random";

export class Random {
	/** From 0 up to 1. */
	readonly next: () => number;

	constructor(seed: number) {
		this.next = randomBy(seed);
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
