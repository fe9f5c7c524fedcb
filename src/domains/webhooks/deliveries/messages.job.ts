// The messages by which a run leaves to later ones what is due at its endpoints: one for each endpoint, however often it is left there.

import type { Lane, WebhookQueue } from "../../../runtime/ports";
import { LINGERS_MS } from "./background.policy";

type Left = { webhookId: string; lane: Lane };

export class Messages {
	readonly #queue: WebhookQueue;
	readonly #held = new Map<string, Left>();

	constructor(queue: WebhookQueue) {
		this.#queue = queue;
	}

	async send(left: readonly Left[], waitMs = 0): Promise<void> {
		const endpoints = new Map(left.map(({ webhookId, lane }) => [webhookId, { webhookId, lane, delaySeconds: waitMs / 1000 }]));
		if (endpoints.size > 0) await this.#queue.poke([...endpoints.values()]);
	}

	/** Holds them until the run has nothing under way at their endpoints, which it tells with the next ones, but no longer than it lingers there. */
	async sendAfter(left: readonly Left[], underWayAt: ReadonlySet<string>): Promise<void> {
		for (const one of left) this.#held.set(one.webhookId, one);
		await this.#release(({ webhookId }) => !underWayAt.has(webhookId));
		if (this.#held.size === 0) return;
		await scheduler.wait(LINGERS_MS);
		await this.#release(() => true);
	}

	async #release(which: (left: Left) => boolean): Promise<void> {
		const released = [...this.#held.values()].filter(which);
		for (const { webhookId } of released) this.#held.delete(webhookId);
		await this.send(released);
	}
}
