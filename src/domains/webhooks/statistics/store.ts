// Counts ended attempts in short slots, within the commit that records the ends; the sweep sums those up in long ones.

import { and, type Column, eq, gte, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bareList, excluded } from "../../../db/columns";
import type { Orm, Statement } from "../../../db/database";
import { prebuilt } from "../../../db/prebuilt";
import { type Expired, unlessNone } from "../../../db/purge";
import { webhookDeliveries } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import type { Begun, Ended } from "../attempts/end.policy";
import { afterAttempt } from "../attempts/policy";
import { expiredBefore, LONG_SLOT_MS, latencyClass, SHORT_SLOT_MS, summedUpBefore } from "./policy";
import { webhookStatistics } from "./table";

const delivery = alias(webhookDeliveries, "delivery");
const hour = alias(webhookStatistics, "hour");

const sum = (column: Column) => sql`${column} + ${excluded(column)}`;

const slot = bareList(
	webhookStatistics.webhookId,
	webhookStatistics.slotMs,
	webhookStatistics.start,
	webhookStatistics.attempts,
	webhookStatistics.delivered,
	webhookStatistics.failed,
	webhookStatistics.latencies,
);

/** Adds to the counts of a slot that exists. */
const addToSlot = sql`
	on conflict (${bareList(webhookStatistics.webhookId, webhookStatistics.slotMs, webhookStatistics.start)}) do update set
		${assign(webhookStatistics, {
			attempts: sum(webhookStatistics.attempts),
			delivered: sum(webhookStatistics.delivered),
			failed: sum(webhookStatistics.failed),
			latencies: sql`(
				select json_group_object(both.key, both.times) from (
					select key, sum(value) as times from (
						select key, value from json_each(${webhookStatistics.latencies})
						union all select key, value from json_each(${excluded(webhookStatistics.latencies)}))
					group by key) both)`,
		})}`;

const { placeholder } = sql;

const countRows = prebuilt((orm) =>
	orm.run(sql`
		insert into ${webhookStatistics} (${slot})
		with ended as materialized (
			select ${delivery.webhookId} as webhook_id, ended_attempt.value ->> 'delivered' as delivered, ended_attempt.value ->> 'failed' as failed, ended_attempt.value ->> 'latency' as latency
			from json_each(${placeholder("rows")}) ended_attempt cross join ${webhookDeliveries} ${delivery} on ${delivery.id} = ended_attempt.value ->> 'id'
			where ${delivery.claim} = ended_attempt.value ->> 'claim'),
		answered as (select webhook_id, latency, count(*) as times from ended where latency is not null group by webhook_id, latency)
		select webhook_id, ${SHORT_SLOT_MS}, ${placeholder("start")}, count(*), sum(delivered), sum(failed),
			(select json_group_object(latency, times) from answered where answered.webhook_id = ended.webhook_id)
		from ended where true group by webhook_id
		${addToSlot}`),
);

/** Counts those ends whose claim is still held, in short slots. To be written before the ends themselves, which give the claims back. */
export function countEnds({ now }: Services, ends: readonly (readonly [Begun, Ended])[]): Statement[] {
	const counted = ends.filter(([{ isTest }, { outcome }]) => !isTest && outcome !== "BLOCKED_ADDRESS");
	if (counted.length === 0) return [];
	const rows = counted.map(([attempt, { outcome, durationMs, responseStatus }]) => {
		const { status } = afterAttempt({ ...attempt, outcome, now, random: 0 });
		return {
			id: attempt.id,
			claim: attempt.claim,
			delivered: status === "DELIVERED" ? 1 : 0,
			failed: status === "FAILED" ? 1 : 0,
			latency: responseStatus === null || durationMs === null ? null : String(latencyClass(durationMs)),
		};
	});
	return [countRows({ rows: JSON.stringify(rows), start: now - (now % SHORT_SLOT_MS) })];
}

/** Short slots of one statement: each has up to some thirty classes of latency, so that a thousand held the database for half a second. */
const SUMMED_UP_AT_ONCE = 100;

