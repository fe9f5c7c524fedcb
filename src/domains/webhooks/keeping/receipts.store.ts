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

const delivery = alias(webhookDeliveries, "delivery");
const event = alias(webhookEvents, "event");
const receipt = alias(webhookReceipts, "receipt");
const endpoint = alias(webhookEndpoints, "endpoint");

const { placeholder } = sql;

/** The ends of attempts that delivered, whose claim is still held, with the deliveries for which one attempt was enough. */
const deliveredAtOnce = sql`
	json_each(${placeholder("ends")}) ended_attempt cross join ${webhookDeliveries} ${delivery} on ${delivery.id} = ended_attempt.value ->> 'id'
	where ${delivery.claim} = ended_attempt.value ->> 'claim'
		and ${delivery.attemptPosition} = 1 and ${delivery.attemptTrigger} = 'AUTOMATIC' and ${delivery.round} = 1 and ${delivery.testData} is null
		and ${isOfInstant(delivery.id, delivery.createdAt)} and ${shortId(delivery.organizationId)} is not null and ${shortId(delivery.webhookId)} is not null and ${shortId(delivery.eventId)} is not null`;

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
		select ${shortId(delivery.organizationId)}, ${shortId(delivery.id)}, ${shortId(delivery.webhookId)}, ${shortId(delivery.eventId)}, ${delivery.eventType}, ${delivery.createdAt},
			${placeholder("now")}, coalesce(ended_attempt.value ->> 'startedAt', ${delivery.attemptStartedAt}), ended_attempt.value ->> 'durationMs', ended_attempt.value ->> 'responseStatus', ended_attempt.value ->> 'responseBody'
		from ${deliveredAtOnce}`),
);
export const removeReceived = prebuilt((orm) =>
	orm.all<{ id: string }>(sql`
		delete from ${webhookDeliveries} where ${webhookDeliveries.id} in (select ${delivery.id} from ${deliveredAtOnce}) returning ${webhookDeliveries.id}`),
);

export type Receipt = Pick<DeliveryRow, "id" | "webhookId" | "eventId" | "eventType" | "createdAt"> & {
	deliveredAt: number;
	startedAt: number;
	durationMs: number | null;
	responseStatus: number | null;
	responseBody: string | null;
};

const columns = sql`
	${longId(receipt.id)} as "id", ${longId(receipt.webhookId)} as "webhookId", ${longId(receipt.eventId)} as "eventId", ${receipt.eventType} as "eventType",
	${receipt.createdAt} as "createdAt", ${receipt.deliveredAt} as "deliveredAt", ${receipt.startedAt} as "startedAt", ${receipt.durationMs} as "durationMs",
	${receipt.responseStatus} as "responseStatus", ${receipt.responseBody} as "responseBody"`;

const isReceipt = (organizationId: string, id: string): SQL =>
	sql`${receipt.organizationId} = ${shortId(organizationId)} and ${receipt.id} = ${shortId(id)}`;

export const findReceipt = (orm: Orm, organizationId: string, id: string) =>
	receiptsWith(orm, organizationId, sql`${receipt.id} = ${shortId(id)}`);

/** The oldest that were made before the instant. */
export const receiptsBefore = (orm: Orm, organizationId: string, before: number, limit: number) =>
	receiptsWith(orm, organizationId, sql`${receipt.id} < ${shortIdFrom(before)} order by ${receipt.id} limit ${limit}`);

const receiptsWith = (orm: Orm, organizationId: string, condition: SQL) =>
	orm.all<Receipt & { body: string }>(sql`
		select ${columns}, ${bodyOf({
			id: longId(receipt.id),
			eventType: sql`${receipt.eventType}`,
			organizationId: sql`${organizationId}`,
			testData: sql`null`,
			eventId: longId(receipt.eventId),
			createdAt: sql`${receipt.createdAt}`,
		})} as "body"
		from ${webhookReceipts} ${receipt} where ${receipt.organizationId} = ${shortId(organizationId)} and ${condition}`);

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

/** The short forms of a page of the delivery log, one more than the page shows, and its edge when it looks for a type, of which there is no index. */
export function receiptsIn(
	orm: Orm,
	organizationId: string,
	{ webhookId, eventId, eventType }: LogFilter,
	{ size, after, before }: Window,
	{ from, until }: Range,
) {
	const ascending = before !== undefined;
	const cursor = before ?? after;
	const order = sql`order by ${receipt.id} ${sql.raw(ascending ? "asc" : "desc")}`;
	const owner = sql`${receipt.organizationId} = ${shortId(organizationId)}`;
	const ofEndpoint = webhookId === undefined ? undefined : sql`${receipt.webhookId} = ${shortId(webhookId)}`;
	const ofEvent = eventId === undefined ? undefined : sql`${receipt.eventId} = ${shortId(eventId)}`;
	const ofType = eventType === undefined ? undefined : sql`${receipt.eventType} = ${eventType}`;
	const window = and(
		from === undefined ? undefined : sql`${receipt.id} >= ${shortIdFrom(from)}`,
		until === undefined ? undefined : sql`${receipt.id} < ${shortIdFrom(until)}`,
		cursor && (ascending ? sql`${receipt.id} > ${shortIdAt(cursor)}` : sql`${receipt.id} < ${shortIdAt(cursor)}`),
	);
	const found = (index: string, ...conditions: (SQL | undefined)[]) => sql`
		from ${webhookReceipts} ${receipt} ${sql.raw(index)} where ${and(...conditions, window)} ${order}`;
	if (ofType && !ofEvent)
		return orm.all<Looked<Receipt>>(sql`
			select * from (
				select ${columns}, ${ofType} as "meets", row_number() over (${order}) as "place"
				${ofEndpoint ? found("indexed by webhook_receipts_of", ofEndpoint, sql`+${owner}`) : found("", owner)} limit ${LOOKED_AT})
			where "meets" or "place" = ${LOOKED_AT} order by "place" limit ${size + 2}`);
	// The plus leaves the search to the index of the event or of the endpoint.
	const rows = ofEvent
		? found("", ofEvent, ofEndpoint, ofType, sql`+${owner}`)
		: ofEndpoint
			? found("", ofEndpoint, sql`+${owner}`)
			: found("", owner);
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
			select ${longId(receipt.id)}, ${organizationId}, ${longId(receipt.webhookId)}, ${longId(receipt.eventId)}, ${receipt.eventType}, 'DELIVERED', 1, 1, 1, ${receipt.createdAt}, ${receipt.deliveredAt},
				1, 1, 'AUTOMATIC', ${receipt.startedAt}, ${receipt.durationMs}, 'DELIVERED', ${receipt.responseStatus}, ${receipt.responseBody},
				${ifOrdered(endpoint, entityIn(event.data))}, ${ifOrdered(endpoint, sql`${event.sequence}`)}
			from ${webhookReceipts} ${receipt} left join ${webhookEvents} ${event} on ${event.id} = ${longId(receipt.eventId)}
				left join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = ${longId(receipt.webhookId)}
			where ${isReceipt(organizationId, id)}`),
	),
	orm.run(sql`
		delete from ${webhookReceipts}
		where ${webhookReceipts.organizationId} = ${shortId(organizationId)} and ${webhookReceipts.id} = ${shortId(id)}`),
];

/** Whether a delivery of the event, to the endpoint if one is given, is in its short form. */
export const hasReceipt = (eventId: SQL, webhookId?: SQL): SQL => sql`exists (
	select 1 from ${webhookReceipts} ${receipt} where ${receipt.eventId} = ${shortId(eventId)} ${webhookId === undefined ? sql`` : sql`and ${receipt.webhookId} = ${shortId(webhookId)}`})`;
