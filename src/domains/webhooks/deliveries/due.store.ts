// What is due at endpoints, and what runs that died have left. The first part of an endpoint's queue is its window: what is in flight there is
// among it, and can be counted without an index of its own, which would cost every delivery a row.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bare } from "../../../db/columns";
import type { Statement } from "../../../db/database";
import { backlog, longestDue } from "../../../events/backlog";
import { laneOfEndpoint } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Lane } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import type { Begun } from "../attempts/end.policy";
import { failDeliveries } from "../endpoints/store";
import { GRACE_MS } from "../wake.store";

const d = alias(webhookDeliveries, "d");
const h = alias(webhookDeliveries, "h");
const o = alias(webhookDeliveries, "o");
const v = alias(webhookEndpoints, "v");
const w = alias(webhookEndpoints, "w");

/** A delivery that is due, and where it would be sent. */
export type Target = {
	id: string;
	organizationId: string;
	webhookId: string;
	url: string;
	lane: Lane;
	/** 1 when it is in the order of its entity. */
	isOrdered: number;
	/** How many deliveries a request there carries at most: it stands for as many that are due. Null: for itself. */
	batchSize: number | null;
};

/** How many of the deliveries that have been due for the longest time are claimed at an endpoint: twice as many as may be in flight there. */
const WINDOW = 100;
/** The same where requests carry batches. */
const WINDOW_OF_BATCHES = 1_000;
/** How many of an endpoint are read at once. */
export const MOST_READ = WINDOW / 2;
/** How many deliveries may be in flight in batches. */
export const MOST_IN_BATCHES = WINDOW_OF_BATCHES / 2;

const firstOf = (webhookId: SQL, by: number | SQL | undefined, limit: number) => sql`
	select ${o.id} from ${webhookDeliveries} ${o} where ${o.webhookId} = ${webhookId}
		and ${by === undefined ? sql`${o.nextAttemptAt} is not null` : sql`${o.nextAttemptAt} <= ${by}`}
	order by ${o.nextAttemptAt} limit ${limit}`;

export const windowOf = (webhookId: SQL, by?: number | SQL) => sql`(${firstOf(webhookId, by, WINDOW)})`;
export const windowOfBatches = (webhookId: SQL, by: SQL) => sql`(${firstOf(webhookId, by, WINDOW_OF_BATCHES)})`;

/** Whatever an endpoint has in flight is in one of these. */
const windowsOf = (webhookId: SQL) => sql`(
	select * from ${windowOf(webhookId)} union all select * from (
		select ${o.id} from ${webhookEndpoints} ${v} cross join ${webhookDeliveries} ${o} on ${o.webhookId} = ${v.id} and ${o.nextAttemptAt} is not null
		where ${v.id} = ${webhookId} and ${v.batchSize} is not null order by ${o.nextAttemptAt} limit ${WINDOW_OF_BATCHES}))`;

export const targetColumns = sql`
	${d.organizationId} as "organizationId", ${d.webhookId} as "webhookId", ${w.url} as "url", ${laneOfEndpoint} as "lane",
	${d.entityId} is not null as "isOrdered", ${w.batchSize} as "batchSize"`;

export const isDue = (by: number | SQL) => sql`${d.nextAttemptAt} <= ${by} and ${d.claimedUntil} is null and ${w.status} = 'ACTIVE'`;

/** What is due at the endpoints, the longest due first, and up to so many of each. Where requests carry batches, one delivery for each request. */
export const targetsOf = ({ db: { orm }, now }: Services, webhookIds: readonly string[], limit: number) => {
	const by = now + GRACE_MS;
	const at = sql`${w.id} in (select value from json_each(${JSON.stringify(webhookIds)})) and ${w.status} = 'ACTIVE'`;
	return orm.all<Target>(sql`
		select * from (
			select ${d.id} as "id", ${targetColumns}, ${d.nextAttemptAt} as due from ${webhookEndpoints} ${w}
				cross join ${webhookDeliveries} ${d} on ${d.id} in ${longestDue(sql`${w.id}`, by, Math.min(limit, MOST_READ))}
			where ${at} and ${w.batchSize} is null
			union all
			select "id", "organizationId", "webhookId", "url", "lane", "isOrdered", "batchSize", due from (
				select ${d.id} as "id", ${targetColumns}, ${d.nextAttemptAt} as due,
					row_number() over (partition by ${d.webhookId} order by ${d.nextAttemptAt}, ${d.id}) - 1 as place
				from ${webhookEndpoints} ${w} cross join ${webhookDeliveries} ${d} on ${d.id} in ${longestDue(sql`${w.id}`, by, MOST_IN_BATCHES)}
				where ${at} and ${w.batchSize} is not null)
			where place % "batchSize" = 0 and place / "batchSize" < ${limit})
		order by due`);
};

