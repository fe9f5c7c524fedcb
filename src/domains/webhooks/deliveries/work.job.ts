// What a run does that nobody awaits, and how long its consumer stays for it.

import type { Log } from "../../../runtime/log";

export class Work {
	readonly #log: Log;
	readonly #all = new Set<Promise<void>>();
	readonly #staysFor = new Set<Promise<void>>();
	/** When the consumer may return, whatever goes on. */
	readonly mayReturn: Promise<void>;

	constructor(log: Log, staysMs: number) {
		this.#log = log;
		this.mayReturn = scheduler.wait(staysMs);
	}

	/** @param stays until when the consumer stays for it, if it has not ended before */
	track(work: Promise<unknown>, stays: Promise<unknown> = this.mayReturn): void {
		const ended = work.then(
			() => {},
			(error: unknown) => this.#log.error("due deliveries are left to the sweep", error),
		);
		keep(this.#all, ended);
		keep(
			this.#staysFor,
			Promise.race([stays.catch(() => {}), ended]).then(() => {}),
		);
	}

	/** Resolves when nothing is left to do. */
	async ended(): Promise<void> {
		while (this.#all.size > 0) await Promise.allSettled(this.#all);
	}

	/** Resolves when the consumer need not stay for anything. */
	async left(): Promise<void> {
		while (this.#staysFor.size > 0) await Promise.allSettled(this.#staysFor);
	}
}

function keep(kept: Set<Promise<void>>, work: Promise<void>): void {
	kept.add(work);
	void work.then(() => kept.delete(work));
}
