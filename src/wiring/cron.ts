// What the cron does each minute.

import { purge } from "../db/purge";
import { openClaims } from "../domains/webhooks/deliveries/attempt.store";
import { endExpired, purgeWebhooks, requeueDue, tendHeld } from "../domains/webhooks/deliveries/job";
import { expiredRecords } from "../http/idempotency";
import { expiredWindows } from "../http/limits";
import { atPresent, type JobServices } from "../runtime/services";
import { dueWork } from "./due-work";

/** In this order: attempts that were interrupted and events of due work are due themselves. */
const steps: readonly { name: string; run(services: JobServices): Promise<void> }[] = [
	{ name: "end expired attempts", run: endExpired },
	...dueWork,
	{ name: "tend held deliveries", run: tendHeld },
	{ name: "queue what is due", run: requeueDue },
	{ name: "purge webhooks", run: purgeWebhooks },
	{ name: "purge rate windows", run: ({ db, realNow }) => purge(db, [expiredWindows(db.orm, realNow)]) },
	{ name: "purge idempotency records", run: ({ db, realNow }) => purge(db, [expiredRecords(db.orm, realNow)]) },
];

export async function sweep(services: JobServices): Promise<void> {
	for (const { name, run } of steps) {
		try {
			await run(services);
		} catch (error) {
			services.log.error("a step of the sweep failed", error, { step: name });
		}
	}
}

/**
 * For `local`, where a process that starts is the only one: whatever was in mid-attempt when the last one ended is due again as
 * soon as its claim has run out, whether or not a cron comes by.
 */
export async function sweepAtStart(services: JobServices): Promise<void> {
	// Read first: claims that come later are this process's own.
	const [[open]] = await services.db.read(openClaims(services));
	await sweep(services);
	if (open?.until == null) return;
	await scheduler.wait(Math.max(0, open.until - Date.now()));
	await sweep(atPresent(services));
}
