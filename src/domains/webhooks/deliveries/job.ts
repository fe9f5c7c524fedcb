// The sweep's work on deliveries: starts due deliveries again, ends attempts whose claim has expired, and holds, releases or fails the
// deliveries of suspended, resumed and deleted endpoints. Because of it, a lost queue message only delays a delivery.

import { sql } from "drizzle-orm";
import { asked, type Expired, ofFound, remove, unlessNone } from "../../../db/purge";
import { listed } from "../../../runtime/log";
import { atPresent } from "../../../runtime/making-services";
import type { JobServices } from "../../../runtime/services";
import { DAY_MS, MINUTE_MS } from "../../../shared/time";
import type { Begun, Ended } from "../attempts/end.policy";
import type { Forsaken } from "../attempts/policy";
import { endpointsWithHeld, failHeld, releaseHeld, settledDeletions } from "../endpoints/store";
import { dueWithin, noteHints, recallRetries, wakeLater } from "../wake.store";
import { processId } from "./claim.procedure";
import { abandonedAttempts, dueEndpoints, holdOrFailUnsendable, type Target } from "./due.store";
import { recordEnds } from "./ends.job";
import { DeliveryRun } from "./engine.job";

/** Attempts that one portion of the sweep ends. */
const MAX_ABANDONED = 100;
/** Bounds the start of a process whose D1 refuses the ends. */
const MAX_PORTIONS_AT_START = 100;
/** Endpoints with deliveries of the next minute that one local sweep queues. */
const MAX_QUEUED_AHEAD = 1_000;
/** How long the sweep itself attempts deliveries that messages have not started. */
const GOES_ON_MS = 15_000;
/** How long the sweep counts on a message that it has queued: due deliveries at its endpoint then show that messages do not arrive. */
const HINT_COUNTS_MS = 5 * MINUTE_MS;

/** For how long an endpoint may be suspended before the deliveries held for it fail. */
export const HELD_RETENTION_MS = 90 * DAY_MS;
/** Endpoints whose held deliveries one sweep looks at. */
const MAX_HELD_ENDPOINTS = 200;

/** Retries among which one sweep searches for retries that are scheduled too far ahead. */
const LOOKED_THROUGH = 1_000;

const INTERRUPTED: Ended = { outcome: "INTERRUPTED", durationMs: null, responseStatus: null, responseBody: null };

/** Ends attempts whose claim has expired. Returns whether more may be waiting. */
export const endExpired = (services: JobServices): Promise<boolean> => endAbandoned(services, false);

/** Also ends the attempts of earlier processes. Only for `local`, where no other process runs when this process starts. */
export async function endEarlierProcesses(services: JobServices): Promise<void> {
	for (let portion = 0; portion < MAX_PORTIONS_AT_START && (await endAbandoned(services, true)); portion++);
}

async function endAbandoned(services: JobServices, onlyProcess: boolean): Promise<boolean> {
	const present = atPresent(services);
	const abandoned = await present.db.read(abandonedAttempts(present, MAX_ABANDONED, onlyProcess ? processId() : undefined));
	if (abandoned.length === 0) return false;
	services.log.info("attempts were interrupted", { count: abandoned.length, causes: listed(abandoned.map(({ cause }) => cause)) });
	services.providers.metrics?.record({
		kind: "expiredClaims",
		cause: onlyProcess ? "PROCESS_ENDED" : "CLAIM_EXPIRED",
		count: abandoned.length,
	});
	await recordEnds(
		services,
		abandoned.map((attempt): [Begun, Ended] => [attempt, INTERRUPTED]),
	);
	return abandoned.length === MAX_ABANDONED;
}

/** Forgets deleted endpoints without open deliveries, and brings back retries that lie further ahead than their schedule permits. */
function unneeded(services: JobServices): Expired {
	const { orm } = services.db;
	const far = (limit: number) => recallRetries(services, limit);
	const { any, forget } = settledDeletions(orm);
	return unlessNone(orm.all(sql`select 1 where ${any} or ${far(LOOKED_THROUGH).any}`), (limit) => [forget, far(limit).recall]);
}

