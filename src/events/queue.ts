// Queue messages are wake-up signals: they name deliveries, and the consumer acts on what D1 says about them.

export type DeliveryMessage = { deliveryId: string };

/** FIRST for first attempts to healthy endpoints; RETRY for all others, so that a failing receiver does not delay healthy ones. */
export type Lane = "FIRST" | "RETRY";
/** A delivery to queue. Without `delaySeconds`, its message is available immediately. */
export type Poked = { id: string; lane: Lane; delaySeconds?: number };

/** How many deliveries of a backlog an endpoint gets each second. */
export const RELEASED_PER_SECOND = 10;

/** Cloudflare's limits: 100 messages in a batch, and a delay of one day. */
const MAX_BATCH = 100;
const MAX_DELAY_S = 86_400;

export async function poke(env: Env, deliveries: readonly Poked[]): Promise<void> {
	for (const lane of ["FIRST", "RETRY"] as const) {
		const queue = lane === "FIRST" ? env.WEBHOOK_QUEUE : env.WEBHOOK_RETRY_QUEUE;
		const messages = deliveries
			.filter((delivery) => delivery.lane === lane)
			.map(({ id, delaySeconds = 0 }) => ({
				body: { deliveryId: id },
				...(delaySeconds > 0 && { delaySeconds: Math.min(Math.ceil(delaySeconds), MAX_DELAY_S) }),
			}));
		for (let from = 0; from < messages.length; from += MAX_BATCH) await queue.sendBatch(messages.slice(from, from + MAX_BATCH));
	}
}
