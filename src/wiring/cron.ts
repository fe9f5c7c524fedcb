// What is done each minute in every database: work that is due, and removal of what has expired.

import type { Place } from "../db/places";
import { purge } from "../db/purge";
import { first } from "../db/reads";
import { rereadSeals } from "../domains/audit/job";
import { endEarlierProcesses, endExpired, startDue, tendHeld } from "../domains/webhooks/deliveries/job";
import { healEndpoints } from "../domains/webhooks/healing/job";
import { archiveDeliveries } from "../domains/webhooks/keeping/archive.job";
import { purgeWebhooks } from "../domains/webhooks/keeping/purge.job";
import { keepToQuotas } from "../domains/webhooks/keeping/quota.job";
import { measureStorage } from "../domains/webhooks/keeping/storage.job";
import { carryOnRecoveries } from "../domains/webhooks/recovery/job";
import { longestOverdue } from "../events/backlog";
import { expiredRecords } from "../http/idempotency/expired-records";
import { expiredSealed } from "../http/idempotency/sealed-answers";
import { expiredWindows } from "../http/limits";
import type { Log } from "../runtime/log";
import type { JobServices } from "../runtime/services";
import { percentOf } from "../shared/storage-levels";
import { sendAlerts } from "./alerts";
import { backUp } from "./backup";
import { dueWork } from "./due-work";
import { completeHomeMessages } from "./home-messages";
import { retireOldestKey } from "./key-retirement";
import { type Budget, inTurns, type Step } from "./turns";

/** In this order, because interrupted attempts and the events of due work make deliveries due. */
export const steps: readonly Step[] = [
	{ name: "measure storage", run: measureStorage },
	{ name: "end expired attempts", run: endExpired },
	...dueWork,
	{ name: "heal endpoints", run: healEndpoints },
	{ name: "tend held deliveries", run: tendHeld },
	{ name: "carry on recoveries", run: carryOnRecoveries },
	{ name: "carry home messages", run: completeHomeMessages },
	{ name: "retire the oldest master key", run: retireOldestKey },
	{ name: "start what is due", run: startDue },
	{ name: "archive deliveries", run: archiveDeliveries },
	{ name: "purge webhooks", run: purgeWebhooks },
	{ name: "keep to quotas", run: keepToQuotas },
	{ name: "purge rate windows", run: ({ db, realNow }) => purge(db, [expiredWindows(db.orm, realNow)]) },
	{
		name: "purge idempotency records",
		run: ({ db, realNow }) => purge(db, [expiredRecords(db.orm, realNow), expiredSealed(db.orm, realNow)]),
	},
	{ name: "back up", run: backUp },
	// After the backup, whose delay it reports.
	{ name: "tell alerts", run: sendAlerts },
	// Last, because it always finds something, and those after what works ask again.
	{ name: "reread seals", run: rereadSeals },
];

/** The budget of one invocation. Cloudflare allows it a thousand queries, and a round trip may carry several. */
const BUDGET: Budget = { ms: 20_000, trips: 200 };

/** @param further looked at before the step that always finds something */
export const sweep = (services: JobServices, budget = BUDGET, further: readonly Step[] = []): Promise<number> =>
	inTurns([...steps.slice(0, -1), ...further, ...steps.slice(-1)], services, budget);

/**
 * For `local`, where the process that starts is the only one: attempts that the last process left behind are repeated immediately, without
 * a cron.
 */
export async function sweepAtStart(services: JobServices, budget = BUDGET, further: readonly Step[] = []): Promise<number> {
	await endEarlierProcesses(services);
	return sweep(services, budget, further);
}

export type PlaceSweep = {
	servicesIn(place: Place): Promise<JobServices>;
	log: Log;
};

/** The databases that this process has swept. In `local` the first sweep of each ends what an earlier process has left behind. */
const swept = new Set<string>();

/** Whether this is the first sweep of the database by a process that is the only one. */
function isFirst(place: Place, { ENVIRONMENT }: JobServices["config"]): boolean {
	const first = !swept.has(place.name) && ENVIRONMENT === "local";
	swept.add(place.name);
	return first;
}

/**
 * Sweeps these databases in this invocation, one after the other. They share its budget, and begin with a random one, so that none
 * is always the last.
 */
export async function sweepHere(places: readonly Place[], { servicesIn, log }: PlaceSweep): Promise<void> {
	const first = Math.floor(Math.random() * places.length);
	const budget = { ms: BUDGET.ms / places.length, trips: Math.floor(BUDGET.trips / places.length) };
	for (const place of [...places.slice(first), ...places.slice(0, first)]) {
		try {
			const services = await servicesIn(place);
			if (services.config.WRITES === "off") continue;
			const backlog = new Backlog();
			const left = await (isFirst(place, services.config) ? sweepAtStart : sweep)(
				services,
				budget,
				services.providers.metrics ? [backlog] : [],
			);
			record(services, place, { left, overdueSeconds: backlog.overdueSeconds });
		} catch (error) {
			log.error("a database could not be swept", error, { database: place.name });
		}
	}
}

/** How long the delivery has been due that has waited longest. */
class Backlog implements Step {
	readonly name = "look at the backlog";
	/** Undefined until it was looked at. */
	overdueSeconds: number | undefined;

	readonly run = async ({ db, now }: JobServices): Promise<boolean> => {
		const waiting = await db.read(first(longestOverdue(db.orm, now)));
		this.overdueSeconds = Math.floor((now - (waiting?.due ?? now)) / 1000);
		return false;
	};
}

/** Reports to the metrics that the database was swept, and its state. */
function record(
	{ db, config, providers, realNow }: JobServices,
	{ name: database }: Place,
	{ left, overdueSeconds }: { left: number; overdueSeconds: number | undefined },
): void {
	if (overdueSeconds === undefined) return;
	const storagePercent = percentOf(db.bytes, config.DATABASE_BYTES);
	providers.metrics?.record({ kind: "sweep", database, ms: Date.now() - realNow, overdueSeconds, storagePercent, left });
}

/**
 * Has all databases swept, each by its own object (`sweep.object.ts`). It uses no queue, because the sweep repairs lost queue messages.
 * Databases whose object fails, or all where there are no objects, are swept `here`.
 */
export async function sweepAll(
	places: readonly Place[],
	{ poke, here, log }: { poke: ((place: Place) => Promise<void>) | undefined; here(places: readonly Place[]): Promise<void>; log: Log },
): Promise<void> {
	if (!poke) return here(places);
	const failed = await Promise.all(
		places.map(async (place) => {
			try {
				await poke(place);
				return [];
			} catch (error) {
				log.error("the object of a sweep failed", error, { database: place.name });
				return [place];
			}
		}),
	);
	const left = failed.flat();
	if (left.length > 0) await here(left);
}
