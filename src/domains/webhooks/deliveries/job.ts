// Webhook work of the sweep: queues due deliveries again, ends attempts whose claim has expired, and removes old records.
// A lost queue message therefore only delays a delivery.

import { sql } from "drizzle-orm";
import { poke } from "../../../events/queue";
import { atPresent, type Services } from "../../../runtime/services";
import { DAY_MS, MINUTE_MS } from "../../../shared/time";
import { webhookAttempts, webhookDeliveries, webhookEvents, webhookSigningKeys } from "../table";
import { recordEnds } from "./attempt.job";
import { type Begun, dueDeliveries, type Ended, expiredAttempts } from "./attempt.store";

/** For each sweep, so that a long backlog is not queued again every minute. */
const MAX_REQUEUED = 500;
const MAX_EXPIRED = 100;
const MAX_PURGED = 200;

/** How long events and finished deliveries are kept. */
export const RETENTION_MS = 90 * DAY_MS;
/** How long revoked secrets are kept: the signature debugger uses them to detect a receiver that still uses an old one. */
export const REVOKED_KEY_RETENTION_MS = 30 * DAY_MS;

const INTERRUPTED: Ended = { outcome: "INTERRUPTED", durationMs: null, responseStatus: null, responseBody: null };

/** Ends the attempts whose claim has expired. */
export async function endExpired(services: Services): Promise<void> {
	const [expired] = await services.db.read(expiredAttempts(services, Date.now(), MAX_EXPIRED));
	if (expired.length === 0) return;
	services.log.info("attempts were interrupted", { count: expired.length });
	await recordEnds(
		services,
		expired.map((attempt): [Begun, Ended] => [attempt, INTERRUPTED]),
	);
}

/**
 * Queues the deliveries that are due. Local queues lose their messages when the process ends, so there the deliveries that become
 * due before the next sweep are queued too.
 */
export async function requeueDue(services: Services): Promise<void> {
	const { db, now, config, env } = atPresent(services);
	const horizonMs = config.ENVIRONMENT === "local" ? MINUTE_MS : 0;
	const [due] = await db.read(dueDeliveries(services, now + horizonMs, MAX_REQUEUED));
	await poke(
		env,
		due.map(({ id, lane, dueAt }) => ({ id, lane, delaySeconds: (dueAt - now) / 1000 })),
	);
}

/** Removes records older than their retention, a bounded number at a time. PENDING deliveries and their events stay. */
export async function purge({ db, now }: Services): Promise<void> {
	const { orm } = db;
	// Version 7 UUIDs begin with their time, so the primary keys are ordered by age.
	const before = uuidv7Before(now - RETENTION_MS);
	const old = sql`(select id from ${webhookDeliveries} where id < ${before} and status <> 'PENDING' order by id limit ${MAX_PURGED})`;
	await db.commit([
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

/** The lowest id of that instant. */
function uuidv7Before(ms: number): string {
	const time = Math.max(0, ms).toString(16).padStart(12, "0");
	return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
