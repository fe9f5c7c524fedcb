// What the platform hands to a handler, in Node: contexts, the cron's controller, and batches of messages with what became of them.

const underWay = new WeakMap<object, Promise<unknown>[]>();
/** Longer than that no invocation continues after its answer. */
const LONGEST_MS = 30_000;

class Context {
	readonly props = {};
	readonly exports: object | undefined;

	constructor(exports: object | undefined) {
		this.exports = exports;
		underWay.set(this, []);
	}

	waitUntil(work: Promise<unknown>): void {
		const works = underWay.get(this);
		if (!works) throw new TypeError("Illegal invocation");
		works.push(work);
		// What fails is reported to those who wait for the context.
		Promise.resolve(work).catch(() => {});
	}

	passThroughOnException(): void {}
}

let entryPoints: object | undefined;
/** The entry points by which a Worker calls itself, in every context from here on. */
export function contextsExport(exports: object): void {
	entryPoints = exports;
}

export const createExecutionContext = (): ExecutionContext => new Context(entryPoints) as unknown as ExecutionContext;

/** Waits for the work of the context, and for what that work adds. Throws what failed. */
export async function waitOnExecutionContext(ctx: object): Promise<void> {
	const works = underWay.get(ctx);
	if (!works) throw new TypeError("parameter 1 is not of type 'ExecutionContext'.");
	const failed: unknown[] = [];
	while (works.length > 0) {
		const tooLate = Promise.withResolvers<never[]>();
		const timer = setTimeout(() => tooLate.resolve([]), LONGEST_MS);
		for (const each of await Promise.race([Promise.allSettled(works.splice(0)), tooLate.promise]))
			if (each.status === "rejected") failed.push(each.reason);
		clearTimeout(timer);
	}
	if (failed.length === 1) throw failed[0];
	if (failed.length > 1) throw new AggregateError(failed);
}

export const createScheduledController = ({ scheduledTime = Date.now(), cron = "" } = {}) => ({
	scheduledTime: Number(scheduledTime),
	cron,
	noRetry() {},
});

type Sent = { id: string; timestamp: Date; attempts: number; body: unknown };
type Verdict = "ack" | { retryAfterSeconds?: number | undefined };

const verdictOf = ({ delaySeconds }: QueueRetryOptions = {}): Verdict => ({ retryAfterSeconds: delaySeconds });

class Batch {
	readonly queue: string;
	readonly messages: readonly Message[];
	readonly metadata = { metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: new Date(0) } };
	whole: Verdict | undefined;

	constructor(queue: string, messages: readonly Sent[]) {
		this.queue = queue;
		this.messages = messages.map((message) => new Message(this, message));
	}

	/** The first verdict over the whole batch counts. */
	ackAll(): void {
		this.whole ??= "ack";
	}

	retryAll(options?: QueueRetryOptions): void {
		this.whole ??= verdictOf(options);
	}
}

class Message {
	readonly id: string;
	readonly timestamp: Date;
	readonly attempts: number;
	readonly body: unknown;
	readonly #batch: Batch;
	own: Verdict | undefined;

	constructor(batch: Batch, { id, timestamp, attempts, body }: Sent) {
		this.#batch = batch;
		this.id = String(id);
		this.timestamp = new Date(timestamp);
		this.attempts = attempts;
		this.body = structuredClone(body);
	}

	/** The first verdict counts. */
	ack(): void {
		if (!this.#batch.whole) this.own ??= "ack";
	}

	retry(options?: QueueRetryOptions): void {
		if (!this.#batch.whole) this.own ??= verdictOf(options);
	}
}

export function createMessageBatch(queue: string, messages: readonly Sent[]): Batch {
	if (!Array.isArray(messages)) throw new TypeError("parameter 2 is not of type 'Array'.");
	return new Batch(queue, messages);
}

const isRetry = (verdict: Verdict | undefined) => typeof verdict === "object";

/** What the consumer said of the batch, once the work of its context has ended. */
export async function getQueueResult(batch: Batch, ctx: object) {
	if (!(batch instanceof Batch)) throw new TypeError("parameter 1 is not of type 'MessageBatch'.");
	await waitOnExecutionContext(ctx);
	return {
		outcome: "ok",
		retryBatch: { retry: isRetry(batch.whole) },
		ackAll: batch.whole === "ack",
		retryMessages: batch.messages.filter(({ own }) => isRetry(own)).map(({ id }) => ({ msgId: id })),
		explicitAcks: batch.messages.filter(({ own }) => own === "ack").map(({ id }) => id),
	};
}

/** After how many seconds the message comes again; undefined where it does not. A message without a verdict is acknowledged. */
export function retriedAfter({ whole }: Batch, { own }: Message): number | undefined {
	const verdict = [whole, own].find(isRetry);
	return typeof verdict === "object" ? (verdict.retryAfterSeconds ?? 0) : undefined;
}
