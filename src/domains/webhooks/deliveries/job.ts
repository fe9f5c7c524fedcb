// Webhook work of the sweep: queues due deliveries again, ends attempts whose claim has expired, and removes old records.
// A lost queue message therefore only delays a delivery.

import { ne, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { type Age, type Expired, expired, oldest, purge } from "../../../db/purge";
import { webhookDeliveries, webhookEvents } from "../../../events/table";
import { atPresent, type JobServices } from "../../../runtime/services";
import { DAY_MS, MINUTE_MS } from "../../../shared/time";
import { webhookAttempts, webhookSigningKeys } from "../table";
import { recordEnds } from "./attempt.job";
import { type Begun, dueDeliveries, type Ended, expiredAttempts } from "./attempt.store";

/** For each sweep, so that a long backlog is not queued again every minute. */
const MAX_REQUEUED = 500;
/** At a time. */
const MAX_EXPIRED = 100;

/** How long events and finished deliveries are kept. */
export const RETENTION_MS = 90 * DAY_MS;
/** How long revoked secrets are kept: the signature debugger uses them to detect a receiver that still uses an old one. */
export const REVOKED_KEY_RETENTION_MS = 30 * DAY_MS;

const INTERRUPTED: Ended = { outcome: "INTERRUPTED", durationMs: null, responseStatus: null, responseBody: null };

/** Ends attempts whose claim has run out. Whether more may be waiting. */
export async function endExpired(services: JobServices): Promise<boolean> {
	const [expired] = await services.db.read(expiredAttempts(services, Date.now(), MAX_EXPIRED));
	if (expired.length === 0) return false;
	services.log.info("attempts were interrupted", { count: expired.length });
	await recordEnds(
		services,
		expired.map((attempt): [Begun, Ended] => [attempt, INTERRUPTED]),
	);
	return expired.length === MAX_EXPIRED;
}

/**
 * Queues the deliveries that are due. Local queues lose their messages when the process ends, so there the deliveries that become
 * due before the next sweep are queued too. Once in a sweep: what it has queued is due until its attempt begins.
 */
export async function requeueDue(services: JobServices): Promise<boolean> {
	const { db, now, config, queue } = atPresent(services);
	const horizonMs = config.ENVIRONMENT === "local" ? MINUTE_MS : 0;
	const [due] = await db.read(dueDeliveries(services, now + horizonMs, MAX_REQUEUED));
	await queue.poke(due.map(({ id, lane, dueAt }) => ({ id, lane, delaySeconds: (dueAt - now) / 1000 })));
	return false;
}

/** Removes what is older than its retention. Pending deliveries stay, and so do their events. */
export const purgeWebhooks = ({ db, now }: JobServices): Promise<boolean> => purge(db, expiredWebhooks(db.orm, now));

function expiredWebhooks(orm: Orm, now: number): Expired[] {
	// Ids of version 7 begin with their time, so the primary keys are in the order of age.
	const before = uuidv7Before(now - RETENTION_MS);
	const deliveries: Age = { key: [webhookDeliveries.id], by: webhookDeliveries.id, before, only: ne(webhookDeliveries.status, "PENDING") };
	const undelivered = sql`not exists (select 1 from ${webhookDeliveries} d where d.event_id = ${webhookEvents.id})`;
	return [
		(limit) => [
			orm.delete(webhookAttempts).where(sql`${webhookAttempts.deliveryId} in ${oldest(webhookDeliveries, deliveries, limit)}`),
			...expired(orm, webhookDeliveries, deliveries)(limit),
		],
		expired(orm, webhookEvents, { key: [webhookEvents.id], by: webhookEvents.id, before, only: undelivered }),
		expired(orm, webhookSigningKeys, {
			key: [webhookSigningKeys.id],
			by: webhookSigningKeys.revokedAt,
			before: now - REVOKED_KEY_RETENTION_MS,
		}),
	];
}

/** The lowest id of that instant. */
function uuidv7Before(ms: number): string {
	const time = Math.max(0, ms).toString(16).padStart(12, "0");
	return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
