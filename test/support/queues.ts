// Keeps the consumers that queues start within their test. A message that arrives between two tests is dropped, and the end of a test
// waits for consumers that still run, because they would write into the database of the next one.

import deployed from "../../src/worker";
import { worker } from "./outbound";

const { queue } = worker;
let closed = false;
let underWay = 0;

/** The longest wait for a consumer, whose receiver may never answer. */
const PATIENCE_MS = 1_000;
const POLL_MS = 5;

deployed.queue = worker.queue = async (batch, env, ctx) => {
	if (closed) return batch.ackAll();
	const track = async (work: Promise<unknown>) => {
		underWay++;
		await work.finally(() => underWay--);
	};
	await track(queue(batch, env, { ...ctx, waitUntil: (work: Promise<unknown>) => ctx.waitUntil(track(work)) } as ExecutionContext));
};

export function openQueues(): void {
	closed = false;
}

export async function closeQueues(): Promise<void> {
	closed = true;
	for (let waited = 0; underWay > 0 && waited < PATIENCE_MS; waited += POLL_MS) await scheduler.wait(POLL_MS);
}
