// What becomes of wake-up messages that the queue gave up: people see their endpoints. The sweep queues again whatever is still due.

import type { JobServices } from "../../../runtime/services";
import { Message } from "./consumer.job";
import { noteDeadLetter } from "./dead-letters.store";

export async function noteDeadLetters(batch: MessageBatch<unknown>, services: JobServices): Promise<void> {
	services.log.error("messages ended as dead letters", undefined, { queue: batch.queue, count: batch.messages.length });
	services.providers.metrics?.record({ kind: "deadLetters", queue: batch.queue, count: batch.messages.length });
	const letters = batch.messages.flatMap(({ body }) => Message.safeParse(body).data ?? []);
	const byDatabase = Map.groupBy(letters, ({ webhookId }) => services.at(webhookId).db);
	await Promise.all(
		[...byDatabase.values()].map((some) => {
			const there = services.at(some[0]?.webhookId ?? "");
			return there.commit(some.map((letter) => noteDeadLetter(there.db.orm, letter, there.now)));
		}),
	);
}
