// Reads the deliveries that are due at endpoints, and the attempts that crashed runs have left open. The first part of an endpoint's queue
// is its window. It contains all that is in flight there, so counting needs no index of its own, which would cost every delivery a row.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bare } from "../../../db/columns";
import { prebuilt } from "../../../db/prebuilt";
import { type Expired, unlessNone } from "../../../db/purge";
import { backlog, longestDue } from "../../../events/backlog";
import { laneOf } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../../events/table";
import type { Lane } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import type { Begun } from "../attempts/end.policy";
import { failDeliveries } from "../endpoints/store";
import { GRACE_MS } from "../wake.store";

const delivery = alias(webhookDeliveries, "delivery");
const held = alias(webhookDeliveries, "held");
const queued = alias(webhookDeliveries, "queued");
const batching = alias(webhookEndpoints, "batching");
const endpoint = alias(webhookEndpoints, "endpoint");
const event = alias(webhookEvents, "event");

/** A delivery that is due, and where it would be sent. */
export type Target = {
	id: string;
	organizationId: string;
	webhookId: string;
	url: string;
	lane: Lane;
	/** 1 when it is in the order of its entity. */
	isOrdered: number;
	/** The most deliveries that a request to the endpoint carries: the target stands for up to so many. Null: it stands for itself. */
	batchSize: number | null;
};

/** The size of a window: twice the highest `max_in_flight`. */
const WINDOW = 100;
/** The size of a window where requests carry batches: twice the deliveries that may be in flight there. */
const WINDOW_OF_BATCHES = 1_000;
/** How many due deliveries of an endpoint are read at once. */
export const MOST_READ = WINDOW / 2;
/** How many deliveries may be in flight in batches. */
export const MOST_IN_BATCHES = WINDOW_OF_BATCHES / 2;

const firstOf = (webhookId: SQL, by: number | SQL | undefined, limit: number) => sql`
	select ${queued.id} from ${webhookDeliveries} ${queued} where ${queued.webhookId} = ${webhookId}
		and ${by === undefined ? sql`${queued.nextAttemptAt} is not null` : sql`${queued.nextAttemptAt} <= ${by}`}
	order by ${queued.nextAttemptAt} limit ${limit}`;

export const windowOf = (webhookId: SQL, by?: number | SQL) => sql`(${firstOf(webhookId, by, WINDOW)})`;
export const windowOfBatches = (webhookId: SQL, by: SQL) => sql`(${firstOf(webhookId, by, WINDOW_OF_BATCHES)})`;

/** Everything that an endpoint has in flight is in one of these. */
const windowsOf = (webhookId: SQL) => sql`(
	select * from ${windowOf(webhookId)} union all select * from (
		select ${queued.id} from ${webhookEndpoints} ${batching} cross join ${webhookDeliveries} ${queued} on ${queued.webhookId} = ${batching.id} and ${queued.nextAttemptAt} is not null
		where ${batching.id} = ${webhookId} and ${batching.batchSize} is not null order by ${queued.nextAttemptAt} limit ${WINDOW_OF_BATCHES}))`;

export const targetColumns = sql`
	${delivery.organizationId} as "organizationId", ${delivery.webhookId} as "webhookId", ${endpoint.url} as "url", ${laneOf(endpoint)} as "lane",
	${delivery.entityId} is not null as "isOrdered", ${endpoint.batchSize} as "batchSize"`;

export const isDue = (by: number | SQL) =>
	sql`${delivery.nextAttemptAt} <= ${by} and ${delivery.claimedUntil} is null and ${endpoint.status} = 'ACTIVE'`;

const { placeholder } = sql;

const dueBy = placeholder("dueBy");
const isAsked = sql`${endpoint.id} in (select value from json_each(${placeholder("webhookIds")})) and ${endpoint.status} = 'ACTIVE'`;

const readTargets = prebuilt((orm) =>
	orm.all<Target>(sql`
		select * from (
			select ${delivery.id} as "id", ${targetColumns}, ${delivery.nextAttemptAt} as due from ${webhookEndpoints} ${endpoint}
				cross join ${webhookDeliveries} ${delivery} on ${delivery.id} in ${longestDue(sql`${endpoint.id}`, dueBy, placeholder("single"))}
			where ${isAsked} and ${endpoint.batchSize} is null
			union all
			select "id", "organizationId", "webhookId", "url", "lane", "isOrdered", "batchSize", due from (
				select ${delivery.id} as "id", ${targetColumns}, ${delivery.nextAttemptAt} as due,
					row_number() over (partition by ${delivery.webhookId} order by ${delivery.nextAttemptAt}, ${delivery.id}) - 1 as place
				from ${webhookEndpoints} ${endpoint} cross join ${webhookDeliveries} ${delivery} on ${delivery.id} in ${longestDue(sql`${endpoint.id}`, dueBy, MOST_IN_BATCHES)}
				where ${isAsked} and ${endpoint.batchSize} is not null)
			where place % "batchSize" = 0 and place / "batchSize" < ${placeholder("limit")})
		order by due`),
);

