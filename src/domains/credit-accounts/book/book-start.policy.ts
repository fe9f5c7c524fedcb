// Where a book may begin, so that the cost of a replay does not grow with an account's history: at a fact that starts a cycle while
// nothing is owed and nothing overpaid.

import type { DatedFact, Fact } from "./facts.policy";

export class BookStart {
	/** Positions of the facts at which the book may begin; the last is the best. */
	readonly #starts: number[];
	/** The position of the fact that started each cycle. */
	readonly #openedAt = new Map<string | null, number>();
	readonly #facts: readonly DatedFact[];
	/** The greatest position among the facts before, and the least among the others. */
	readonly #bounds: readonly { readonly before: number; readonly from: number }[];

	/** From what was reversed to its reversal: a book has both, because it asks when a refund would be covered without the reversal. */
	readonly #reversed: readonly { readonly from: number; readonly to: number }[];

	/** `facts`: those that stand, in the order of the replay. `posted`: all of the book. */
	constructor(facts: readonly DatedFact[], posted: readonly Fact[]) {
		this.#facts = facts;
		const reversals = posted.filter(({ kind }) => kind === "REVERSAL");
		const positions = new Map(reversals.length === 0 ? [] : posted.map(({ id, position }) => [id, position]));
		this.#reversed = reversals.map(({ reversesId, position }) => ({ from: positions.get(reversesId ?? "") ?? 0, to: position }));
		this.#starts = facts.length === 0 ? [] : [Math.min(...facts.map(({ position }) => position))];
		const before: number[] = [];
		const from: number[] = [];
		facts.reduce((greatest, { position }, index) => {
			before[index] = greatest;
			return Math.max(greatest, position);
		}, 0);
		facts.reduceRight((least, { position }, index) => {
			from[index] = Math.min(least, position);
			return Math.min(least, position);
		}, Number.MAX_SAFE_INTEGER);
		this.#bounds = facts.map((_, index) => ({ before: before[index] ?? 0, from: from[index] ?? 0 }));
	}

	/** To be called with each fact before it is applied. `isClear`: nothing is owed but what the fact rolls over, nothing overpaid. */
	see(index: number, isClear: () => boolean): void {
		const fact = this.#facts[index];
		const bounds = this.#bounds[index];
		if (!fact || !bounds || (fact.kind !== "DRAW" && fact.kind !== "ROLL_OVER")) return;
		const openedAt = this.#openedAt.get(fact.cycleId);
		if (openedAt !== undefined) {
			// Money is drawn on a cycle that was settled: the book has to know its installments.
			while ((this.#starts.at(-1) ?? 0) > openedAt) this.#starts.pop();
			return;
		}
		this.#openedAt.set(fact.cycleId, fact.position);
		// A book is the facts from a position on: they must be the same as those from here on in the replay.
		const isApart = bounds.before < fact.position && bounds.from === fact.position;
		if (isApart && !this.#reversed.some(({ from, to }) => from < fact.position && fact.position < to) && isClear()) {
			this.#starts.push(fact.position);
		}
	}

	/** 1 for a book without facts. */
	get position(): number {
		return this.#starts.at(-1) ?? 1;
	}
}
