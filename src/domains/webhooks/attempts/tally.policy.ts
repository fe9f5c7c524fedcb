// How many attempts ended in which way, for the metrics: a run counts them, because one invocation may write few points.

import type { Ended } from "./end.policy";

export type Counted = { readonly outcome: string; readonly error: string | null; count: number; ms: number };

export class Tally {
	#counted = new Map<string, Counted>();

	add({ outcome, connectionError: error = undefined, durationMs }: Pick<Ended, "outcome" | "connectionError" | "durationMs">): void {
		const key = `${outcome} ${error}`;
		const counted = this.#counted.get(key) ?? { outcome, error: error ?? null, count: 0, ms: 0 };
		counted.count++;
		counted.ms += durationMs ?? 0;
		this.#counted.set(key, counted);
	}

	/** What was counted since the last time. */
	take(): readonly Counted[] {
		const counted = [...this.#counted.values()];
		this.#counted = new Map();
		return counted;
	}
}
