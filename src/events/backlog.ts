// Finds what waits in the backlog, endpoint by endpoint: the index of due deliveries goes by endpoint, so that no endpoint's backlog lies
// before another's.

import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../db/database";
import { webhookDeliveries } from "./table";

/**
 * The endpoints of the deliveries that the condition selects, for a WITH clause: rows `${name}` with a `webhook_id`, the last of which is
 * null. Reads one row of each endpoint, if an index goes by endpoint and holds just these deliveries.
 *
 * @param condition on the deliveries `d`
 */
export const endpointsOfDeliveries = (name: string, condition: SQL): SQL => {
	const table = sql.raw(name);
	return sql`recursive ${table}(webhook_id) as (
		select min(d.webhook_id) from ${webhookDeliveries} d where ${condition}
		union all
		select (select min(d.webhook_id) from ${webhookDeliveries} d where ${condition} and d.webhook_id > ${table}.webhook_id)
		from ${table} where ${table}.webhook_id is not null)`;
};

/** The endpoints with deliveries that wait or are in flight, for a WITH clause: rows `backlog`. */
export const backlog = endpointsOfDeliveries("backlog", sql`d.next_attempt_at is not null`);

/** The delivery of an endpoint that has been due for the longest time and is not in flight, as a subquery of its id. */
export const longestDue = (webhookId: SQL, now: number): SQL => sql`(
	select o.id from ${webhookDeliveries} o where o.webhook_id = ${webhookId} and o.next_attempt_at <= ${now} and o.claimed_until is null
	order by o.next_attempt_at limit 1)`;

/** When the delivery was due that has waited longest of all; null when none is due. */
export const longestOverdue = (orm: Orm, now: number) =>
	orm.all<{ due: number | null }>(sql`
		with ${backlog}
		select min((select d.next_attempt_at from ${webhookDeliveries} d where d.id = ${longestDue(sql`backlog.webhook_id`, now)})) as "due" from backlog`);
