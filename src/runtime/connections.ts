// The connections to others that one invocation may hold open concurrently. Cloudflare lets a seventh wait while the time limit of its
// request already runs, so that a healthy receiver would be recorded as a receiver that did not answer. Calls of D1 and what is sent to
// queues count among the six: two are theirs.

import { withDeadline } from "../shared/deadline";
import type { Config } from "./config";
import type { Ask, Fetch } from "./ports";

/** Also of how many things that are due a sweep takes up at a time, if each asks somebody. */
export const MOST_CONNECTIONS = 4;
/** Providers leave so many to others: a look-up or a probe finds them free while a provider hangs. */
const KEPT_FROM_PROVIDERS = 2;
/** The local runtime has no bound; this one keeps a backlog from filling the memory. */
const MOST_LOCALLY = 200;

/** The longest time that a timer can measure. */
const FOREVER_MS = 2 ** 31 - 1;

type Pace = Pick<Config, "ENVIRONMENT" | "WEBHOOK_PACE">;

/** Whether an invocation has the bounds of a deployment. The local runtime has them only where they are to be measured. */
export const isBounded = ({ ENVIRONMENT, WEBHOOK_PACE }: Pace): boolean => ENVIRONMENT !== "local" || WEBHOOK_PACE === "deployed";

export class Connections {
	readonly most: number;
	#free: number;
	#ofProviders = 0;
	#waiting: { count: number; granted: (granted: true) => void }[] = [];

	/** Resolves when the next provider has answered. */
	#answered = Promise.withResolvers<void>();

	constructor(config: Pace) {
		this.most = isBounded(config) ? MOST_CONNECTIONS : MOST_LOCALLY;
		this.#free = this.most;
	}

	get isFree(): boolean {
		return this.#waiting.length === 0 && this.#free > 0;
	}

	/** Takes so many, first come, first served. False when they have not become free within that time; else the taker gives them back. */
	async take(count: number, patienceMs = FOREVER_MS): Promise<boolean> {
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

	/** Asks a provider, with its answer's body, over one connection. Waits for it as long as it takes. */
	async ask<T>(provider: () => Promise<T>): Promise<T> {
		while (this.#ofProviders >= this.most - KEPT_FROM_PROVIDERS) await this.#answered.promise;
		this.#ofProviders++;
		try {
			await this.take(1);
			return await provider().finally(() => this.give(1));
		} finally {
			this.#ofProviders--;
			this.#answered.resolve();
			this.#answered = Promise.withResolvers();
		}
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

/** Requests to providers, which share the connections of an invocation with the attempts of webhooks. */
export const askBy =
	(fetch: Fetch, connections: Connections): Ask =>
	(url, { timeoutMs, ...request }, read) =>
		connections.ask(() => withDeadline(timeoutMs, async (signal) => read(await fetch(url, { ...request, redirect: "manual", signal }))));
