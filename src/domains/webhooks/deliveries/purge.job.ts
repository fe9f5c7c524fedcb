// Removes deliveries and events that are past their retention.

import { lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList, excluded } from "../../../db/columns";
import type { Orm, Statement } from "../../../db/database";
import { distinct } from "../../../db/distinct";
import { type Expired, expired, purge } from "../../../db/purge";
import { longId, shortId, shortIdFrom } from "../../../db/short-ids";
import { eventPurges, webhookDeliveries, webhookEvents } from "../../../events/table";
import type { JobServices } from "../../../runtime/services";
import { DAY_MS } from "../../../shared/time";
import { webhookAttempts, webhookReceipts, webhookSigningKeys } from "../table";
import { hasReceipt } from "./receipts.store";
import { deliveriesKeptMs } from "./storage.job";

const d = alias(webhookDeliveries, "d");
const e = alias(webhookEvents, "e");
const o = alias(webhookDeliveries, "o");
const p = alias(eventPurges, "p");
const q = alias(webhookReceipts, "q");
const r = alias(webhookReceipts, "r");

/** Failed deliveries are kept for as many times the retention: somebody may still want to know why, or send them again. */
export const FAILED_RETENTION_FACTOR = 3;
/** How long revoked secrets are kept: the signature debugger uses them to detect a receiver that still uses an old one. */
export const REVOKED_KEY_RETENTION_MS = 30 * DAY_MS;

/**
 * Removes what is older than its retention, one portion of each kind. Pending deliveries stay. An event goes with its last delivery,
 * or when it is old and has none. Whether more may be left.
 */
export async function purgeWebhooks(services: JobServices): Promise<boolean> {
	const { db, now, config } = services;
	const retentionMs = config.RETENTION_DAYS * DAY_MS;
	if (await purge(db, expiredDeliveries(db.orm, now, { retentionMs, keptMs: await deliveriesKeptMs(services) }))) return true;
	// Last, because the search for old events without a delivery passes over all that still have one.
	const more = await purge(db, [
		undeliveredEvents(db.orm, now - retentionMs),
		expired(db.orm, webhookSigningKeys, {
			key: [webhookSigningKeys.id],
			by: webhookSigningKeys.revokedAt,
			before: now - REVOKED_KEY_RETENTION_MS,
		}),
	]);
	if (!more) await db.commit([undeliveredArePurged(db.orm, now - retentionMs)]);
	return more;
}

function expiredDeliveries(orm: Orm, now: number, { retentionMs, keptMs }: { retentionMs: number; keptMs: number }): Expired[] {
	const [before, keptFrom] = [now - retentionMs, now - keptMs];
	const failedFrom = keptMs < retentionMs ? keptFrom : now - FAILED_RETENTION_FACTOR * retentionMs;
	// By organization, because the index goes by it: so the failed ones that are kept longer are not read.
	const delivered = (limit: number) => sql`(
		with ${distinct("there", webhookDeliveries.organizationId)}
		select ${d.id} as delivery_id, ${d.eventId} as event_id from there cross join ${webhookDeliveries} ${d}
		on ${d.organizationId} = there.organization_id and ${d.status} = 'DELIVERED' and ${d.createdAt} <= ${keptFrom} limit ${limit})`;
	const failed = (limit: number) => sql`(
		select ${webhookDeliveries.id} as delivery_id, ${webhookDeliveries.eventId} as event_id from ${webhookDeliveries} where ${webhookDeliveries.status} = 'FAILED' and ${webhookDeliveries.failedAt} <= ${failedFrom}
		order by ${webhookDeliveries.failedAt} limit ${limit})`;
	// The short forms lie in the order of their time within the organization.
	const received = (limit: number) => sql`(
		with ${distinct("there", webhookReceipts.organizationId)}
		select ${r.organizationId} as organization_id, ${r.id} as receipt_id, ${longId(r.eventId)} as event_id from there cross join ${webhookReceipts} ${r}
		on ${r.organizationId} = there.organization_id and ${r.id} < ${shortIdFrom(keptFrom + 1)} limit ${limit})`;
	/** The events of these deliveries that no other delivery needs. */
	const eventsOf = (portion: SQL, others: SQL): SQL =>
		sql`${webhookEvents.id} in (select event_id from ${portion}) and ${lte(webhookEvents.createdAt, before)} and not ${others}`;
	const withEvents =
		(finished: (limit: number) => SQL): Expired =>
		(limit) => {
			const portion = finished(limit);
			const others = sql`(${hasReceipt(sql`${webhookEvents.id}`)} or exists (
				select 1 from ${webhookDeliveries} ${o} where ${o.eventId} = ${webhookEvents.id} and ${o.id} not in (select delivery_id from ${portion})))`;
			return [
				orm.delete(webhookAttempts).where(sql`${webhookAttempts.deliveryId} in (select delivery_id from ${portion})`),
				...removeEvents(orm, eventsOf(portion, others)),
				orm.delete(webhookDeliveries).where(sql`${webhookDeliveries.id} in (select delivery_id from ${portion})`),
			];
		};
	const receipts: Expired = (limit) => {
		const portion = received(limit);
		const others = sql`(${hasDelivery(sql`${webhookEvents.id}`)} or exists (
			select 1 from ${webhookReceipts} ${q} where ${q.eventId} = ${shortId(webhookEvents.id)}
				and (${q.organizationId}, ${q.id}) not in (select organization_id, receipt_id from ${portion})))`;
		return [
			...removeEvents(orm, eventsOf(portion, others)),
			orm
				.delete(webhookReceipts)
				.where(sql`(${webhookReceipts.organizationId}, ${webhookReceipts.id}) in (select organization_id, receipt_id from ${portion})`),
		];
	};
	return [withEvents(delivered), withEvents(failed), receipts];
}

