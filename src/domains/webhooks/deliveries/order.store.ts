// Where an endpoint asks for order, the end of a delivery makes the next delivery of its entity due.

import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bare } from "../../../db/columns";
import { prebuilt } from "../../../db/prebuilt";
import { BEHIND, oldestOpen } from "../../../events/ordering";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import type { End } from "../attempts/end.policy";

const endpoint = alias(webhookEndpoints, "endpoint");

const { placeholder } = sql;

/** Where the endpoint is suspended, the next delivery is held instead, like all its deliveries. */
const makeNextDue = prebuilt((orm) =>
	orm.run(sql`
		update ${webhookDeliveries} set ${bare(webhookDeliveries.nextAttemptAt)} = case
			when exists (select 1 from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookDeliveries.webhookId} and ${endpoint.status} = 'ACTIVE')
			then ${placeholder("now")} end
		where ${webhookDeliveries.id} in (
			select ${oldestOpen({ webhookId: sql`ended_attempt.value ->> 'webhookId'`, entityId: sql`ended_attempt.value ->> 'entityId'` })} from json_each(${placeholder("ended")}) ended_attempt)
			and ${webhookDeliveries.nextAttemptAt} = ${BEHIND}`),
);

/** The caller writes this after the ends. A delivery that is still open stays the oldest of its entity, so nothing becomes due after it. */
export function nextOfEntities({ now }: Services, ends: readonly End[]) {
	const ended = ends.flatMap(({ attempt: { webhookId, entityId }, after }) =>
		entityId !== null && after.status !== "PENDING" ? [{ webhookId, entityId }] : [],
	);
	return ended.length === 0 ? [] : [makeNextDue({ now, ended: JSON.stringify(ended) })];
}
