// What removes deliveries and events, in portions.

import { lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList, excluded } from "../../../db/columns";
import type { Orm, Statement } from "../../../db/database";
import { distinct } from "../../../db/distinct";
import { type Expired, unlessNone } from "../../../db/purge";
import { longId, shortId, shortIdFrom } from "../../../db/short-ids";
import { countRemoved } from "../../../events/holdings";
import { eventPurges, webhookDeliveries, webhookEvents } from "../../../events/table";
import { DAY_MS } from "../../../shared/time";
import { webhookAttempts, webhookReceipts } from "../table";
import { hasReceipt } from "./receipts.store";

const delivery = alias(webhookDeliveries, "delivery");
const event = alias(webhookEvents, "event");
const queued = alias(webhookDeliveries, "queued");
const purged = alias(eventPurges, "purged");
const otherReceipt = alias(webhookReceipts, "other_receipt");
const receipt = alias(webhookReceipts, "receipt");

/** Failed deliveries are kept for as many times the retention: somebody may still want to know why, or send them again. */
export const FAILED_RETENTION_FACTOR = 3;

type Kinds = readonly Expired[];

/** What is older than the retention. */
export function expiredDeliveries(orm: Orm, now: number, retentionMs: number) {
	const before = now - retentionMs;
	// By organization, because the index goes by it: so the failed ones, which are kept longer, are not read.
	const delivered = (limit: number) => sql`(
		with ${distinct("there", webhookDeliveries.organizationId)}
		select ${rowOf} from there cross join ${webhookDeliveries} ${delivery}
		on ${delivery.organizationId} = there.organization_id and ${delivery.status} = 'DELIVERED' and ${delivery.createdAt} <= ${before} limit ${limit})`;
	const failed = (limit: number) => sql`(
		select ${rowOf} from ${webhookDeliveries} ${delivery} where ${delivery.status} = 'FAILED' and ${delivery.failedAt} <= ${now - FAILED_RETENTION_FACTOR * retentionMs}
		order by ${delivery.failedAt} limit ${limit})`;
	// The short forms lie in the order of their time within the organization.
	const received = (limit: number) => sql`(
		with ${distinct("there", webhookReceipts.organizationId)}
		select ${receiptOf} from there cross join ${webhookReceipts} ${receipt}
		on ${receipt.organizationId} = there.organization_id and ${receipt.id} < ${shortIdFrom(before + 1)} limit ${limit})`;
	const anyOf = (portion: (limit: number) => SQL) => orm.all(sql`select 1 from ${portion(1)}`);
	const kinds: Kinds = [
		unlessNone(anyOf(delivered), (limit) => removeRows(orm, delivered(limit), before)),
		unlessNone(anyOf(failed), (limit) => removeRows(orm, failed(limit), before)),
		unlessNone(anyOf(received), (limit) => removeReceipts(orm, received(limit), before)),
	];
	const isThere = sql`(exists ${delivered(1)} or exists ${failed(1)} or exists ${received(1)})`;
	return { kinds, isThere };
}

/** Finished deliveries of one organization that are older, the oldest first. Events that are still kept stay. */
export function finishedOf(orm: Orm, organizationId: string, madeBefore: number, eventsBefore: number): Kinds {
	const rows = (status: "DELIVERED" | "FAILED") => (limit: number) =>
		sql`(select ${rowOf} from ${webhookDeliveries} ${delivery} where ${delivery.organizationId} = ${organizationId} and ${delivery.status} = ${status} and ${delivery.createdAt} <= ${madeBefore}
			order by ${delivery.createdAt}, ${delivery.id} limit ${limit})`;
	const received = (limit: number) => sql`(
		select ${receiptOf} from ${webhookReceipts} ${receipt} where ${receipt.organizationId} = ${shortId(organizationId)} and ${receipt.id} < ${shortIdFrom(madeBefore + 1)}
		order by ${receipt.id} limit ${limit})`;
	return [
		(limit) => removeReceipts(orm, received(limit), eventsBefore, madeBefore + 1),
		(limit) => removeRows(orm, rows("DELIVERED")(limit), eventsBefore, madeBefore + 1),
		(limit) => removeRows(orm, rows("FAILED")(limit), eventsBefore, madeBefore + 1),
	];
}

/** What a portion says of a delivery, in either form. */
export const rowOf = sql`${delivery.id} as delivery_id, ${delivery.eventId} as event_id, ${delivery.organizationId} as made_for`;
export const receiptOf = sql`${receipt.organizationId} as organization_id, ${receipt.id} as receipt_id, ${longId(receipt.eventId)} as event_id, ${longId(receipt.organizationId)} as made_for`;

