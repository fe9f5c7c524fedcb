// The sweep: what D1 says is due and nobody holds is put into the queues again, attempts whose end nobody told are ended,
// and what is past its time is removed. Queues may lose everything; this makes it a delay.

import { sql } from "drizzle-orm";
import { webhookDeliveries, webhookEvents } from "../../../events/table";
import { atPresent, type JobServices } from "../../../runtime/services";
import { DAY_MS, MINUTE_MS } from "../../../shared/time";
import { webhookAttempts, webhookSigningKeys } from "../table";
import { recordEnds } from "./attempt.job";
import { type Begun, dueDeliveries, type Ended, expiredAttempts } from "./attempt.store";

/** At a time, so that a long backlog is not put into the queues anew each minute. */
const MAX_REQUEUED = 500;
const MAX_EXPIRED = 100;
const MAX_PURGED = 200;

/** Events and finished deliveries. */
export const RETENTION_MS = 90 * DAY_MS;
/** Revoked secrets, with which the signature debugger tells a receiver that it still uses an old one. */
export const REVOKED_KEY_RETENTION_MS = 30 * DAY_MS;

const INTERRUPTED: Ended = { outcome: "INTERRUPTED", durationMs: null, responseStatus: null, responseBody: null };

/** Ends the attempts whose claim has run out. */
export async function endExpired(services: JobServices): Promise<void> {
	const [expired] = await services.db.read(expiredAttempts(services, Date.now(), MAX_EXPIRED));
	if (expired.length === 0) return;
	services.log.info("attempts were interrupted", { count: expired.length });
	await recordEnds(
		services,
		expired.map((attempt): [Begun, Ended] => [attempt, INTERRUPTED]),
	);
}

/**
 * Tells the queues of deliveries that are due. Local queues forget what they hold when the process ends, so there those that
 * will be due before the next sweep are told of too.
 */
export async function requeueDue(services: JobServices): Promise<void> {
	const { db, now, config, queue } = atPresent(services);
	const horizonMs = config.ENVIRONMENT === "local" ? MINUTE_MS : 0;
	const [due] = await db.read(dueDeliveries(services, now + horizonMs, MAX_REQUEUED));
	await queue.poke(due.map(({ id, lane, dueAt }) => ({ id, lane, delaySeconds: (dueAt - now) / 1000 })));
}

/** Removes what is older than its retention, a bounded number at a time. A delivery that is PENDING stays, and so does its event. */
export async function purge(services: JobServices): Promise<void> {
	const { now } = services;
	const { orm } = services.db;
	// Ids of version 7 begin with their time, so the primary keys are in the order of age.
	const before = uuidv7Before(now - RETENTION_MS);
	const old = sql`(select id from ${webhookDeliveries} where id < ${before} and status <> 'PENDING' order by id limit ${MAX_PURGED})`;
	await services.commit([
		orm.run(sql`delete from ${webhookAttempts} where delivery_id in ${old}`),
		orm.run(sql`delete from ${webhookDeliveries} where id in ${old}`),
		orm.run(sql`
			delete from ${webhookEvents} where id in (
				select id from ${webhookEvents} e
				where id < ${before} and not exists (select 1 from ${webhookDeliveries} d where d.event_id = e.id)
				order by id limit ${MAX_PURGED})`),
		orm.run(sql`delete from ${webhookSigningKeys} where revoked_at is not null and revoked_at < ${now - REVOKED_KEY_RETENTION_MS}`),
	]);
}

/** The least id of that instant. */
function uuidv7Before(ms: number): string {
	const time = Math.max(0, ms).toString(16).padStart(12, "0");
	return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
