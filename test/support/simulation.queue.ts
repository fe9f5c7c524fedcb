// The simulated queue: messages are lost, come twice, and wait for the simulated clock.

import type { Lane, Poked } from "../../src/runtime/ports";

type Message = { webhookId: string; lane: Lane; at: number };

/** The messages of a batch, as many as the platform hands to the consumer at once. */
const BATCH_SIZE = 20;

export class SimulatedQueue {
	readonly #now: () => number;
	readonly #happens: (probability: number) => boolean;
	#messages: Message[] = [];

	constructor(now: () => number, happens: (probability: number) => boolean) {
		this.#now = now;
		this.#happens = happens;
	}

	poke = async (some: readonly Poked[]): Promise<void> => {
		for (const { webhookId, lane, delaySeconds = 0 } of some) {
			if (this.#happens(0.1)) continue;
			const message = { webhookId, lane, at: this.#now() + delaySeconds * 1000 };
			this.#messages.push(message, ...(this.#happens(0.05) ? [message] : []));
		}
	};

	/** Bindings for requests, whose messages go to this queue too. */
	get bindings(): Partial<Env> {
		const queue = (lane: Lane) => ({
			sendBatch: (batch: Iterable<{ body: { webhookId: string }; delaySeconds?: number }>) =>
				this.poke([...batch].map(({ body, delaySeconds = 0 }) => ({ webhookId: body.webhookId, lane, delaySeconds }))),
		});
		return { WEBHOOK_QUEUE: queue("QUICK"), WEBHOOK_SLOW_QUEUE: queue("SLOW") } as unknown as Partial<Env>;
	}

	/** The endpoints of the first messages, which stay in the queue. */
	peek(count: number): string[] {
		return this.#messages.slice(0, count).map(({ webhookId }) => webhookId);
	}

	/** Takes the lane's due messages out of the queue, in batches for the consumer. */
	takeDue(lane: Lane): MessageBatch[] {
		const isDue = (message: Message) => message.lane === lane && message.at <= this.#now();
		const due = this.#messages.filter(isDue);
		this.#messages = this.#messages.filter((message) => !isDue(message));
		const batches: MessageBatch[] = [];
		for (let from = 0; from < due.length; from += BATCH_SIZE) {
			const messages = due
				.slice(from, from + BATCH_SIZE)
				.map(({ webhookId }) => ({ id: webhookId, body: { webhookId, lane }, ack() {}, retry() {} }));
			batches.push({ messages } as unknown as MessageBatch);
		}
		return batches;
	}
}
