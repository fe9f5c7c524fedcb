// Finds what waits in the backlog, endpoint by endpoint: the index of due deliveries begins with the endpoint, so that the search for
// one endpoint's work never reads through another's backlog.

import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../db/database";
import { distinct } from "../db/distinct";
import { webhookDeliveries } from "./table";

const oldestDue = alias(webhookDeliveries, "oldest_due");
const overdue = alias(webhookDeliveries, "overdue");

/** The endpoints with deliveries that wait or are in flight, for a WITH clause: rows `backlog`. */
export const backlog = distinct("backlog", webhookDeliveries.webhookId, sql`${webhookDeliveries.nextAttemptAt} is not null`);

/** The delivery of an endpoint that has been due for the longest time and is not in flight, as a subquery of its id. */
export const longestDue = (webhookId: SQL, now: number | Placeholder, limit: number | Placeholder = 1): SQL => sql`(
	select ${overdue.id} from ${webhookDeliveries} ${overdue} where ${overdue.webhookId} = ${webhookId} and ${overdue.nextAttemptAt} <= ${now} and ${overdue.claimedUntil} is null
	order by ${overdue.nextAttemptAt} limit ${limit})`;

/** When the delivery that has waited longest of all was due; null when none is due. */
export const longestOverdue = (orm: Orm, now: number) =>
	orm.all<{ due: number | null }>(sql`
		with ${backlog}
		select min((select ${oldestDue.nextAttemptAt} from ${webhookDeliveries} ${oldestDue} where ${oldestDue.id} = ${longestDue(sql`backlog.webhook_id`, now)})) as "due" from backlog`);
