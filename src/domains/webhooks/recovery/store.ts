// Recovery in portions. The candidates are the subscribed events of a period that an endpoint has no delivery of, or a FAILED one.
// The feed's sequence is the position: a portion goes on where the last one ended, so none is looked at twice.

import { asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign } from "../../../db/columns";
import { type Effect, effect, type Orm, type Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { ALWAYS } from "../../../db/prebuilt";
import { RELEASED_PER_SECOND } from "../../../events/queue";
import { endpointAndLane, newDelivery, subscribesTo, uuidv7Sql } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../../events/table";
import type { Poked } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { webhookRecoveries } from "../table";
import { wakeLater } from "../wake.store";

const d = alias(webhookDeliveries, "d");
const e = alias(webhookEvents, "e");
const w = alias(webhookEndpoints, "w");

/** Deliveries that one commit creates or retries. */
export const PORTION = 1_000;

export type Recovery = typeof webhookRecoveries.$inferSelect;
/** What the next portion holds: deliveries to create and to retry, what is left after it, and its last position. */
export type Portion = { created: number; retried: number; remaining: number; last: number };

/**
 * Leaves out events that were never meant for the endpoint: tests, and the notices about itself. CROSS JOIN fixes the join order,
 * so that SQLite reads the feed from `since` on instead of looking up each event type. The order by `created_at` and `sequence` is that
 * of the sequence, and that of the rows, so nothing is sorted.
 */
const candidates = ({ organizationId, webhookId, since, until, position }: Recovery, condition = ALWAYS): SQL => sql`
	from ${webhookEndpoints} ${w} cross join ${webhookEvents} ${e} on ${e.organizationId} = ${w.organizationId}
		left join ${webhookDeliveries} ${d} on ${d.eventId} = ${e.id} and ${d.webhookId} = ${w.id}
	where ${w.id} = ${webhookId} and ${w.organizationId} = ${organizationId} and ${w.status} = 'ACTIVE'
		and ${e.createdAt} >= ${since} and ${e.createdAt} < ${until} and ${e.sequence} > ${position}
		and ${subscribesTo(sql`${e.eventType}`)}
		and ${e.eventType} <> 'webhook.test'
		and not (${e.eventType} in ('webhook.failing', 'webhook.suspended') and ${e.data} ->> 'webhook_id' = ${w.id})
		and (${d.id} is null or ${d.status} = 'FAILED') and ${condition}`;

export const nextPortion = (orm: Orm, recovery: Recovery) =>
	orm.all<Portion>(sql`
		with candidates as (select ${e.createdAt} as created_at, ${e.sequence} as sequence, ${d.id} as delivery_id ${candidates(recovery)}),
			portion as (select * from candidates order by created_at, sequence limit ${PORTION})
		select count(*) filter (where delivery_id is null) as "created", count(delivery_id) as "retried",
			(select count(*) from candidates) - count(*) as "remaining", coalesce(max(sequence), 0) as "last"
		from portion`);

/** The writes of a portion. They are stale when the candidates have changed since they were counted. */
export function recoverPortion(services: Services, recovery: Recovery, { created, retried, remaining, last }: Portion): Write[] {
	const { home, now } = services;
	const { orm } = services.db;
	const within = (condition: SQL) => candidates(recovery, sql`${e.sequence} <= ${last} and ${condition}`);
	// Not all at once: the endpoint has just come back.
	const dueAt = sql`${now} + 1000 * cast((row_number() over (order by ${e.createdAt}, ${e.sequence}) - 1) / ${RELEASED_PER_SECOND} as integer)`;
	const portion = (statement: SQL, count: number): Effect =>
		effect([orm.all<Poked>(statement), orStaleUnless(sql`changes() = ${count}`)], ([[first]]) => {
			if (first) services.afterwards(() => services.queue.poke([first]));
		});
	return [
		portion(
			sql`
				update ${webhookDeliveries} set
					${assign(webhookDeliveries, {
						status: "PENDING",
						round: sql`${webhookDeliveries.round} + 1`,
						roundAttempts: 0,
						roundInterrupted: 0,
						failedAt: null,
						nextAttemptAt: sql`portion.due_at`,
					})}
					from (select ${d.id} as failed_id, ${dueAt} as due_at ${within(sql`${d.id} is not null`)}) portion
				where ${webhookDeliveries.id} = portion.failed_id
				returning ${endpointAndLane}`,
			retried,
		),
		portion(
			sql`
				insert into ${webhookDeliveries} (${newDelivery})
				select ${uuidv7Sql(now, home)}, ${w.organizationId}, ${w.id}, ${e.id}, ${e.eventType}, 'PENDING', 0, 1, 0, ${dueAt}, ${now} ${within(sql`${d.id} is null`)}
				returning ${endpointAndLane}`,
			created,
		),
		wakeLater(services, [recovery.webhookId]),
		remaining > 0
			? orm
					.insert(webhookRecoveries)
					.values({ ...recovery, position: last })
					.onConflictDoUpdate({ target: webhookRecoveries.id, set: { position: last } })
			: orm.delete(webhookRecoveries).where(eq(webhookRecoveries.id, recovery.id)),
	];
}

export const openRecoveries = (orm: Orm, limit: number) =>
	orm.select().from(webhookRecoveries).orderBy(asc(webhookRecoveries.id)).limit(limit);