/** What the end of an attempt must know of its delivery `d`. */
export const begunColumns = sql`
	${d.roundAttempts} as "roundAttempts", ${d.roundInterrupted} as "roundInterrupted", ${d.testData} is not null as "isTest",
	${d.organizationId} as "organizationId", ${d.webhookId} as "webhookId", ${d.attemptPosition} as "position", ${d.entityId} as "entityId",
	exists (select 1 from ${webhookDeliveries} ${h} where ${h.webhookId} = ${d.webhookId} and ${h.status} = 'PENDING' and ${h.nextAttemptAt} is null) as "isHolding"`;

/** Attempts whose end nobody will record: their claim has expired, or was not made by this process, if that is the only one. */
export const abandonedAttempts = ({ db: { orm }, realNow }: Services, limit: number, onlyProcess: string | undefined) =>
	orm.all<Begun>(sql`
		with ${backlog}
		select ${d.id} as "id", ${d.claim} as "claim", ${begunColumns}, coalesce(${w.name}, '') as "webhookName",
			case when ${w.updatedAt} <= ${d.attemptStartedAt} then ${w.url} else '' end as "url"
		from backlog cross join ${webhookDeliveries} ${d} on ${d.id} in ${windowsOf(sql`backlog.webhook_id`)} and ${d.claimedUntil} is not null left join ${webhookEndpoints} ${w} on ${w.id} = ${d.webhookId}
		where (${d.claimedUntil} <= ${realNow} ${onlyProcess === undefined ? sql`` : sql`or ${d.claim} not like ${`${onlyProcess}:%`}`})
		limit ${limit}`);

/** When the last open claim expires, in real time; null when none is open. */
export const openClaims = ({ db: { orm } }: Services) =>
	orm.all<{ until: number | null }>(sql`
		with ${backlog}
		select max((select max(${d.claimedUntil}) from ${webhookDeliveries} ${d} where ${d.id} in ${windowsOf(sql`backlog.webhook_id`)})) as "until" from backlog`);

/** The endpoints at which something is due, with the delivery that has been due for the longest time. */
export const dueEndpoints = ({ db: { orm }, now }: Services) =>
	orm.all<Target & { hintedAt: number | null }>(sql`
		with ${backlog}
		select ${d.id} as "id", ${targetColumns}, ${w.hintedAt} as "hintedAt"
		from backlog cross join ${webhookEndpoints} ${w} on ${w.id} = backlog.webhook_id
			cross join ${webhookDeliveries} ${d} on ${d.id} = ${longestDue(sql`${w.id}`, now)}
		where ${w.status} = 'ACTIVE'`);

/**
 * Holds or fails deliveries that wait although their endpoint was suspended or deleted: a suspension or deletion deals with one
 * portion of them itself. The last statement counts both.
 */
export const holdOrFailUnsendable = ({ db: { orm }, now }: Services, limit: number): Statement[] => {
	const unsent = (condition: SQL) => sql`(
		with ${backlog}
		select ${d.id} from backlog left join ${webhookEndpoints} ${w} on ${w.id} = backlog.webhook_id
			cross join ${webhookDeliveries} ${d} on ${d.webhookId} = backlog.webhook_id and ${d.nextAttemptAt} is not null and ${d.claimedUntil} is null
		where ${condition} limit ${limit})`;
	return [
		failDeliveries(orm, unsent(sql`${w.id} is null`), "WEBHOOK_DELETED", now),
		orm.run(
			sql`update ${webhookDeliveries} set ${bare(webhookDeliveries.nextAttemptAt)} = null where ${webhookDeliveries.id} in ${unsent(sql`${w.status} = 'SUSPENDED'`)}`,
		),
	];
};
