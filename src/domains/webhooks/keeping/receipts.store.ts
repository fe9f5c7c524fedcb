// Deliveries that their first attempt has delivered, in their short form: how they get it, are read in it, and get their row back.

import { and, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import type { Range, Window } from "../../../db/keyset";
import { prebuilt } from "../../../db/prebuilt";
import { isOfInstant, longId, shortId, shortIdAt, shortIdFrom } from "../../../db/short-ids";
import { entityIn } from "../../../events/ordering";
import { ifOrdered } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../../events/table";
import { LOOKED_AT, type LogFilter, type Looked } from "../log.policy";
import { bodyOf } from "../store";
import { webhookReceipts } from "../table";
import type { AttemptRow, DeliveryRow } from "../wire";

const d = alias(webhookDeliveries, "d");
const e = alias(webhookEvents, "e");
const r = alias(webhookReceipts, "r");
const w = alias(webhookEndpoints, "w");

const { placeholder } = sql;

/** The ends of attempts that delivered, whose claim is still held, with the deliveries `d` for which one attempt was enough. */
const deliveredAtOnce = sql`
	json_each(${placeholder("ends")}) e cross join ${webhookDeliveries} ${d} on ${d.id} = e.value ->> 'id'
	where ${d.claim} = e.value ->> 'claim' and ${d.claimedUntil} is not null and ${d.status} = 'PENDING'
		and ${d.attemptPosition} = 1 and ${d.attemptTrigger} = 'AUTOMATIC' and ${d.round} = 1 and ${d.testData} is null
		and ${isOfInstant(d.id, d.createdAt)} and ${shortId(d.organizationId)} is not null and ${shortId(d.webhookId)} is not null and ${shortId(d.eventId)} is not null`;

/** The instant of the end is `now`. This and `removeReceived` take the same deliveries. */
export const keepReceipts = prebuilt((orm) =>
	orm.run(sql`
		insert into ${webhookReceipts} (${bareList(
			webhookReceipts.organizationId,
			webhookReceipts.id,
			webhookReceipts.webhookId,
			webhookReceipts.eventId,
			webhookReceipts.eventType,
			webhookReceipts.createdAt,
			webhookReceipts.deliveredAt,
			webhookReceipts.startedAt,
			webhookReceipts.durationMs,
			webhookReceipts.responseStatus,
			webhookReceipts.responseBody,
		)})
		select ${shortId(d.organizationId)}, ${shortId(d.id)}, ${shortId(d.webhookId)}, ${shortId(d.eventId)}, ${d.eventType}, ${d.createdAt},
			${placeholder("now")}, coalesce(e.value ->> 'startedAt', ${d.attemptStartedAt}), e.value ->> 'durationMs', e.value ->> 'responseStatus', e.value ->> 'responseBody'
		from ${deliveredAtOnce}`),
);
export const removeReceived = prebuilt((orm) =>
	orm.all<{ id: string }>(sql`
		delete from ${webhookDeliveries} where ${webhookDeliveries.id} in (select ${d.id} from ${deliveredAtOnce}) returning ${webhookDeliveries.id}`),
);

export type Receipt = Pick<DeliveryRow, "id" | "webhookId" | "eventId" | "eventType" | "createdAt"> & {
	deliveredAt: number;
	startedAt: number;
	durationMs: number | null;
	responseStatus: number | null;
	responseBody: string | null;
};

const columns = sql`
	${longId(r.id)} as "id", ${longId(r.webhookId)} as "webhookId", ${longId(r.eventId)} as "eventId", ${r.eventType} as "eventType",
	${r.createdAt} as "createdAt", ${r.deliveredAt} as "deliveredAt", ${r.startedAt} as "startedAt", ${r.durationMs} as "durationMs",
	${r.responseStatus} as "responseStatus", ${r.responseBody} as "responseBody"`;

const isReceipt = (organizationId: string, id: string): SQL =>
	sql`${r.organizationId} = ${shortId(organizationId)} and ${r.id} = ${shortId(id)}`;

export const findReceipt = (orm: Orm, organizationId: string, id: string) =>
	receiptsWith(orm, organizationId, sql`${r.id} = ${shortId(id)}`);

/** The oldest that were made before the instant. */
export const receiptsBefore = (orm: Orm, organizationId: string, before: number, limit: number) =>
	receiptsWith(orm, organizationId, sql`${r.id} < ${shortIdFrom(before)} order by ${r.id} limit ${limit}`);

const receiptsWith = (orm: Orm, organizationId: string, condition: SQL) =>
	orm.all<Receipt & { body: string }>(sql`
		select ${columns}, ${bodyOf({
			id: longId(r.id),
			eventType: sql`${r.eventType}`,
			organizationId: sql`${organizationId}`,
			testData: sql`null`,
			eventId: longId(r.eventId),
			createdAt: sql`${r.createdAt}`,
		})} as "body"
		from ${webhookReceipts} ${r} where ${r.organizationId} = ${shortId(organizationId)} and ${condition}`);

/** The delivery, as its row would say it. */
export const deliveryOf = ({ id, webhookId, eventId, eventType, createdAt, deliveredAt }: Receipt) => ({
	...{ id, webhookId, eventId, eventType, createdAt, deliveredAt },
	status: "DELIVERED" as const,
	attempts: 1,
	round: 1,
	nextAttemptAt: null,
	failedAt: null,
	lastError: null,
	lastManualRetryAt: null,
	endpointStatus: undefined,
	endpointDeletedAt: null,
});

/** Its only attempt. */
export const attemptOf = ({ id, startedAt, durationMs, responseStatus, responseBody }: Receipt): AttemptRow => ({
	...{ deliveryId: id, position: 1, number: 1, trigger: "AUTOMATIC", startedAt, durationMs },
	...{ outcome: "DELIVERED", errorClass: null, responseStatus, responseBody },
});

/** The short forms of a page of the delivery log, one more than the page shows, and its edge when there is no index of type and endpoint. */
export function receiptsIn(
	orm: Orm,
	organizationId: string,
	{ webhookId, eventId, eventType }: LogFilter,
	{ size, after, before }: Window,
	{ from, until }: Range,
) {
	const ascending = before !== undefined;
	const cursor = before ?? after;
	const order = sql`order by ${r.id} ${sql.raw(ascending ? "asc" : "desc")}`;
	const owner = sql`${r.organizationId} = ${shortId(organizationId)}`;
	const ofEndpoint = webhookId === undefined ? undefined : sql`${r.webhookId} = ${shortId(webhookId)}`;
	const ofEvent = eventId === undefined ? undefined : sql`${r.eventId} = ${shortId(eventId)}`;
	const ofType = eventType === undefined ? undefined : sql`${r.eventType} = ${eventType}`;
	const window = and(
		from === undefined ? undefined : sql`${r.id} >= ${shortIdFrom(from)}`,
		until === undefined ? undefined : sql`${r.id} < ${shortIdFrom(until)}`,
		cursor && (ascending ? sql`${r.id} > ${shortIdAt(cursor)}` : sql`${r.id} < ${shortIdAt(cursor)}`),
	);
	const found = (index: string, ...conditions: (SQL | undefined)[]) => sql`
		from ${webhookReceipts} ${r} ${sql.raw(index)} where ${and(...conditions, window)} ${order}`;
	if (ofType && ofEndpoint && !ofEvent)
		return orm.all<Looked<Receipt>>(sql`
			select * from (
				select ${columns}, ${ofType} as "meets", row_number() over (${order}) as "place"
				${found("indexed by webhook_receipts_of", ofEndpoint, sql`+${owner}`)} limit ${LOOKED_AT})
			where "meets" or "place" = ${LOOKED_AT} order by "place" limit ${size + 2}`);
	// The plus leaves the search to the index of the event or of the endpoint. By a type SQLite would read all of the organization, by the
	// beginning of the primary key.
	const rows = ofEvent
		? found("", ofEvent, ofEndpoint, ofType, sql`+${owner}`)
		: ofEndpoint
			? found("", ofEndpoint, sql`+${owner}`)
			: found(ofType ? "indexed by webhook_receipts_by_type" : "", owner, ofType);
	return orm.all<Looked<Receipt>>(sql`select ${columns} ${rows} limit ${size + 1}`);
}

/** Gives the delivery its row back, for a retry. Stale when it is not in its short form any more. */
export const restored = (orm: Orm, organizationId: string, id: string) => [
	guarded(
		orm.run(sql`
			insert into ${webhookDeliveries} (${bareList(
				webhookDeliveries.id,
				webhookDeliveries.organizationId,
				webhookDeliveries.webhookId,
				webhookDeliveries.eventId,
				webhookDeliveries.eventType,
				webhookDeliveries.status,
				webhookDeliveries.attempts,
				webhookDeliveries.round,
				webhookDeliveries.roundAttempts,
				webhookDeliveries.createdAt,
				webhookDeliveries.deliveredAt,
				webhookDeliveries.attemptPosition,
				webhookDeliveries.attemptNumber,
				webhookDeliveries.attemptTrigger,
				webhookDeliveries.attemptStartedAt,
				webhookDeliveries.attemptDurationMs,
				webhookDeliveries.attemptOutcome,
				webhookDeliveries.responseStatus,
				webhookDeliveries.responseBody,
				webhookDeliveries.entityId,
				webhookDeliveries.eventSequence,
			)})
			select ${longId(r.id)}, ${organizationId}, ${longId(r.webhookId)}, ${longId(r.eventId)}, ${r.eventType}, 'DELIVERED', 1, 1, 1, ${r.createdAt}, ${r.deliveredAt},
				1, 1, 'AUTOMATIC', ${r.startedAt}, ${r.durationMs}, 'DELIVERED', ${r.responseStatus}, ${r.responseBody},
				${ifOrdered(entityIn(e.data))}, ${ifOrdered(sql`${e.sequence}`)}
			from ${webhookReceipts} ${r} left join ${webhookEvents} ${e} on ${e.id} = ${longId(r.eventId)}
				left join ${webhookEndpoints} ${w} on ${w.id} = ${longId(r.webhookId)}
			where ${isReceipt(organizationId, id)}`),
	),
	orm.run(sql`
		delete from ${webhookReceipts}
		where ${webhookReceipts.organizationId} = ${shortId(organizationId)} and ${webhookReceipts.id} = ${shortId(id)}`),
];

/** Whether a delivery of the event, to the endpoint if one is given, is in its short form. */
export const hasReceipt = (eventId: SQL, webhookId?: SQL): SQL => sql`exists (
	select 1 from ${webhookReceipts} ${r} where ${r.eventId} = ${shortId(eventId)} ${webhookId === undefined ? sql`` : sql`and ${r.webhookId} = ${shortId(webhookId)}`})`;