/**
 * Holds deliveries after a suspension of their endpoint, fails them after a deletion and releases them after a resume, because the
 * commit of such a change deals with one portion only. Also fails deliveries held for an endpoint that has been suspended for too long.
 * Returns whether more may be left to hold or fail.
 */
export async function tendHeld(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const unsettled = [holdOrFailUnsendable(services), unneeded(services)];
	const read = { held: endpointsWithHeld(db.orm, MAX_HELD_ENDPOINTS) };
	const { found, held } = await db.read({ found: asked(unsettled), ...read });
	const due = ofFound(unsettled, found);
	const moreUnsendable = await remove(db, due);
	const endpoints = due.length === 0 ? held : (await db.read(read)).held;
	const failing =
		(webhookId: string, reason: Forsaken): Expired =>
		(limit) => [failHeld(db.orm, webhookId, reason, now, limit)];
	const kinds = endpoints.flatMap(({ webhookId, status, suspendedAt }) => {
		if (status === null) return [failing(webhookId, "WEBHOOK_DELETED")];
		const expired = status === "SUSPENDED" && suspendedAt !== null && suspendedAt <= now - HELD_RETENTION_MS;
		return expired ? [failing(webhookId, "EXPIRED")] : [];
	});
	const moreHeld = await remove(db, kinds);
	const releasing = endpoints.filter(({ status, releasedUntil }) => status === "ACTIVE" && releasedUntil !== null && releasedUntil <= now);
	if (releasing.length > 0)
		await db.commit([
			...releasing.map(({ webhookId }) => releaseHeld(services, webhookId)),
			wakeLater(
				services,
				releasing.map(({ webhookId }) => webhookId),
			),
		]);
	return moreUnsendable || moreHeld;
}

/**
 * Queues a message for each endpoint with a due delivery; the run that it starts continues with the endpoint's other deliveries. If an
 * endpoint still has due deliveries at the next sweep, the sweep delivers them itself, so that even without a queue everything is
 * delivered. Runs once in a sweep.
 */
export async function startDue(services: JobServices): Promise<boolean> {
	const present = atPresent(services);
	const isLocal = services.config.ENVIRONMENT === "local";
	const { due, ahead } = await present.db.read({
		due: dueEndpoints(present),
		// Local queues lose their messages when the process ends, so what becomes due before the next sweep is queued too.
		ahead: isLocal ? dueWithin(present, MINUTE_MS, MAX_QUEUED_AHEAD) : undefined,
	});
	const isHinted = ({ hintedAt }: { hintedAt: number | null }) => hintedAt !== null && present.now - hintedAt < HINT_COUNTS_MS;
	const unhinted = due.filter((target) => !isHinted(target));
	const overdue = due.filter(isHinted);
	if (unhinted.length > 0) await hint(present, unhinted).catch(() => void overdue.push(...unhinted));
	if (ahead)
		await services.queue.poke(ahead.map(({ webhookId, lane, at }) => ({ webhookId, lane, delaySeconds: (at - present.now) / 1000 })));
	const lanes = Map.groupBy(overdue, ({ lane }) => lane);
	const until = Date.now() + GOES_ON_MS;
	const ends = await Promise.allSettled([...lanes.values()].map((targets) => deliverHere(services, targets, until)));
	for (const end of ends) if (end.status === "rejected") throw end.reason;
	return false;
}

type Due = Target & { readonly cause: string | null };

async function hint(services: JobServices, targets: readonly Due[]): Promise<void> {
	services.log.info("deliveries that are due are queued again", {
		endpoints: targets.length,
		causes: listed(targets.map(({ cause }) => cause)),
	});
	await services.queue.poke(targets.map(({ webhookId, lane }) => ({ webhookId, lane })));
	await services.db.commit([
		noteHints(
			services,
			targets.map(({ webhookId }) => webhookId),
		),
	]);
}

/** Rejects when a claim fails, but only after the attempts that had begun have ended. */
async function deliverHere(services: JobServices, targets: readonly Due[], until: number): Promise<void> {
	services.log.info("deliveries that are due are made by the sweep", {
		endpoints: targets.length,
		causes: listed(targets.map(({ cause }) => cause)),
	});
	const run = new DeliveryRun(services, { until });
	try {
		await run.take(targets);
	} finally {
		await run.ended();
	}
}
