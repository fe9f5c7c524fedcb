// What archiving reads in the database, and what it removes there once it is in the archive.

import { and, asc, type Column, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare } from "../../../db/columns";
import type { Orm, Statement, Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { insertAll } from "../../../db/insert-all";
import { isOfInstant, longId, shortId } from "../../../db/short-ids";
import { countMade } from "../../../events/holdings";
import { entityIn } from "../../../events/ordering";
import { ifOrdered } from "../../../events/raise";
import { deliveryHoldings, webhookDeliveries, webhookEndpoints, webhookEvents } from "../../../events/table";
import { attemptsIn, bodyOf } from "../store";
import { webhookAttempts, webhookReceipts } from "../table";
import { type Archived, rowsFrom } from "./archive.wire";
import { receiptOf, removeReceipts, removeRows, rowOf } from "./purge.store";
import { hasReceipt } from "./receipts.store";

const delivery = alias(webhookDeliveries, "delivery");
const event = alias(webhookEvents, "event");
const holding = alias(deliveryHoldings, "holding");
const receipt = alias(webhookReceipts, "receipt");
const endpoint = alias(webhookEndpoints, "endpoint");

/** Some organizations whose deliveries made before the instant are not all archived; drawn, so that none that fails holds up the others. */
export const notArchived = (orm: Orm, before: number, limit: number) =>
	orm.all<{ organizationId: string }>(sql`
		select ${holding.organizationId} as "organizationId" from ${deliveryHoldings} ${holding} where coalesce(${holding.archivedTo}, 0) < ${before} order by random() limit ${limit}`);

/** Tests stay, which can be sent again without an event; and so does what its id would not be found by. */
const archivable = (organizationId: string, status: "DELIVERED" | "FAILED", before: number) =>
	and(
		eq(webhookDeliveries.organizationId, organizationId),
		eq(webhookDeliveries.status, status),
		lt(webhookDeliveries.createdAt, before),
		sql`${webhookDeliveries.testData} is null and ${isOfInstant(webhookDeliveries.id, webhookDeliveries.createdAt)}`,
	);

/** The organization's oldest deliveries of the status that were made before the instant, with their attempts. */
export function finishedRows(orm: Orm, organizationId: string, status: "DELIVERED" | "FAILED", before: number, limit: number) {
	const where = archivable(organizationId, status, before);
	const order = [asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id)];
	const body = sql<string>`${bodyOf(webhookDeliveries)}`.as("body");
	const ids = orm.select({ id: webhookDeliveries.id }).from(webhookDeliveries);
	return {
		deliveries: orm
			.select({ ...getTableColumns(webhookDeliveries), body })
			.from(webhookDeliveries)
			.where(where)
			.orderBy(...order)
			.limit(limit),
		attempts: attemptsIn(
			orm,
			sql`${ids
				.where(where)
				.orderBy(...order)
				.limit(limit)}`,
		),
	};
}

/** A delivery that is in the archive, as it was when it was written there. */
export type Written = { id: string; position: number };

type Removal = { organizationId: string; written: readonly Written[]; before: number; eventsBefore: number };

/** Removes what is in the archive and has not been sent again meanwhile. Arrived deliveries are noted at the events, for `recover`. */
export function removeArchived(orm: Orm, { organizationId, written, before, eventsBefore }: Removal): Statement[] {
	const all = JSON.stringify(written);
	const rows = sql`(
		select ${rowOf}, ${delivery.eventId} as arrived_event, ${delivery.webhookId} as webhook_id, ${delivery.status} as status from json_each(${all}) archived cross join ${webhookDeliveries} ${delivery} on ${delivery.id} = archived.value ->> 'id'
		where ${delivery.organizationId} = ${organizationId} and ${delivery.status} <> 'PENDING' and ${delivery.attemptPosition} = archived.value ->> 'position')`;
	const receipts = sql`(
		select ${receiptOf}, ${longId(receipt.eventId)} as arrived_event, ${longId(receipt.webhookId)} as webhook_id, 'DELIVERED' as status from json_each(${all}) archived cross join ${webhookReceipts} ${receipt}
		on ${receipt.organizationId} = ${shortId(organizationId)} and ${receipt.id} = ${shortId(sql`archived.value ->> 'id'`)})`;
	return [rows, receipts].flatMap((portion) => [
		noteArrived(orm, portion),
		...(portion === rows ? removeRows : removeReceipts)(orm, portion, eventsBefore, before),
	]);
}

const noteArrived = (orm: Orm, portion: SQL): Statement =>
	orm.run(sql`
		update ${webhookEvents} set ${assign(webhookEvents, {
			archivedFor: sql`coalesce(${webhookEvents.archivedFor}, '') || arrived.endpoints`,
		})}
		from (select arrived_event, group_concat(webhook_id, '') as endpoints from ${portion} where status = 'DELIVERED' group by arrived_event) arrived
		where ${webhookEvents.id} = arrived.arrived_event`);

export const noteArchived = (orm: Orm, organizationId: string, before: number): Statement =>
	orm.run(sql`
		update ${deliveryHoldings} set ${bare(deliveryHoldings.archivedTo)} = ${before} where ${deliveryHoldings.organizationId} = ${organizationId}`);

const ofEvent = (value: SQL, { event_id, webhook_id }: Archived): SQL => sql`(
	select ${ifOrdered(endpoint, value)} from ${webhookEvents} ${event} cross join ${webhookEndpoints} ${endpoint} where ${event.id} = ${event_id} and ${endpoint.id} = ${webhook_id})`;

/**
 * Gives a delivery that the archive has its row back, for a retry. Stale when its event is past its retention, or has been delivered again.
 */
export function restoredFrom(orm: Orm, organizationId: string, record: Archived): Write[] {
	const { row, attempts } = rowsFrom(record);
	const { eventId, webhookId } = row;
	return [
		orStaleUnless(sql`
			exists (select 1 from ${webhookEvents} ${event} where ${event.id} = ${eventId}) and not ${hasReceipt(sql`${eventId}`, sql`${webhookId}`)}
				and not exists (select 1 from ${webhookDeliveries} ${delivery} where ${delivery.eventId} = ${eventId} and ${delivery.webhookId} = ${webhookId})`),
		orm.insert(webhookDeliveries).values({
			...{ ...row, organizationId },
			entityId: ofEvent(entityIn(event.data), record),
			eventSequence: ofEvent(sql`${event.sequence}`, record),
		}),
		orm.run(countMade(organizationId)),
		...insertAll(webhookAttempts, attempts.slice(0, -1)),
	];
}

/** Whether an event has arrived at the endpoint by a delivery that is in the archive. */
export const isArchivedFor = (archivedFor: SQL, webhookId: Column): SQL => sql`instr(coalesce(${archivedFor}, ''), ${webhookId}) > 0`;