/** Sums the oldest short slots up in long ones: a portion of so many. The last statement removes them. */
export const sumUpSlots = (orm: Orm, now: number): Expired => {
	const due = sql`${hour.slotMs} = ${SHORT_SLOT_MS} and ${hour.start} < ${summedUpBefore(now)}`;
	const any = orm.all(sql`select 1 from ${webhookStatistics} ${hour} where ${due} limit 1`);
	const remove = (limit: number) => {
		// Both statements must select the same rows, so neither may take a column of its own for `start`.
		const portion = sql`
			from ${webhookStatistics} ${hour} where ${due}
			order by ${hour.start}, ${hour.webhookId} limit ${limit}`;
		return [
			orm.run(sql`
				insert into ${webhookStatistics} (${slot})
				with short as materialized (
					select ${hour.webhookId} as webhook_id, ${hour.start} - ${hour.start} % ${LONG_SLOT_MS} as start, ${hour.attempts} as attempts,
						${hour.delivered} as delivered, ${hour.failed} as failed, ${hour.latencies} as latencies ${portion}),
				counts as (
					select webhook_id, start, attempts, delivered, failed, null as latency, 0 as times from short
					union all select short.webhook_id, short.start, 0, 0, 0, latency.key, sum(latency.value)
						from short cross join json_each(short.latencies) latency group by short.webhook_id, short.start, latency.key)
				select webhook_id, ${LONG_SLOT_MS}, start, sum(attempts), sum(delivered), sum(failed),
					json_group_object(latency, times) filter (where latency is not null)
				from counts where true group by webhook_id, start
				${addToSlot}`),
			orm.run(
				sql`delete from ${webhookStatistics} where (${webhookStatistics.webhookId}, ${webhookStatistics.slotMs}, ${webhookStatistics.start}) in (select ${hour.webhookId}, ${hour.slotMs}, ${hour.start} ${portion})`,
			),
		];
	};
	return unlessNone(any, remove, SUMMED_UP_AT_ONCE);
};

/** Removes long slots that no period shows any more. */
export const expiredSlots = (orm: Orm, now: number): Expired => {
	const past = sql`from ${webhookStatistics} where ${webhookStatistics.slotMs} = ${LONG_SLOT_MS} and ${webhookStatistics.start} < ${expiredBefore(now)}`;
	return unlessNone(orm.all(sql`select 1 ${past} limit 1`), (limit) => [
		orm.run(sql`
			delete from ${webhookStatistics} where (${webhookStatistics.webhookId}, ${webhookStatistics.slotMs}, ${webhookStatistics.start}) in (
				select ${webhookStatistics.webhookId}, ${webhookStatistics.slotMs}, ${webhookStatistics.start} ${past}
				order by ${webhookStatistics.start} limit ${limit})`),
	]);
};

/**
 * The slots that a period of these endpoints has: short ones, and for the longer periods the long ones in which those before them are
 * summed up.
 */
export const slotsSince = (orm: Orm, webhookIds: SQL, { slotMs, from }: { slotMs: number; from: number }) =>
	orm
		.select()
		.from(webhookStatistics)
		.where(
			and(
				sql`${webhookStatistics.webhookId} in ${webhookIds}`,
				inArray(webhookStatistics.slotMs, [...new Set([SHORT_SLOT_MS, slotMs])]),
				gte(webhookStatistics.start, from),
			),
		);

export const forgetStatistics = (orm: Orm, webhookId: string) =>
	orm.delete(webhookStatistics).where(eq(webhookStatistics.webhookId, webhookId));

/** The oldest pending deliveries of an endpoint, tests left out: how many, up to `limit`, and since when. */
export const pendingOf = (orm: Orm, organizationId: string, webhookId: string, limit: number) =>
	orm.all<{ count: number; oldest: number | null }>(sql`
		select count(*) as "count", min(since) as "oldest" from (
			select ${webhookDeliveries.createdAt} as since from ${webhookDeliveries}
			where ${webhookDeliveries.organizationId} = ${organizationId} and ${webhookDeliveries.webhookId} = ${webhookId} and ${webhookDeliveries.status} = 'PENDING' and ${webhookDeliveries.testData} is null
			order by since, ${webhookDeliveries.id} limit ${limit})`);
