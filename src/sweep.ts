// What the cron does each minute.

import { endExpired, purge, requeueDue } from "./domains/webhooks/sweep";
import { dueWork } from "./due-work";
import { purgeRecords } from "./http/idempotency";
import { purgeWindows } from "./http/limits";
import type { Services } from "./services";

/** In this order: attempts that were interrupted and events of due work are due themselves. */
const steps: readonly { name: string; run(services: Services): Promise<void> }[] = [
	{ name: "end expired attempts", run: endExpired },
	...dueWork,
	{ name: "queue what is due", run: requeueDue },
	{ name: "purge webhooks", run: purge },
	{ name: "purge rate windows", run: ({ db, realNow }) => db.commit([purgeWindows(db.orm, realNow)]) },
	{ name: "purge idempotency records", run: ({ db, realNow }) => db.commit([purgeRecords(db.orm, realNow)]) },
];

export async function sweep(services: Services): Promise<void> {
	for (const { name, run } of steps) {
		try {
			await run(services);
		} catch (error) {
			services.log.error("a step of the sweep failed", error, { step: name });
		}
	}
}
