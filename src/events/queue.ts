// Queue messages are wake-up signals: they name deliveries, and whoever receives one re-reads D1 and acts on that.

export type DeliveryMessage = { deliveryId: string };

/** FIRST for the first attempts of endpoints that are well; RETRY for all others, so that a dead receiver delays no healthy one. */
export type Lane = "FIRST" | "RETRY";
export type Poked = { id: string; lane: Lane /** Not before so many seconds; at once when absent. */; delaySeconds?: number };

/** Deliveries that an endpoint gets at once, and then each second, of many that have waited for it. */
export const RELEASED_PER_SECOND = 10;

/** Cloudflare takes at most 100 messages in a batch, and holds one back for a day at most. */
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
