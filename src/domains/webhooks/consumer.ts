// What the queues' messages set off. A message is done with once D1 holds the claim it led to, or has none to give:
// whatever happens to the attempt afterwards, the sweep finds it there.

import * as z from "zod";
import type { Services } from "../../services";
import { startAttempts } from "./attempt";
import type { Lane } from "./queue";

const Message = z.object({ deliveryId: z.uuid() });

const CLAIM_RETRY_S = 5;

/**
 * Batches whose attempts go on after the consumer returned. Locally a queue is consumed one batch after the other, so that one
 * receiver that hangs would hold up everybody; deployed, consumers run side by side and wait for their attempts.
 */
const handedOver: Record<Lane, number> = { FIRST: 0, RETRY: 0 };
const MAX_HANDED_OVER = 64;

export async function consume(batch: MessageBatch<unknown>, lane: Lane, services: Services): Promise<void> {
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
	let ended: Promise<void>;
	try {
		({ ended } = await startAttempts(services, [...messages.keys()], lane, (ids) => {
			for (const id of ids) {
				for (const message of messages.get(id) ?? []) message.ack();
				messages.delete(id);
			}
		}));
	} catch (error) {
		services.log.error("deliveries could not be claimed", error);
		for (const message of [...messages.values()].flat()) message.retry({ delaySeconds: CLAIM_RETRY_S });
		return;
	}
	if (services.config.ENVIRONMENT !== "local" || handedOver[lane] >= MAX_HANDED_OVER) return ended;
	handedOver[lane]++;
	services.afterwards(
		ended.finally(() => {
			handedOver[lane]--;
		}),
	);
}
