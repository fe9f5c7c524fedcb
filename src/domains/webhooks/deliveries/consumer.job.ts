// What the queues' messages set off. A message is done with once D1 holds the claim it led to, or has none to give:
// whatever happens to the attempt afterwards, the sweep finds it there.

import * as z from "zod";
import type { Lane } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import { startAttempts } from "./attempt.job";

const Message = z.object({ deliveryId: z.uuid() });

const CLAIM_RETRY_S = 5;

/**
 * Batches whose attempts go on after the consumer returned, so that receivers that hang keep no consumer from the others. Only
 * so many in an isolate: far more than can be begun before their endpoints show to be slow and leave the first lane.
 */
const handedOver: Record<Lane, number> = { FIRST: 0, RETRY: 0 };
const MAX_HANDED_OVER = 512;

export async function consume(batch: MessageBatch<unknown>, lane: Lane, services: JobServices): Promise<void> {
	const messages = new Map<string, Message<unknown>[]>();
	for (const message of batch.messages) {
		const parsed = Message.safeParse(message.body);
		if (!parsed.success) {
			services.log.error("a message that names no delivery was dropped", parsed.error, { message_id: message.id });
			message.ack();
			continue;
		}
		const { deliveryId } = parsed.data;
		messages.set(deliveryId, [...(messages.get(deliveryId) ?? []), message]);
	}
	let attempts: Awaited<ReturnType<typeof startAttempts>>;
	try {
		attempts = await startAttempts(services, [...messages.keys()], lane, (ids) => {
			for (const id of ids) {
				for (const message of messages.get(id) ?? []) message.ack();
				messages.delete(id);
			}
		});
	} catch (error) {
		services.log.error("deliveries could not be claimed", error);
		for (const message of [...messages.values()].flat()) message.retry({ delaySeconds: CLAIM_RETRY_S });
		return;
	}
	const { ended, endedOrSlow } = attempts;
	if (handedOver[lane] >= MAX_HANDED_OVER) return ended;
	handedOver[lane]++;
	services.afterwards(
		ended.finally(() => {
			handedOver[lane]--;
		}),
	);
	// Locally a queue is consumed one batch after the other, and nothing limits what goes on. Deployed, consumers run side by side
	// and the platform ends what goes on for longer than 30 s: by then the slowest have two seconds less than that to go.
	if (services.config.ENVIRONMENT !== "local") await endedOrSlow;
}
