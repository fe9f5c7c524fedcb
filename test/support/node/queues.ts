// Queues in Node: messages come in batches, again when they are retried, and at last in the queue of dead letters.

import { randomBytes } from "node:crypto";
import { after, arrival, realNow } from "./clock";
import { createExecutionContext, createMessageBatch, retriedAfter } from "./execution";

/** As wrangler.toml names them. */
export type Consumer = {
	readonly queue: string;
	readonly max_batch_size?: number;
	readonly max_batch_timeout?: number;
	readonly max_retries?: number;
	readonly dead_letter_queue?: string;
};
type Handler = (batch: MessageBatch, ctx: ExecutionContext) => unknown;
type Waiting = { readonly id: string; readonly timestamp: Date; readonly body: unknown; attempts: number };

const MOST_BYTES = 128_000;
const MOST_MESSAGES = 100;
const MOST_BYTES_TOGETHER = 288_000;
const MOST_SECONDS = 86_400;

class Queue {
	readonly #name: string;
	readonly #broker: Broker;
	readonly #consumer: Consumer | undefined;
	#waiting: Waiting[] = [];
	#flush: { soon: boolean; cancel: () => void } | undefined;
	/** How often its messages were dropped: what is under way then puts none back. */
	#dropped = 0;

	constructor(name: string, broker: Broker, consumer: Consumer | undefined) {
		this.#name = name;
		this.#broker = broker;
		this.#consumer = consumer;
	}

	put(messages: readonly Waiting[], delaySeconds: number): void {
		// Without a consumer nobody keeps them.
		if (!this.#consumer) return;
		this.#broker.later(delaySeconds * 1_000, () => {
			this.#waiting.push(...messages);
			this.#plan();
		});
	}

	clear(): void {
		this.#dropped++;
		this.#waiting = [];
		this.#flush = undefined;
	}

	/** One batch at a time: the next is planned when the consumer has returned. */
	#plan(): void {
		const { max_batch_size = 5, max_batch_timeout = 1 } = this.#consumer ?? {};
		const isFull = this.#waiting.length >= max_batch_size;
		if (this.#flush) {
			if (this.#flush.soon || !isFull) return;
			this.#flush.cancel();
		}
		const ms = isFull ? 0 : max_batch_timeout * 1_000;
		this.#flush = { soon: ms === 0, cancel: this.#broker.later(ms, () => void this.#deliver()) };
	}

	async #deliver(): Promise<void> {
		const { max_batch_size = 5, max_retries = 2, dead_letter_queue } = this.#consumer ?? {};
		const taken = this.#waiting.splice(0, max_batch_size);
		const batch = createMessageBatch(this.#name, taken);
		const dropped = this.#dropped;
		const isAnswered = await this.#broker.handle(batch as unknown as MessageBatch);
		if (dropped !== this.#dropped) return;
		const dead: Waiting[] = [];
		for (const [index, message] of taken.entries()) {
			const verdict = batch.messages[index];
			const seconds = isAnswered && verdict ? retriedAfter(batch, verdict) : 0;
			if (seconds === undefined) continue;
			if (message.attempts > max_retries) dead.push(message);
			else this.put([{ ...message, attempts: message.attempts + 1 }], seconds);
		}
		this.#flush = undefined;
		if (this.#waiting.length > 0) this.#plan();
		if (dead.length > 0 && dead_letter_queue)
			this.#broker.queue(dead_letter_queue).put(
				dead.map((message) => ({ ...message, attempts: 1 })),
				0,
			);
	}
}

/** The binding by which a Worker sends. */
class Producer {
	readonly #queue: Queue;

	constructor(queue: Queue) {
		this.#queue = queue;
	}

	async send(body: unknown, options: QueueSendOptions = {}): Promise<void> {
		await this.sendBatch([{ body, ...options }] as MessageSendRequest[]);
	}

	async sendBatch(messages: Iterable<MessageSendRequest>, options: QueueSendBatchOptions = {}): Promise<void> {
		const sent = [...messages].map(({ body, delaySeconds = options.delaySeconds ?? 0 }) => ({ json: JSON.stringify(body), delaySeconds }));
		const sizes = sent.map(({ json }) => Buffer.byteLength(json));
		await arrival();
		if (sent.length > MOST_MESSAGES)
			throw new Error(`Queue sendBatch failed: batch message count of ${sent.length} exceeds limit of ${MOST_MESSAGES}`);
		for (const size of sizes)
			if (size > MOST_BYTES) throw new Error(`Queue send failed: message length of ${size} bytes exceeds limit of ${MOST_BYTES}`);
		const together = sizes.reduce((sum, size) => sum + size, 0);
		if (together > MOST_BYTES_TOGETHER)
			throw new Error(`Queue sendBatch failed: batch size of ${together} bytes exceeds limit of ${MOST_BYTES_TOGETHER}`);
		for (const { delaySeconds } of sent)
			if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > MOST_SECONDS)
				throw new Error(`Queue send failed: message delay ${delaySeconds} is invalid`);
		for (const { json, delaySeconds } of sent) {
			const message = {
				id: randomBytes(16).toString("hex"),
				timestamp: new Date(realNow()),
				body: JSON.parse(json) as unknown,
				attempts: 1,
			};
			this.#queue.put([message], delaySeconds);
		}
	}
}

export class Broker {
	readonly #consumers: readonly Consumer[];
	readonly #handler: () => Handler | undefined;
	readonly #queues = new Map<string, Queue>();
	readonly #timers = new Set<() => void>();

	/** @param handler the Worker's handler of messages, asked for each batch */
	constructor(consumers: readonly Consumer[], handler: () => Handler | undefined) {
		this.#consumers = consumers;
		this.#handler = handler;
	}

	producer(name: string): Queue_ {
		return new Producer(this.queue(name)) as unknown as Queue_;
	}

	queue(name: string): Queue {
		const known = this.#queues.get(name);
		if (known) return known;
		const made = new Queue(
			name,
			this,
			this.#consumers.find(({ queue }) => queue === name),
		);
		this.#queues.set(name, made);
		return made;
	}

	later(ms: number, work: () => void): () => void {
		const cancel = after(ms, () => {
			this.#timers.delete(cancel);
			work();
		});
		this.#timers.add(cancel);
		return cancel;
	}

	/** Whether the consumer returned. */
	async handle(batch: MessageBatch): Promise<boolean> {
		try {
			await this.#handler()?.(batch, createExecutionContext());
			return true;
		} catch {
			return false;
		}
	}

	/** Drops every message. */
	clear(): void {
		for (const cancel of this.#timers) cancel();
		this.#timers.clear();
		for (const queue of this.#queues.values()) queue.clear();
	}
}
type Queue_ = globalThis.Queue;
