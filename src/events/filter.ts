// An endpoint's filter: which of the events that it subscribes to it gets. Judged in the commit of the event, so that an event that nobody
// wants makes no delivery.

import { type Column, type Placeholder, type SQL, sql } from "drizzle-orm";
import { ENTITY, TYPE } from "../shared/webhook-filter";

type Event = { type: string | Placeholder | SQL; entityId: SQL; data: SQL | Column };

/** Whether an event passes a filter, which is JSON text or null: then it does. A member that the payload lacks fails its condition. */
export function passes({ type, entityId, data }: Event, filter: SQL | Column): SQL {
	const value = sql`case c.value ->> 'member' when ${sql.raw(`'${TYPE}'`)} then ${type} when ${sql.raw(`'${ENTITY}'`)} then ${entityId} else ${data} ->> (c.value ->> 'member') end`;
	const isAny = sql`exists (
		select 1 from json_each(c.value, '$.in') i where i.value = ${value}
			or (c.value ->> 'member' = ${sql.raw(`'${TYPE}'`)} and substr(i.value, -1) = '*' and substr(${type}, 1, length(i.value) - 1) = substr(i.value, 1, length(i.value) - 1)))`;
	const isWithin = sql`typeof(${value}) in ('integer', 'real')
		and ${value} >= coalesce(c.value ->> 'min', ${value}) and ${value} <= coalesce(c.value ->> 'max', ${value})`;
	return sql`(${filter} is null or not exists (
		select 1 from json_each(${filter}) c where not case when c.value -> 'in' is not null then ${isAny} else ${isWithin} end))`;
}

/** Whether the endpoint gets the event. */
export const isWanted = ({ filter }: { filter: Column }, event: Event): SQL => passes(event, filter);
