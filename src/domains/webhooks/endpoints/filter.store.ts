// Counts what a filter would have let pass.

import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../../db/database";
import { passes } from "../../../events/filter";
import { entityIn } from "../../../events/ordering";
import { webhookEvents } from "../../../events/table";
import type { Filter } from "../../../shared/webhook-filter";

const e = alias(webhookEvents, "e");

/** Of the organization's last events. `last` is the row of `lastPlace`: SQLite takes a column beside a single maximum from there. */
export function countPassing(
	orm: Orm,
	organizationId: string,
	{ events, filter, limit }: { events: readonly string[]; filter: Filter | null; limit: number },
) {
	const tried = sql`${filter === null ? null : JSON.stringify(filter)}`;
	const looked = { type: sql`looked.event_type`, entityId: entityIn(sql`looked.data`), data: sql`looked.data` };
	return orm.all<{ looked: number; subscribed: number; matching: number; lastPlace: number | null; last: string | null }>(sql`
		with looked as materialized (
			select ${e.id} as id, ${e.sequence} as place, ${e.eventType} as event_type, ${e.data} as data from ${webhookEvents} ${e}
			where ${e.organizationId} = ${organizationId} order by ${e.createdAt} desc, ${e.sequence} desc limit ${limit}),
		judged as materialized (
			select looked.id as id, looked.place as place, ${passes(looked, tried)} as passing from looked
			where instr(${JSON.stringify(events)}, '"' || looked.event_type || '"') > 0)
		select (select count(*) from looked) as "looked", count(*) as "subscribed", coalesce(sum(judged.passing), 0) as "matching",
			max(case when judged.passing then judged.place end) as "lastPlace", judged.id as "last" from judged`);
}