const hasDelivery = (eventId: SQL): SQL => sql`exists (select 1 from ${webhookDeliveries} ${d} where ${d.eventId} = ${eventId})`;

const undeliveredEvents =
	(orm: Orm, before: number): Expired =>
	(limit) =>
		removeEvents(
			orm,
			sql`${webhookEvents.id} in (
				with ${distinct("there", webhookEvents.organizationId)}
				select ${e.id} from there left join ${eventPurges} ${p} on ${p.organizationId} = there.organization_id
					cross join ${webhookEvents} ${e} on ${undelivered(before)} limit ${limit})`,
		);

/** Remembers the last number of the events that it removes; the last statement removes them. */
const removeEvents = (orm: Orm, condition: SQL): Statement[] => [
	orm.run(sql`
		insert into ${eventPurges} (${bareList(eventPurges.organizationId, eventPurges.sequence, eventPurges.createdAt)})
		select ${webhookEvents.organizationId}, max(${webhookEvents.sequence}), max(${webhookEvents.createdAt}) from ${webhookEvents} where ${condition} group by ${webhookEvents.organizationId}
		on conflict (${bare(eventPurges.organizationId)}) do update set ${assign(eventPurges, {
			sequence: sql`max(${eventPurges.sequence}, ${excluded(eventPurges.sequence)})`,
			createdAt: sql`max(${eventPurges.createdAt}, ${excluded(eventPurges.createdAt)})`,
		})}`),
	orm.delete(webhookEvents).where(condition),
];

/** Old events `e` of the organization `there` that the purge, of which `p` knows, has not dealt with and that have no delivery. */
const undelivered = (before: number): SQL => sql`
	${e.organizationId} = there.organization_id and ${e.createdAt} > coalesce(${p.purgedTo}, 0) and ${e.createdAt} <= ${before}
	and not ${hasDelivery(sql`${e.id}`)} and not ${hasReceipt(sql`${e.id}`)}`;

/**
 * Remembers, once a day for each organization, that no old event without a delivery is left: else each purge would read again the
 * events that are kept for a failed or pending delivery.
 */
const undeliveredArePurged = (orm: Orm, before: number): Statement =>
	orm.run(sql`
		insert into ${eventPurges} (${bareList(eventPurges.organizationId, eventPurges.purgedTo)})
		with ${distinct("there", webhookEvents.organizationId)}
		select there.organization_id, ${before} from there left join ${eventPurges} ${p} on ${p.organizationId} = there.organization_id
		where there.organization_id is not null and coalesce(${p.purgedTo}, 0) < ${before - DAY_MS}
			and not exists (select 1 from ${webhookEvents} ${e} where ${undelivered(before)})
		on conflict (${bare(eventPurges.organizationId)}) do update set ${bare(eventPurges.purgedTo)} = ${excluded(eventPurges.purgedTo)}`);
