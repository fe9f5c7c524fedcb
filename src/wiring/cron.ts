// What the cron does each minute.

import { purge } from "../db/purge";
import { openClaims } from "../domains/webhooks/deliveries/attempt.store";
import { endExpired, purgeWebhooks, requeueDue } from "../domains/webhooks/deliveries/job";
import { expiredRecords } from "../http/idempotency";
import { expiredWindows } from "../http/limits";
import { atPresent, type JobServices } from "../runtime/services";
import { dueWork } from "./due-work";
import { completeHomeMessages } from "./home-messages";

/** In this order: attempts that were interrupted and events of due work are due themselves. */
const steps: readonly { name: string; run(services: JobServices): Promise<void> }[] = [
	{ name: "end expired attempts", run: endExpired },
	...dueWork,
	{ name: "queue what is due", run: requeueDue },
	{ name: "purge webhooks", run: purgeWebhooks },
	{ name: "purge rate windows", run: ({ db, realNow }) => purge(db, [expiredWindows(db.orm, realNow)]) },
	{ name: "purge idempotency records", run: ({ db, realNow }) => purge(db, [expiredRecords(db.orm, realNow)]) },
];

export async function sweep(services: JobServices): Promise<void> {
	for (const { name, run } of steps) {
		for (const here of services.everywhere()) {
			try {
				await run(here);
			} catch (error) {
				services.log.error("a step of the sweep failed", error, { step: name });
			}
		}
	}
	await completeHomeMessages(services).catch((error: unknown) => services.log.error("home messages could not be carried", error));
}

/**
 * For `local`, where a process that starts is the only one: whatever was in mid-attempt when the last one ended is due again as
 * soon as its claim has run out, whether or not a cron comes by.
 */
export async function sweepAtStart(services: JobServices): Promise<void> {
	// Read first: claims that come later are this process's own.
	const open = await Promise.all(services.everywhere().map(async (here) => (await here.db.read(openClaims(here)))[0]));
	await sweep(services);
	const until = open.flat().reduce((latest, claim) => Math.max(latest, claim.until ?? 0), 0);
	if (until === 0) return;
	await scheduler.wait(Math.max(0, until - Date.now()));
	await sweep(atPresent(services));
}
