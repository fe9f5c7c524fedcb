// Reads deliveries and their attempts, and builds the deliveries of events that an endpoint missed.

import { and, asc, eq, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { RELEASED_PER_SECOND } from "../../../events/queue";
import { uuidv7Sql } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../../events/table";
import type { Poked } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { webhookAttempts } from "../table";

export const findDelivery = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(webhookDeliveries)
		.where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.organizationId, organizationId)));

export const attemptsOf = (orm: Orm, deliveryId: string) =>
	orm.select().from(webhookAttempts).where(eq(webhookAttempts.deliveryId, deliveryId)).orderBy(asc(webhookAttempts.position));

/** The columns of the delivery log, without the bodies. */
export const summaryColumns = {
	id: webhookDeliveries.id,
	webhookId: webhookDeliveries.webhookId,
	eventId: webhookDeliveries.eventId,
	eventType: webhookDeliveries.eventType,
	status: webhookDeliveries.status,
	attempts: webhookDeliveries.attempts,
	nextAttemptAt: webhookDeliveries.nextAttemptAt,
	createdAt: webhookDeliveries.createdAt,
	deliveredAt: webhookDeliveries.deliveredAt,
	failedAt: webhookDeliveries.failedAt,
	lastError: webhookDeliveries.lastError,
};

/** The endpoint of a delivery; no row when it was deleted. */
export const endpointOf = (orm: Orm, organizationId: string, deliveryId: string) =>
	orm
		.select({ status: webhookEndpoints.status, failing: webhookEndpoints.failing })
		.from(webhookEndpoints)
		.where(
			and(
				eq(webhookEndpoints.organizationId, organizationId),
				sql`${webhookEndpoints.id} = (select d.webhook_id from ${webhookDeliveries} d where d.id = ${deliveryId})`,
			),
		);

/**
 * Counts the subscribed events without a delivery to the endpoint, and creates these deliveries. Leaves out events that were never
 * meant for it: tests of other endpoints, and the notices about itself.
 */
export function recoverDeliveries({ db: { orm }, now }: Services, organizationId: string, webhookId: string, since: number, until: number) {
	// CROSS JOIN fixes the join order, so that SQLite reads the feed from `since` on instead of looking up each event type.
	const from = sql`
		from ${webhookEndpoints} w cross join ${webhookEvents} e on e.organization_id = w.organization_id
		where w.id = ${webhookId} and w.organization_id = ${organizationId} and w.status = 'ACTIVE'
			and e.created_at >= ${since} and e.created_at < ${until}
			and exists (select 1 from json_each(w.events) where value = e.event_type)
			and e.event_type <> 'webhook.test'
			and not (e.event_type in ('webhook.failing', 'webhook.suspended') and e.data ->> 'webhook_id' = w.id)
			and not exists (select 1 from ${webhookDeliveries} d where d.event_id = e.id and d.webhook_id = w.id)`;
	return {
		missing: orm.all<{ missing: number }>(sql`select count(*) as "missing" ${from}`),
		insert: orm.all<Poked & { dueAt: number }>(sql`
			insert into ${webhookDeliveries} (id, organization_id, webhook_id, event_id, event_type, status, attempts, round, round_attempts, next_attempt_at, lane, created_at)
			select ${uuidv7Sql(now)}, w.organization_id, w.id, e.id, e.event_type, 'PENDING', 0, 1, 0,
				${now} + 1000 * cast((row_number() over (order by e.created_at, e.sequence) - 1) / ${RELEASED_PER_SECOND} as integer), 'RETRY', ${now} ${from}
			returning id, lane, next_attempt_at as "dueAt"`),
	};
}
