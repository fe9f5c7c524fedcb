// Lets several begin at once: each waits before its first round trip, so that what all of them read first can be one.

import type { Built } from "./built";

/** What was read for somebody, and the size of the database then. */
export type Handed = { readonly results: unknown[]; readonly bytes: number };

/** Where one of them waits. */
export class Entrance {
	readonly #reached = Promise.withResolvers<void>();
	readonly #opened = Promise.withResolvers<Handed | undefined>();
	#isReached = false;
	#isOpen = false;
	#asks: readonly Built[] = [];

	/** Resolves when somebody waits here. */
	get reached(): Promise<void> {
		return this.#reached.promise;
	}

	get isWaiting(): boolean {
		return this.#isReached && !this.#isOpen;
	}

	/** What it reads first; nothing where it begins with a commit. */
	get asks(): readonly Built[] {
		return this.#asks;
	}

	/** Waits to be let in. Resolves to what was read meanwhile, if `asks` came first. */
	async pass(asks: readonly Built[] = []): Promise<Handed | undefined> {
		if (this.#isOpen) return undefined;
		const isFirst = !this.#isReached;
		this.#isReached = true;
		if (isFirst) this.#asks = asks;
		this.#reached.resolve();
		const handed = await this.#opened.promise;
		return isFirst && asks.length > 0 ? handed : undefined;
	}

	/** `handed`: the answers to `asks`; without them they are read again. */
	open(handed?: Handed): void {
		this.#isOpen = true;
		this.#opened.resolve(handed);
	}
}
