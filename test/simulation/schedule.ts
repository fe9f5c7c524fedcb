// Runs processes side by side, one batch at a time: all processes wait at their next batch, and the seed decides whose goes first. So
// the same seed gives the same interleaving, and a process can be killed before or after any of its batches.

import type { Gate } from "./database";
import type { Random } from "./random";

/** The process died in the middle of its work: nothing that it does afterwards reaches a database. */
export class Killed extends Error {}

type Waiting = { readonly process: Process; readonly go: () => void };

/** `kill`: the batch at which the process dies, counted from one, and whether the batch is still carried out. */
export type Fate = { readonly batch: number; readonly when: "before" | "after" } | undefined;

export class Process {
	batches = 0;
	ended = false;
	dead = false;
	readonly number: number;
	readonly fate: Fate;
	constructor(number: number, fate: Fate) {
		this.number = number;
		this.fate = fate;
	}
}

export class Schedule {
	readonly #random: Random;
	readonly #processes: Process[] = [];
	readonly #waiting: Waiting[] = [];

	constructor(random: Random) {
		this.#random = random;
	}

	/** Starts a process. `work` gets the gate of its batches. */
	start<T>(fate: Fate, work: (gate: Gate) => Promise<T>): Promise<T> {
		const process = new Process(this.#processes.length, fate);
		this.#processes.push(process);
		return work((batch) => this.#pass(process, batch)).finally(() => {
			process.ended = true;
		});
	}

	async #pass<T>(process: Process, batch: () => T): Promise<T> {
		await new Promise<void>((go) => this.#waiting.push({ process, go }));
		if (process.dead) throw new Killed("killed");
		process.batches++;
		const dies = process.batches === process.fate?.batch;
		if (dies) process.dead = true;
		if (dies && process.fate?.when === "before") throw new Killed("killed");
		const result = batch();
		if (dies) throw new Killed("killed");
		return result;
	}

	/** Runs until every process has ended. */
	async run(): Promise<void> {
		for (;;) {
			await this.#quiet();
			if (this.#waiting.length === 0 && this.#processes.every(({ ended }) => ended)) break;
			// Threads of encryption decide who arrives first, so the order of arrival must not matter.
			this.#waiting.sort((a, b) => a.process.number - b.process.number);
			const [next] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1);
			next?.go();
		}
		this.#processes.length = 0;
	}

	/** Waits until each living process is at a batch or has ended, and nothing is under way on another thread. */
	async #quiet(): Promise<void> {
		const isAtBatch = (process: Process) => process.ended || this.#waiting.some((each) => each.process === process);
		do await nextTurn();
		while (!this.#processes.every(isAtBatch));
		// A process may do several things concurrently, so its other batches get time to arrive too, even after encryption.
		for (let turn = 0; turn < QUIET_TURNS; turn++) {
			await nextTurn();
			if (onThreads > 0) turn = 0;
		}
	}
}

const QUIET_TURNS = 20;

/** Operations of Web Crypto, which run on other threads and so end in another turn each time. */
let onThreads = 0;
const THREADED = ["encrypt", "decrypt", "sign", "verify", "digest", "deriveKey", "deriveBits", "importKey"] as const;
for (const name of THREADED) {
	const own = crypto.subtle[name].bind(crypto.subtle) as (...given: unknown[]) => Promise<unknown>;
	const counted = (...given: unknown[]) => {
		onThreads++;
		return own(...given).finally(() => onThreads--);
	};
	Object.defineProperty(crypto.subtle, name, { value: counted, configurable: true });
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
