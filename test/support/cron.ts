// Runs the cron as the platform does.

import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { worker } from "./outbound";

/** @param sweeps the objects that sweep a database each; without them the cron sweeps every database itself, with these bindings */
export async function cron(bindings: Env, sweeps?: object): Promise<void> {
	const ctx = createExecutionContext();
	// The same environment where it can be, because the Worker reads the configuration of each once.
	const env = bindings.SWEEPS === sweeps ? bindings : { ...bindings, SWEEPS: sweeps as Env["SWEEPS"] };
	await worker.scheduled(createScheduledController(), env, ctx);
	await waitOnExecutionContext(ctx);
}
