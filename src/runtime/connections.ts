// The connections that one invocation may hold open concurrently. Cloudflare lets a seventh wait while the time limit of its request
// already runs, so that a healthy receiver would be recorded as one that did not answer.

import type { Config } from "./config";

const MOST = 6;
/** The local runtime has no bound; this one keeps a backlog from filling the memory. */
const MOST_LOCALLY = 200;

type Pace = Pick<Config, "ENVIRONMENT" | "WEBHOOK_PACE">;

/** Whether an invocation has the bounds of a deployment. The local runtime has them only where they are to be measured. */
export const isBounded = ({ ENVIRONMENT, WEBHOOK_PACE }: Pace): boolean => ENVIRONMENT !== "local" || WEBHOOK_PACE === "deployed";

export class Connections {
	readonly most: number;
	#free: number;
	#waiting: { count: number; granted: (granted: true) => void }[] = [];

	constructor(config: Pace) {
		this.most = isBounded(config) ? MOST : MOST_LOCALLY;
		this.#free = this.most;
	}

	get isFree(): boolean {
		return this.#waiting.length === 0 && this.#free > 0;
	}

	/** Takes so many, first come, first served. False when they have not become free within that time; else the taker gives them back. */
	async take(count: number, patienceMs: number): Promise<boolean> {
		if (this.#waiting.length === 0 && this.#free >= count) {
			this.#free -= count;
			return true;
		}
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const taker = { count, granted: resolve };
		this.#waiting.push(taker);
		const timer = setTimeout(() => {
			this.#waiting = this.#waiting.filter((waiting) => waiting !== taker);
			resolve(false);
			this.give(0);
		}, patienceMs);
		return promise.finally(() => clearTimeout(timer));
	}

	give(count: number): void {
		this.#free += count;
		for (let first = this.#waiting[0]; first && first.count <= this.#free; first = this.#waiting[0]) {
			this.#waiting.shift();
			this.#free -= first.count;
			first.granted(true);
		}
	}
}

/** Invocations and their connections: all services that are made in one share them. */
const ofInvocations = new WeakMap<object, Connections>();

export function connectionsOf(invocation: object, config: Pace): Connections {
	const known = ofInvocations.get(invocation) ?? new Connections(config);
	ofInvocations.set(invocation, known);
	return known;
}
