// Runs the cron as the platform does.

import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { worker } from "./outbound";

/**
 * @param exports the entry points through which the cron starts an invocation for each database; without them it sweeps every database
 * in this invocation, with these bindings
 */
export async function cron(bindings: Env, exports?: object): Promise<void> {
	const ctx = createExecutionContext();
	await worker.scheduled(
		createScheduledController(),
		bindings,
		Object.assign(Object.create(ctx), { exports, waitUntil: (work: Promise<unknown>) => ctx.waitUntil(work) }),
	);
	await waitOnExecutionContext(ctx);
}
