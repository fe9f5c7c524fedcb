// Queue messages are wake-up signals: they name deliveries, and the consumer acts on what D1 says about them.

import type { Poked, WebhookQueue } from "../runtime/ports";

export type DeliveryMessage = { deliveryId: string };

/** When many deliveries have waited for an endpoint: how many of them it gets at once, and then each second. */
export const RELEASED_PER_SECOND = 10;

/** Cloudflare's limits: 100 messages in a batch, and a delay of one day. */
const MAX_BATCH = 100;
const MAX_DELAY_S = 86_400;

export const webhookQueueBy = (env: Env): WebhookQueue => ({ poke: (deliveries) => poke(env, deliveries) });

async function poke(env: Env, deliveries: readonly Poked[]): Promise<void> {
	for (const lane of ["QUICK", "SLOW"] as const) {
		const queue = lane === "QUICK" ? env.WEBHOOK_QUEUE : env.WEBHOOK_SLOW_QUEUE;
		const messages = deliveries
			.filter((delivery) => delivery.lane === lane)
			.map(({ id, delaySeconds = 0 }) => ({
				body: { deliveryId: id },
				...(delaySeconds > 0 && { delaySeconds: Math.min(Math.ceil(delaySeconds), MAX_DELAY_S) }),
			}));
		for (let from = 0; from < messages.length; from += MAX_BATCH) await queue.sendBatch(messages.slice(from, from + MAX_BATCH));
	}
}
