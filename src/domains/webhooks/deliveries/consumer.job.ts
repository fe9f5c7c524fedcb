// The consumer of the delivery queues. A message is acknowledged once D1 has stored the claim, or there was nothing to
// claim: if the attempt breaks off later, the sweep finds it in D1.

import * as z from "zod";
import { isBounded } from "../../../runtime/connections";
import { listed } from "../../../runtime/log";
import type { Lane } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import { noteDeadLetter } from "./dead-letters.store";
import { DeliveryRun } from "./engine.job";
import { GOES_ON_MS, STAYS_MS, STAYS_WHILE_OTHERS_WAIT_MS } from "./engine.policy";

export const Message = z.object({
	webhookId: z.uuid(),
	lane: z.enum(["QUICK", "SLOW"]),
	cause: z.string().max(128).optional().catch(undefined),
});

const FIRST_RETRY_S = 5;
const LONGEST_RETRY_S = 600;

/** Twice as long each time, so that ten tries last longer than an outage of D1, which then leaves no dead letters. */
export const retryAfterS = (attempts: number): number => Math.min(FIRST_RETRY_S * 2 ** (attempts - 1), LONGEST_RETRY_S);

/** `max_batch_size` in wrangler.toml. */
const FULL_BATCH = 20;
/** Behind a full batch more messages may wait, so a run queues what is due next at its endpoints behind them. */
const WHILE_OTHERS_WAIT = { until: 0, most: 2 * FULL_BATCH, staysMs: STAYS_WHILE_OTHERS_WAIT_MS };

/**
 * How many batches continue after the consumer has returned, so that slow receivers do not block it. Their bound in an isolate is far
 * above the number that can start before slow endpoints are moved to the SLOW lane.
 */
const inBackground: Record<Lane, number> = { QUICK: 0, SLOW: 0 };
const MAX_IN_BACKGROUND = 512;

export async function consume(batch: MessageBatch<unknown>, services: JobServices): Promise<void> {
	const lanes: Record<Lane, Messages> = { QUICK: new Map(), SLOW: new Map() };
	const causes: Record<Lane, Set<string>> = { QUICK: new Set(), SLOW: new Set() };
	for (const message of batch.messages) {
		const parsed = Message.safeParse(message.body);
		if (!parsed.success) {
			services.log.error("dropped a queue message without an endpoint id", parsed.error, { message_id: message.id });
			message.ack();
			continue;
		}
		const { webhookId, lane, cause } = parsed.data;
		if (cause !== undefined) causes[lane].add(cause);
		const messages = lanes[lane];
		messages.set(webhookId, [...(messages.get(webhookId) ?? []), message]);
	}
	const isFull = batch.messages.length >= FULL_BATCH;
	await Promise.all(
		(["QUICK", "SLOW"] as const).map(async (lane) => {
			if (lanes[lane].size > 0) await consumeIn(lane, lanes[lane], { services, isFull, causes: listed(causes[lane]) });
		}),
	);
}

/** Messages by endpoint. */
type Messages = Map<string, Message<unknown>[]>;
type With = { readonly services: JobServices; readonly isFull: boolean; readonly causes: string };

/** Consumes the messages of one lane. */
async function consumeIn(lane: Lane, messages: Messages, { services, isFull, causes }: With): Promise<void> {
	const local = !isBounded(services.config);
	// A batch may name endpoints of several databases: one run claims the deliveries of one database.
	const here = [...Map.groupBy(messages.keys(), (id) => services.at(id).db).values()];
	const until = local ? undefined : Date.now() + GOES_ON_MS;
	const options = { lane, shares: here.length > 1, ...(isFull ? WHILE_OTHERS_WAIT : { until, staysMs: STAYS_MS }) };
	const runs = await Promise.all(
		here.map(async (ids) => {
			const own = ids.flatMap((id) => messages.get(id) ?? []);
			const run = new DeliveryRun(services.at(ids[0] ?? ""), options);
			try {
				await run.start(ids);
				for (const message of own) message.ack();
			} catch (error) {
				services.log.error("deliveries could not be claimed", error, { causes });
				for (const message of own) message.retry({ delaySeconds: retryAfterS(message.attempts) });
			}
			return run;
		}),
	);
	const ended = Promise.all(runs.map((run) => run.ended())).then(() => {
		const { trips, rowsRead, rowsWritten, durationMs } = services.databases.meter;
		const cost = { d1_trips: trips, d1_rows_read: rowsRead, d1_rows_written: rowsWritten, d1_ms: durationMs };
		services.log.info("webhook batch", { lane, endpoints: messages.size, causes, ...cost });
	});
	if (inBackground[lane] >= MAX_IN_BACKGROUND) return ended;
	inBackground[lane]++;
	services.afterwards(() =>
		ended.finally(() => {
			inBackground[lane]--;
		}),
	);
	// Locally background work has no time limit, so the consumer returns immediately.
	if (!local) await Promise.all(runs.map((run) => run.leave()));
}

/** Notes the endpoints whose wake-up messages the queue gave up, for people to see. The sweep queues everything again that is still due. */
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
