// Messages that wake the consumer up later. An endpoint has one outstanding, for the instant at which its next delivery is due: its row says
// so. When it has arrived, the next is queued.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign } from "../../db/columns";
import { type Effect, effect, type Statement } from "../../db/database";
import { prebuilt } from "../../db/prebuilt";
import { backlog } from "../../events/backlog";
import { BEHIND } from "../../events/ordering";
import { laneOf } from "../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../events/table";
import type { Lane } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { RETRY_DELAYS_S } from "./attempts/policy";

const delivery = alias(webhookDeliveries, "delivery");
const queued = alias(webhookDeliveries, "queued");
const endpoint = alias(webhookEndpoints, "endpoint");

/**
 * An attempt may begin this much before it is due: the message that wakes it up can be taken by a machine whose clock is behind that of the
 * scheduling machine, and would otherwise be spent for nothing.
 */
export const GRACE_MS = 1_000;

type Waking = { webhookId: string; lane: Lane; at: number };

const { placeholder } = sql;

const soon = placeholder("soon");

const noteWaking = prebuilt((orm) =>
	orm.all<Waking>(sql`
		update ${webhookEndpoints} set ${assign(webhookEndpoints, { wakesAt: sql`next.due` })}
		from (
			select ${endpoint.id} as endpoint_id, (
				select min(${delivery.nextAttemptAt}) from ${webhookDeliveries} ${delivery}
				where ${delivery.webhookId} = ${endpoint.id} and ${delivery.nextAttemptAt} > ${soon} and ${delivery.nextAttemptAt} < ${BEHIND} and ${delivery.claimedUntil} is null) as due
			from ${webhookEndpoints} ${endpoint} where ${endpoint.id} in (select value from json_each(${placeholder("webhookIds")})) and ${endpoint.status} = 'ACTIVE'
		) next
		where ${webhookEndpoints.id} = next.endpoint_id and next.due is not null
			and (${webhookEndpoints.wakesAt} is null or ${webhookEndpoints.wakesAt} <= ${soon} or ${webhookEndpoints.wakesAt} > next.due)
		returning ${webhookEndpoints.id} as "webhookId", case when ${webhookEndpoints.slow} then 'SLOW' else 'QUICK' end as "lane", ${webhookEndpoints.wakesAt} as "at"`),
);

/** Queues a message for what is due next at the endpoints, unless one is outstanding that arrives by then. */
export function wakeLater(services: Services, webhookIds: readonly string[]): Effect {
	const { now } = services;
	return effect([noteWaking({ soon: now + GRACE_MS, webhookIds: JSON.stringify(webhookIds) })], ([rows]) => {
		const later = rows.map(({ webhookId, lane, at }) => ({ webhookId, lane, delaySeconds: (at - now) / 1000 }));
		if (later.length > 0) services.afterwards(() => services.queue.poke(later));
	});
}

/** The endpoints whose next delivery becomes due within a period. */
export const dueWithin = ({ db: { orm }, now }: Services, ms: number, limit: number) =>
	orm.all<Waking>(sql`
		with ${backlog},
			waking as materialized (
				select backlog.webhook_id as webhook_id, (
					select min(${delivery.nextAttemptAt}) from ${webhookDeliveries} ${delivery}
					where ${delivery.webhookId} = backlog.webhook_id and ${delivery.claimedUntil} is null and ${delivery.nextAttemptAt} > ${now}) as due
				from backlog)
		select ${endpoint.id} as "webhookId", ${laneOf(endpoint)} as "lane", waking.due as "at"
		from waking cross join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = waking.webhook_id
		where waking.due <= ${now + ms} and ${endpoint.status} = 'ACTIVE' limit ${limit}`);

/** Of each endpoint's pending deliveries, those due last that one portion looks at. */
const LAST_LOOKED_AT = 20;
/** Held deliveries are released over this much time, for every next attempt. */
const RELEASE_MS = 60_000;

/** Brings back retries that are further off than their schedule puts them at most: the clock that scheduled them has been set back. */
export const recallRetries = ({ db: { orm }, now }: Services, limit: number): { readonly any: SQL; readonly recall: Statement } => {
	const delayMs = sql`case ${webhookDeliveries.roundAttempts} ${sql.join(
		RETRY_DELAYS_S.map((seconds, index) => sql`when ${index + 1} then ${seconds * 1000} `),
	)} end`;
	const isFar = sql`${webhookDeliveries.id} in (
			select ${delivery.id} from backlog cross join ${webhookDeliveries} ${delivery} on ${delivery.id} in (
				select ${queued.id} from ${webhookDeliveries} ${queued} where ${queued.webhookId} = backlog.webhook_id and ${queued.nextAttemptAt} < ${BEHIND}
				order by ${queued.nextAttemptAt} desc limit ${LAST_LOOKED_AT}) limit ${limit})
			and ${webhookDeliveries.claimedUntil} is null and ${webhookDeliveries.nextAttemptAt} > ${now + RELEASE_MS} + 2 * (${delayMs})`;
	return {
		any: sql`exists (with ${backlog} select 1 from ${webhookDeliveries} where ${isFar})`,
		recall: orm.run(sql`
			with ${backlog}
			update ${webhookDeliveries} set ${assign(webhookDeliveries, { nextAttemptAt: sql`${now} + ${delayMs}` })}
			where ${isFar}`),
	};
};

/** Notes that the sweep has queued messages for these endpoints. */
export const noteHints = ({ db: { orm }, now }: Services, webhookIds: readonly string[]): Statement =>
	orm.run(
		sql`update ${webhookEndpoints} set ${assign(webhookEndpoints, { hintedAt: now })} where ${webhookEndpoints.id} in (select value from json_each(${JSON.stringify(webhookIds)}))`,
	);
