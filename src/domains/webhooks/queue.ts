// Queue messages are wake-up signals: they name deliveries, and whoever receives one re-reads D1 and acts on that.

export type DeliveryMessage = { deliveryId: string };
type Poked = { id: string; lane: "FIRST" | "RETRY" };

/** Cloudflare takes at most 100 messages in a batch. */
const MAX_BATCH = 100;

export async function poke(env: Env, deliveries: readonly Poked[]): Promise<void> {
	for (const lane of ["FIRST", "RETRY"] as const) {
		const queue = lane === "FIRST" ? env.WEBHOOK_QUEUE : env.WEBHOOK_RETRY_QUEUE;
		const messages = deliveries.filter((delivery) => delivery.lane === lane).map(({ id }) => ({ body: { deliveryId: id } }));
		for (let from = 0; from < messages.length; from += MAX_BATCH) await queue.sendBatch(messages.slice(from, from + MAX_BATCH));
	}
}
