// How often may be asked, pure.

const MINUTE_MS = 60_000;

/** Keeps what is asked by itself below half of what a caller may. Clicks are counted, and never wait. */
export class Pace {
	readonly #most: number;
	#times: number[] = [];

	constructor(most = 150) {
		this.#most = most;
	}

	note(now: number): void {
		this.#times = this.#times.filter((time) => time > now - MINUTE_MS);
		this.#times.push(now);
	}

	/** How long the next one must wait. */
	wait(now: number): number {
		const recent = this.#times.filter((time) => time > now - MINUTE_MS);
		return recent.length < this.#most ? 0 : (recent[recent.length - this.#most] ?? now) + MINUTE_MS - now;
	}
}

const LONGEST_MS = 60_000;

/** The wait after so many errors in a row: doubled each time, up to a minute, and never shorter than the service asks for. */
export function backOff(every: number, errors: number, retryAfterSeconds = 0): number {
	const base = Math.min(Math.max(every, 1_000), LONGEST_MS);
	return Math.max(Math.min(base * 2 ** errors, LONGEST_MS), retryAfterSeconds * 1_000);
}
