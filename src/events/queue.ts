// Queue messages are wake-up signals: they name endpoints, and the consumer acts on what D1 says is due there. A message says its lane,
// because the names of queues differ from one environment to another.

import { type Column, type SQL, sql } from "drizzle-orm";
import type { Lane, Poked, WebhookQueue } from "../runtime/ports";

/** `cause`: the id of the request, message or sweep that sent it. */
export type EndpointMessage = { webhookId: string; lane: Lane; cause?: string };

/** When many deliveries have waited for an endpoint: how many requests it gets immediately, and then each second. */
const REQUESTS_PER_SECOND = 10;

/** The same of deliveries. */
export const releasedPerSecond = (endpoint: { batchSize: Column }): SQL =>
	sql`(${REQUESTS_PER_SECOND} * coalesce(${endpoint.batchSize}, 1))`;

/** Cloudflare's limits: 100 messages in a batch, and a delay of one day. */
const MAX_BATCH = 100;
const MAX_DELAY_S = 86_400;

export const webhookQueueBy = (env: Env, cause: string): WebhookQueue => ({ poke: (endpoints) => poke(env, endpoints, cause) });

async function poke(env: Env, endpoints: readonly Poked[], cause: string): Promise<void> {
	for (const lane of ["QUICK", "SLOW"] as const) {
		const queue = lane === "QUICK" ? env.WEBHOOK_QUEUE : env.WEBHOOK_SLOW_QUEUE;
		const messages = endpoints
			.filter((endpoint) => endpoint.lane === lane)
			.map(({ webhookId, delaySeconds = 0 }) => ({
				body: { webhookId, lane, cause },
				...(delaySeconds > 0 && { delaySeconds: Math.min(Math.ceil(delaySeconds), MAX_DELAY_S) }),
			}));
		for (let from = 0; from < messages.length; from += MAX_BATCH) await queue.sendBatch(messages.slice(from, from + MAX_BATCH));
	}
}