/** The events of these deliveries that no other delivery needs. */
const eventsOf = (portion: SQL, before: number, others: SQL): SQL =>
	sql`${webhookEvents.id} in (select event_id from ${portion}) and ${lte(webhookEvents.createdAt, before)} and not ${others}`;

/**
 * The last statement removes the deliveries.
 *
 * @param before events made until then go with their last delivery
 * @param early the instant before which the deliveries were made, if they leave before their time
 */
export function removeRows(orm: Orm, portion: SQL, before: number, early?: number): Statement[] {
	const others = sql`(${hasReceipt(sql`${webhookEvents.id}`)} or exists (
		select 1 from ${webhookDeliveries} ${queued} where ${queued.eventId} = ${webhookEvents.id} and ${queued.id} not in (select delivery_id from ${portion})))`;
	return [
		orm.delete(webhookAttempts).where(sql`${webhookAttempts.deliveryId} in (select delivery_id from ${portion})`),
		...removeEvents(orm, eventsOf(portion, before, others)),
		orm.run(countRemoved(portion, early)),
		orm.delete(webhookDeliveries).where(sql`${webhookDeliveries.id} in (select delivery_id from ${portion})`),
	];
}

export function removeReceipts(orm: Orm, portion: SQL, before: number, early?: number): Statement[] {
	const others = sql`(${hasDelivery(sql`${webhookEvents.id}`)} or exists (
		select 1 from ${webhookReceipts} ${otherReceipt} where ${otherReceipt.eventId} = ${shortId(webhookEvents.id)}
			and (${otherReceipt.organizationId}, ${otherReceipt.id}) not in (select organization_id, receipt_id from ${portion})))`;
	return [
		...removeEvents(orm, eventsOf(portion, before, others)),
		orm.run(countRemoved(portion, early)),
		orm
			.delete(webhookReceipts)
			.where(sql`(${webhookReceipts.organizationId}, ${webhookReceipts.id}) in (select organization_id, receipt_id from ${portion})`),
	];
}

const hasDelivery = (eventId: SQL): SQL =>
	sql`exists (select 1 from ${webhookDeliveries} ${delivery} where ${delivery.eventId} = ${eventId})`;

/** Old events that no delivery needs. The search for them passes over all that still have one, so `unless` is asked first. */
export const undeliveredEvents = (orm: Orm, before: number, unless?: SQL) => {
	const portion = (limit: number) => sql`(
		with ${distinct("there", webhookEvents.organizationId)}
		select ${event.id} from there left join ${eventPurges} ${purged} on ${purged.organizationId} = there.organization_id
			cross join ${webhookEvents} ${event} on ${undelivered(before)} limit ${limit})`;
	return unlessNone(orm.all(sql`select 1 where case when ${unless ?? sql`0`} then 0 else exists ${portion(1)} end`), (limit) =>
		removeEvents(orm, sql`${webhookEvents.id} in ${portion(limit)}`),
	);
};

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

/** Old events of the organization `there` that the purge, which `event_purges` knows, has not dealt with and that have no delivery. */
const undelivered = (before: number): SQL => sql`
	${event.organizationId} = there.organization_id and ${event.createdAt} > coalesce(${purged.purgedTo}, 0) and ${event.createdAt} <= ${before}
	and not ${hasDelivery(sql`${event.id}`)} and not ${hasReceipt(sql`${event.id}`)}`;

/**
 * Remembers, once a day for each organization, that no old event without a delivery is left: else each purge would read again the
 * events that are kept for a failed or pending delivery.
 */
export const undeliveredArePurged = (orm: Orm, before: number) => {
	const from = sql`from there left join ${eventPurges} ${purged} on ${purged.organizationId} = there.organization_id
		where there.organization_id is not null and coalesce(${purged.purgedTo}, 0) < ${before - DAY_MS}`;
	const there = distinct("there", webhookEvents.organizationId);
	return unlessNone(orm.all(sql`with ${there} select 1 ${from} limit 1`), () => [
		orm.run(sql`
			insert into ${eventPurges} (${bareList(eventPurges.organizationId, eventPurges.purgedTo)})
			with ${there}
			select there.organization_id, ${before} ${from}
				and not exists (select 1 from ${webhookEvents} ${event} where ${undelivered(before)})
			on conflict (${bare(eventPurges.organizationId)}) do update set ${bare(eventPurges.purgedTo)} = ${excluded(eventPurges.purgedTo)}`),
	]);
};