/** The deliveries that are due at the endpoints, longest due first, up to `limit` of each; with batches, one delivery per request. */
export const targetsOf = ({ now }: Services, webhookIds: readonly string[], limit: number) =>
	readTargets({ webhookIds: JSON.stringify(webhookIds), dueBy: now + GRACE_MS, single: Math.min(limit, MOST_READ), limit });

/** The id of the request, message or sweep that raised the event of a delivery. */
const cause = sql`(select ${event.cause} from ${webhookEvents} ${event} where ${event.id} = ${delivery.eventId}) as "cause"`;

/** The columns of `Begun` that all queries of attempts share. */
export const begunColumns = sql`
	${cause},
	${delivery.roundAttempts} as "roundAttempts", ${delivery.roundInterrupted} as "roundInterrupted", ${delivery.testData} is not null as "isTest",
	${delivery.organizationId} as "organizationId", ${delivery.webhookId} as "webhookId", ${delivery.attemptPosition} as "position", ${delivery.entityId} as "entityId",
	exists (select 1 from ${webhookDeliveries} ${held} where ${held.webhookId} = ${delivery.webhookId} and ${held.status} = 'PENDING' and ${held.nextAttemptAt} is null) as "isHolding"`;

/** Attempts whose end no run will record: their claim has expired, or another process than `onlyProcess`, the only one running, made it. */
export const abandonedAttempts = ({ db: { orm }, realNow }: Services, limit: number, onlyProcess: string | undefined) =>
	orm.all<Begun>(sql`
		with ${backlog}
		select ${delivery.id} as "id", ${delivery.claim} as "claim", ${begunColumns}, coalesce(${endpoint.name}, '') as "webhookName",
			case when ${endpoint.updatedAt} <= ${delivery.attemptStartedAt} then ${endpoint.url} else '' end as "url"
		from backlog cross join ${webhookDeliveries} ${delivery} on ${delivery.id} in ${windowsOf(sql`backlog.webhook_id`)} and ${delivery.claimedUntil} is not null left join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = ${delivery.webhookId}
		where (${delivery.claimedUntil} <= ${realNow} ${onlyProcess === undefined ? sql`` : sql`or ${delivery.claim} not like ${`${onlyProcess}:%`}`})
		limit ${limit}`);

/** When the last open claim expires, in real time; null when none is open. */
export const openClaims = ({ db: { orm } }: Services) =>
	orm.all<{ until: number | null }>(sql`
		with ${backlog}
		select max((select max(${delivery.claimedUntil}) from ${webhookDeliveries} ${delivery} where ${delivery.id} in ${windowsOf(sql`backlog.webhook_id`)})) as "until" from backlog`);

/** The active endpoints with due deliveries, each with the delivery that has been due for the longest time. */
export const dueEndpoints = ({ db: { orm }, now }: Services) =>
	orm.all<Target & { hintedAt: number | null; cause: string | null }>(sql`
		with ${backlog}
		select ${delivery.id} as "id", ${targetColumns}, ${endpoint.hintedAt} as "hintedAt", ${cause}
		from backlog cross join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = backlog.webhook_id
			cross join ${webhookDeliveries} ${delivery} on ${delivery.id} = ${longestDue(sql`${endpoint.id}`, now)}
		where ${endpoint.status} = 'ACTIVE'`);

/**
 * Holds or fails deliveries that wait although their endpoint was suspended or deleted: a suspension or deletion deals with one
 * portion of them itself. Only the held deliveries, those of the last statement, count when the sweep asks whether more may be left.
 */
export const holdOrFailUnsendable = ({ db: { orm }, now }: Services): Expired => {
	const unsent = (condition: SQL, limit: number) => sql`(
		with ${backlog}
		select ${delivery.id} from backlog left join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = backlog.webhook_id
			cross join ${webhookDeliveries} ${delivery} on ${delivery.webhookId} = backlog.webhook_id and ${delivery.nextAttemptAt} is not null and ${delivery.claimedUntil} is null
		where ${condition} limit ${limit})`;
	const isDeleted = sql`${endpoint.id} is null`;
	const isSuspended = sql`${endpoint.status} = 'SUSPENDED'`;
	return unlessNone(orm.all(sql`select 1 where exists ${unsent(sql`(${isDeleted} or ${isSuspended})`, 1)}`), (limit) => [
		failDeliveries(orm, unsent(isDeleted, limit), "WEBHOOK_DELETED", now),
		orm.run(
			sql`update ${webhookDeliveries} set ${bare(webhookDeliveries.nextAttemptAt)} = null where ${webhookDeliveries.id} in ${unsent(isSuspended, limit)}`,
		),
	]);
};
