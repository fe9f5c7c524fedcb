// Counts ended attempts in their slots, within the commit that records the ends.

import { and, asc, eq, gte, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { webhookDeliveries } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import type { Begun, Ended } from "../deliveries/attempt.store";
import { afterAttempt } from "../deliveries/policy";
import { KEPT_MS, LONG_SLOT_MS, latencyClass, SHORT_SLOT_MS } from "./policy";
import { webhookStatistics } from "./table";

const SLOT_LENGTHS = JSON.stringify([SHORT_SLOT_MS, LONG_SLOT_MS]);

/**
 * Counts those ends whose claim is still held, and removes slots that no period shows any more. To be written before the ends
 * themselves, which give the claims back.
 */
export function countEnds({ now }: Services, ends: readonly (readonly [Begun, Ended])[]): SQL[] {
	const counted = ends.filter(([, { outcome }]) => outcome !== "BLOCKED_ADDRESS");
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
	const webhookIds = JSON.stringify([...new Set(counted.map(([{ webhookId }]) => webhookId))]);
	return [
		sql`
			insert into ${webhookStatistics} (webhook_id, slot_ms, start, attempts, delivered, failed, latencies)
			with ended as materialized (
				select d.webhook_id as webhook_id, e.value ->> 'delivered' as delivered, e.value ->> 'failed' as failed, e.value ->> 'latency' as latency
				from json_each(${JSON.stringify(rows)}) e cross join ${webhookDeliveries} d on d.id = e.value ->> 'id'
				where d.claim = e.value ->> 'claim' and d.claimed_until is not null and d.test_data is null),
			answered as (select webhook_id, latency, count(*) as times from ended where latency is not null group by webhook_id, latency)
			select ended.webhook_id, slot.value, ${now} - ${now} % slot.value, count(*), sum(ended.delivered), sum(ended.failed),
				(select json_group_object(latency, times) from answered where answered.webhook_id = ended.webhook_id)
			from ended cross join json_each(${SLOT_LENGTHS}) slot group by ended.webhook_id, slot.value
			on conflict (webhook_id, slot_ms, start) do update set
				attempts = attempts + excluded.attempts, delivered = delivered + excluded.delivered, failed = failed + excluded.failed,
				latencies = (
					select json_group_object(both.key, both.times) from (
						select key, sum(value) as times from (
							select key, value from json_each(webhook_statistics.latencies)
							union all select key, value from json_each(excluded.latencies))
						group by key) both)`,
		...KEPT_MS.map(
			([slotMs, keptMs]) => sql`
				delete from ${webhookStatistics}
				where webhook_id in (select value from json_each(${webhookIds})) and slot_ms = ${slotMs} and start < ${now - keptMs}`,
		),
	];
}

export const slotsSince = (orm: Orm, webhookId: string, { slotMs, from }: { slotMs: number; from: number }) =>
	orm
		.select()
		.from(webhookStatistics)
		.where(and(eq(webhookStatistics.webhookId, webhookId), eq(webhookStatistics.slotMs, slotMs), gte(webhookStatistics.start, from)))
		.orderBy(asc(webhookStatistics.start));

export const forgetStatistics = (orm: Orm, webhookId: string) =>
	orm.delete(webhookStatistics).where(eq(webhookStatistics.webhookId, webhookId));

/** The oldest pending deliveries of an endpoint, tests left out: how many, up to `limit`, and since when. */
export const pendingOf = (orm: Orm, organizationId: string, webhookId: string, limit: number) =>
	orm.all<{ count: number; oldest: number | null }>(sql`
		select count(*) as "count", min(created_at) as "oldest" from (
			select created_at from ${webhookDeliveries}
			where organization_id = ${organizationId} and webhook_id = ${webhookId} and status = 'PENDING' and test_data is null
			order by created_at, id limit ${limit})`);
