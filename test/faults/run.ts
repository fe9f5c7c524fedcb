// Carries a plan out: the client's attempts, each in a life, then the queues and the sweeps.

import { forgetAll } from "../../src/shared/cache";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/shared/time";
import { bindOutbound, worker } from "../support/outbound";
import { isDead, Life, landed, type Point } from "./life";
import type { Message, Outside } from "./outside";
import type { Plan } from "./plan";
import type { Sending } from "./world";

/** Until then there is a sweep a minute. */
const LAST_MINUTE_MS = 5 * MINUTE_MS;
/** When there is a sweep, after the client has ended. */
export const STAGES: readonly (readonly [name: string, afterMs: number])[] = [
	...[1, 2, 3, 4, LAST_MINUTE_MS / MINUTE_MS].map((minute) => [`${minute}m`, minute * MINUTE_MS] as const),
	["1d", DAY_MS],
	["8d", 8 * DAY_MS],
	["8d2h", 8 * DAY_MS + 2 * HOUR_MS],
];

export type Answered = { readonly status: number; readonly body: string; readonly replayed: boolean };

/** What a client saw: its answers, the last of which it acts on; undefined is a lost one. */
export type Seen = { readonly answers: readonly (Answered | undefined)[]; readonly replay: Answered | undefined };

const MOST_ATTEMPTS = 8;

export class Run {
	/** The points of each life, by its name. */
	readonly points = new Map<string, readonly Point[]>();
	readonly #plan: Plan;
	readonly #outside: Outside;
	#endedAt = 0;

	constructor(plan: Plan, outside: Outside) {
		this.#plan = plan;
		this.#outside = outside;
		forgetAll();
	}

	/** A sane client: it repeats the same request until it has an answer that says something. */
	async client(sending: Sending, between?: () => Promise<unknown>): Promise<Seen> {
		const answers: (Answered | undefined)[] = [];
		let last: Answered | undefined;
		for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
			last = await this.#ask(attempt === 1 ? "call" : `call${attempt}`, sending);
			answers.push(last);
			if (attempt === 1) await between?.();
			if (this.#plan.gone) break;
			const waitMs = waitAfter(last);
			if (waitMs === undefined) break;
			await this.#wait(waitMs || attempt * SECOND_MS);
		}
		const acknowledged = sending.keyed && !this.#plan.gone && last !== undefined && last.status < 300;
		return { answers, replay: acknowledged ? await this.#ask("replay", sending) : undefined };
	}

	/** While a client waits for long, the sweeps go on: messages that they send would expire otherwise. */
	async #wait(ms: number): Promise<void> {
		const until = this.#outside.now + ms;
		if (ms >= MINUTE_MS) {
			// What is under way lands within seconds, so before the sweep.
			await this.#landLate();
			await this.#sweep("waiting", this.#outside.now + MINUTE_MS);
		}
		this.#outside.pass(until - this.#outside.now);
	}

	async #ask(name: string, { request }: Sending): Promise<Answered | undefined> {
		return this.#live(name, async (life) => {
			const response = await worker.fetch((await request()) as Parameters<typeof worker.fetch>[0], life.env, life.ctx);
			const body = await response.text();
			return { status: response.status, body, replayed: response.headers.get("idempotent-replayed") === "true", ...waitOf(response) };
		});
	}

	/** Another call, with any answer. */
	async meanwhile(sending: Sending): Promise<void> {
		await this.#ask("meanwhile", sending);
	}

	/** What lands when everybody has given up. */
	async landAll(): Promise<void> {
		await this.#landLate();
		this.#endedAt = this.#outside.now;
	}

	async stage([name, afterMs]: (typeof STAGES)[number]): Promise<void> {
		const at = this.#endedAt + afterMs;
		await this.#sweep(name, at);
		// The cron comes again a minute after a sweep that failed, and not only when the next one here is, days later.
		const failed = this.#plan.faults.some(({ life }) => life.endsWith(`+${name}`));
		if (failed && afterMs >= LAST_MINUTE_MS) await this.#sweep(`${name} again`, at + MINUTE_MS);
	}

	async #sweep(name: string, at: number): Promise<void> {
		await this.#deliver(`queue+${name}`);
		await this.#outside.passTo(at);
		// Without the objects that sweep a database each the cron sweeps them itself, with the bindings of the life, whose effects are points.
		await this.#live(`sweep+${name}`, ({ env, ctx }) =>
			worker.scheduled({} as ScheduledController, { ...env, SWEEPS: undefined } as never, ctx),
		);
		await this.#deliver(`queue+${name}`);
		await this.#landLate();
	}

	async #landLate(): Promise<void> {
		for (const late of this.#outside.late.splice(0)) await landed(late);
	}

	/** Delivers what is due, and what that makes due; again what was not acknowledged. */
	async #deliver(name: string): Promise<void> {
		for (let round = 0; round < MOST_ROUNDS; round++) {
			const due = this.#outside.take();
			if (due.size === 0) return;
			for (const [queue, messages] of due) await this.#consume(name, queue, messages);
		}
	}

	async #consume(name: string, queue: string, messages: readonly Message[]): Promise<void> {
		const again = new Set(messages);
		const delays = new Map<Message, number>();
		const batch = {
			queue,
			messages: messages.map((message, index) => ({
				...{ id: `m${index}`, timestamp: new Date(), body: message.body, attempts: message.attempts },
				ack: () => again.delete(message),
				retry: ({ delaySeconds = 0 } = {}) => delays.set(message, delaySeconds),
			})),
			ackAll: () => again.clear(),
			retryAll: () => {},
		};
		const ended = await this.#live(name, async (life) => {
			await worker.queue(batch as never, life.env, life.ctx);
			return true;
		});
		if (ended) for (const message of messages) if (!delays.has(message)) again.delete(message);
		for (const message of again) {
			if (message.attempts > MAX_RETRIES) continue;
			const dueAt = this.#outside.now + (delays.get(message) ?? 0) * SECOND_MS;
			this.#outside.messages.push({ ...message, attempts: message.attempts + 1, dueAt });
		}
	}

	/** One life, with the faults that the plan has for the first of this name. Undefined when it died or failed. */
	async #live<T>(name: string, work: (life: Life) => Promise<T>): Promise<T | undefined> {
		const faults = this.points.has(name) ? [] : this.#plan.faults.filter(({ life }) => life === name);
		const life = new Life(this.#outside, faults);
		if (!this.points.has(name)) this.points.set(name, life.points);
		// An isolate that died asks nobody any more.
		bindOutbound(life.fetch);
		const ended = await life.run(() => work(life)).catch(() => undefined);
		if (!isDead(ended)) return ended;
		forgetAll();
		return undefined;
	}
}

const MOST_ROUNDS = 20;
/** Fewer than `max_retries` in wrangler.toml: the rest would repeat the same. */
const MAX_RETRIES = 3;

const waitOf = (response: Response) => {
	const seconds = Number(response.headers.get("retry-after"));
	return seconds > 0 ? { retryAfter: seconds } : {};
};

/** How long a sane client waits before it repeats; 0 is up to it; undefined when the answer says something. */
function waitAfter(answer: (Answered & { retryAfter?: number }) | undefined): number | undefined {
	if (answer === undefined || answer.status >= 500) return 0;
	if (answer.status === 429 || answer.body.includes('"IDEMPOTENCY_IN_PROGRESS"')) return (answer.retryAfter ?? 0) * SECOND_MS;
	return undefined;
}
