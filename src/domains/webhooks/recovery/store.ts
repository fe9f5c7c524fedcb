// Recovery in portions. The candidates are the subscribed events of a period that an endpoint has no delivery of, or a FAILED one. A
// portion looks at a bounded number of events, and the next continues after the last of them. What follows is counted among as many events
// as a portion has, because each event that a filter judges costs rows.

import { asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign } from "../../../db/columns";
import { type Effect, effect, type Orm, type Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { isWanted } from "../../../events/filter";
import { countMade, deliveriesAreMadeFor } from "../../../events/holdings";
import { entityIn } from "../../../events/ordering";
import { releasedPerSecond } from "../../../events/queue";
import { endpointAndLane, ifOrdered, newDelivery, subscribesTo, uuidv7Sql } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../../events/table";
import type { Poked } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { isArchivedFor } from "../keeping/archive.store";
import { hasReceipt } from "../keeping/receipts.store";
import { webhookRecoveries } from "../table";
import { wakeLater } from "../wake.store";

const delivery = alias(webhookDeliveries, "delivery");
const event = alias(webhookEvents, "event");
const openRecovery = alias(webhookRecoveries, "open_recovery");
const endpoint = alias(webhookEndpoints, "endpoint");

/** Events that one commit looks at. */
export const PORTION = 200;

export type Recovery = typeof webhookRecoveries.$inferSelect;
/** What the next portion holds: deliveries to create and to retry, and the last event that it looks at; none when it looks at none. */
export type Portion = {
	created: number;
	retried: number;
	/** What was missed of the events after it, of as many as a portion has. */
	follows: number;
	/** Of a period with more events than were looked at, the instant of the last of these, and what was missed before it. */
	edge: number | null;
	followsBeforeEdge: number;
	looked: number;
	last: number | null;
	lastAt: number | null;
	/** 0 beyond the organization's quota, and in a database that is nearly full: the recovery ends, and what is left is for another. */
	hasRoom: number;
	/** How many of the deliveries are due in a second. */
	perSecond: number | null;
};

/** What is looked at of an event. */
export const lookedAt = sql`
	${event.id} as id, ${event.eventType} as event_type, ${event.data} as data, ${event.createdAt} as created_at, ${event.sequence} as sequence, ${event.archivedFor} as archived_for`;

/** The period's events after the position, while the endpoint is active. The order is that of the rows, so nothing is sorted. */
const eventsOf = ({ organizationId, webhookId, since, until, position }: Recovery, limit: SQL, unlessOpen = false): SQL => sql`
	select ${lookedAt} from ${webhookEvents} ${event}
	where ${event.organizationId} = ${organizationId} and ${event.createdAt} >= ${since} and ${event.createdAt} < ${until} and ${event.sequence} > ${position}
		and exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${webhookId} and ${webhookEndpoints.status} = 'ACTIVE')
		${unlessOpen ? sql`and ${noneIsOpen(webhookId)}` : sql``}
	order by ${event.createdAt}, ${event.sequence} ${limit}`;

/**
 * Whether the event `looked` was meant for the endpoint, which leaves out tests and the notices about itself, and did not arrive; `d` is its
 * delivery there.
 */
export const isMissed = sql`
	${subscribesTo(endpoint, sql`looked.event_type`)}
	and ${isWanted(endpoint, { type: sql`looked.event_type`, entityId: entityIn(sql`looked.data`), data: sql`looked.data` })}
	and looked.event_type <> 'webhook.test'
	and not (looked.event_type in ('webhook.failing', 'webhook.suspended', 'webhook.probe_failed', 'webhook.recovered') and looked.data ->> 'webhook_id' = ${endpoint.id})
	and (${delivery.id} is null and not ${hasReceipt(sql`looked.id`, sql`${endpoint.id}`)} and not ${isArchivedFor(sql`looked.archived_for`, endpoint.id)} or ${delivery.status} = 'FAILED')`;

/** Those of the events `looked` that the endpoint missed. */
const missedOf = ({ config }: Pick<Services, "config">, { organizationId, webhookId }: Recovery): SQL => sql`
	from ${webhookEndpoints} ${endpoint} cross join looked left join ${webhookDeliveries} ${delivery} on ${delivery.eventId} = looked.id and ${delivery.webhookId} = ${endpoint.id}
	where ${endpoint.id} = ${webhookId} and ${endpoint.organizationId} = ${organizationId}
		and ${isMissed} and ${deliveriesAreMadeFor(endpoint, config.WEBHOOK_QUOTA)}`;

const noneIsOpen = (webhookId: string): SQL =>
	sql`not exists (select 1 from ${webhookRecoveries} ${openRecovery} where ${openRecovery.webhookId} = ${webhookId})`;

/** Of a recovery that a healed endpoint has opened nothing is known until it begins. */
export const isCounted = ({ position }: Recovery): boolean => position > 0;

/** With `unlessOpen` no event is looked at while one of the endpoint goes on. */
export const nextPortion = (services: Services, recovery: Recovery, unlessOpen = false) =>
	services.db.orm.all<Portion>(sql`
		with looked as materialized (${eventsOf(recovery, sql`limit ${2 * PORTION}`, unlessOpen)}),
			portion as materialized (${eventsOf(recovery, sql`limit ${PORTION}`, unlessOpen)}),
			missed as materialized (
				select ${delivery.id} as delivery_id, looked.created_at as at, looked.sequence <= (select max(sequence) from portion) as now
				${missedOf(services, recovery)}),
			edge as materialized (select case when count(*) = ${2 * PORTION} then max(created_at) end as at from looked)
		select (select count(*) from missed where now and delivery_id is null) as "created",
			(select count(delivery_id) from missed where now) as "retried", (select count(*) from missed where not now) as "follows",
			(select at from edge) as "edge",
			(select count(*) from missed cross join edge where not now and (edge.at is null or missed.at < edge.at)) as "followsBeforeEdge",
			count(*) as "looked", max(sequence) as "last", max(created_at) as "lastAt",
			${deliveriesAreMadeFor({ organizationId: sql`${recovery.organizationId}` }, services.config.WEBHOOK_QUOTA)} as "hasRoom",
			(select ${releasedPerSecond(endpoint)} from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${recovery.webhookId}) as "perSecond" from portion`);

export const openRecoveryOf = (orm: Orm, webhookId: string) =>
	orm.select().from(webhookRecoveries).where(eq(webhookRecoveries.webhookId, webhookId)).limit(1);

/** The recovery after the portion. */
export function afterPortion(recovery: Recovery, { created, retried, follows, last, lastAt, perSecond }: Portion, now: number): Recovery {
	return {
		...recovery,
		since: lastAt ?? recovery.since,
		position: last ?? recovery.position,
		created: recovery.created + created,
		retried: recovery.retried + retried,
		remaining: follows,
		dueUntil: Math.max(recovery.dueUntil, now) + Math.ceil((1000 * (created + retried)) / (perSecond ?? 1)),
	};
}

/**
 * The writes of a portion. They are stale when what it holds has changed since it was counted, and when another recovery of the endpoint has
 * begun.
 */
export function recoverPortion(services: Services, recovery: Recovery, portion: Portion): Write[] {
	const { home, now } = services;
	const { orm } = services.db;
	const { created, retried, last } = portion;
	const looked = sql`with looked as materialized (${eventsOf(recovery, sql`limit ${PORTION}`)})`;
	const within = (condition: SQL) => sql`${missedOf(services, recovery)} and looked.sequence <= ${last ?? 0} and ${condition}`;
	// Not all at once: the endpoint has just come back.
	const from = Math.max(recovery.dueUntil, now);
	const dueAt = sql`${from} + 1000 * cast((row_number() over (order by looked.created_at, looked.sequence) - 1) / ${portion.perSecond} as integer)`;
	const made = (statement: SQL, count: number): Effect =>
		effect([orm.all<Poked>(statement), orStaleUnless(sql`changes() = ${count}`)], ([[first]]) => {
			if (first) services.afterwards(() => services.queue.poke([first]));
		});
	const after = afterPortion(recovery, portion, now);
	return [
		orStaleUnless(
			sql`not exists (select 1 from ${webhookRecoveries} ${openRecovery} where ${openRecovery.webhookId} = ${recovery.webhookId} and ${openRecovery.id} <> ${recovery.id})`,
		),
		made(
			sql`
				${looked}
				update ${webhookDeliveries} set
					${assign(webhookDeliveries, {
						status: "PENDING",
						round: sql`${webhookDeliveries.round} + 1`,
						roundAttempts: 0,
						roundInterrupted: 0,
						failedAt: null,
						nextAttemptAt: sql`portion.due_at`,
					})}
					from (select ${delivery.id} as failed_id, ${dueAt} as due_at ${within(sql`${delivery.id} is not null`)}) portion
				where ${webhookDeliveries.id} = portion.failed_id
				returning ${endpointAndLane}`,
			retried,
		),
		made(
			sql`
				${looked}
				insert into ${webhookDeliveries} (${newDelivery})
				select ${uuidv7Sql(now, home)}, ${endpoint.organizationId}, ${endpoint.id}, looked.id, looked.event_type, 'PENDING', 0, 1, 0, ${dueAt}, ${now},
					${ifOrdered(endpoint, entityIn(sql`looked.data`))}, ${ifOrdered(endpoint, sql`looked.sequence`)} ${within(sql`${delivery.id} is null`)}
				returning ${endpointAndLane}`,
			created,
		),
		countMade(recovery.organizationId),
		wakeLater(services, [recovery.webhookId]),
		portion.looked === PORTION && portion.hasRoom
			? orm.insert(webhookRecoveries).values(after).onConflictDoUpdate({ target: webhookRecoveries.id, set: after })
			: orm.delete(webhookRecoveries).where(eq(webhookRecoveries.id, recovery.id)),
	];
}

export const openRecoveries = (orm: Orm, limit: number) =>
	orm.select().from(webhookRecoveries).orderBy(asc(webhookRecoveries.id)).limit(limit);
