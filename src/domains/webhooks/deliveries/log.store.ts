// The delivery log: pages of an organization's deliveries that meet a filter.
//
// Most filters have an index that finds a page at once. Event types have one for FAILED deliveries alone, because each index costs every
// delivery a row. For other statuses a page looks at a bounded number of deliveries that meet the rest of the filter. The last of these
// is the page's edge, at which the page ends even if it is not full.

import { and, type SQL, Subquery, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import type { Range, Window } from "../../../db/keyset";
import { deletedEndpoints, webhookDeliveries, webhookEndpoints } from "../../../events/table";
import { DELIVERY_STATES, type DeliveryState } from "../../../shared/webhook-states";
import { LOOKED_AT, type LogFilter } from "../log.policy";
import { endpointDeletedAt, endpointStatus } from "./store";

const delivery = alias(webhookDeliveries, "delivery");
const queued = alias(webhookDeliveries, "queued");
const endpoint = alias(webhookEndpoints, "endpoint");
const deleted = alias(deletedEndpoints, "deleted");

/** The columns of the log. */
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
	endpointStatus,
	endpointDeletedAt,
};

/**
 * The source of a list of deliveries: the rows of one status, or of each status in turn. The indexes order deliveries within a status, and
 * SQLite merges the three statuses in the order of the list.
 */
const logOf = (statuses: readonly DeliveryState[]): Subquery => new Subquery(ofStatuses(statuses, sql``), {}, "webhook_deliveries");

const ofStatuses = (statuses: readonly DeliveryState[], index: SQL): SQL =>
	sql.join(
		// A literal, because SQLite uses a partial index only for a condition in the same words.
		statuses.map(
			(status) => sql`select * from ${webhookDeliveries} ${index} where ${webhookDeliveries.status} = ${sql.raw(`'${status}'`)}`,
		),
		sql` union all `,
	);

/** Leaves out deliveries of a deleted endpoint, which count as FAILED. */
export const ofAnEndpoint = sql`exists (select 1 from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookDeliveries.webhookId})`;

/** The source of the log with this filter. An event has at most one delivery for each endpoint; the unique index of these finds them. */
export function logBy({ status, eventId }: LogFilter): Subquery {
	const one = status === undefined ? undefined : sql`${webhookDeliveries.status} = ${status}`;
	if (eventId !== undefined) {
		const deliveries = sql`select * from ${webhookDeliveries} indexed by webhook_deliveries_once`;
		return new Subquery(one ? sql`${deliveries} where ${one}` : deliveries, {}, "webhook_deliveries");
	}
	return logOf(status ? [status] : DELIVERY_STATES);
}

/** The window and the range as conditions on deliveries, and their order. */
function within({ after, before }: Window, { from, until }: Range) {
	const [order, beyond] = before ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
	const cursor = before ?? after;
	return {
		order: sql`order by ${delivery.createdAt} ${order}, ${delivery.id} ${order}`,
		where: and(
			from === undefined ? undefined : sql`${delivery.createdAt} >= ${from}`,
			until === undefined ? undefined : sql`${delivery.createdAt} < ${until}`,
			cursor && sql`(${delivery.createdAt}, ${delivery.id}) ${beyond} (${cursor[0]}, ${cursor[1]})`,
		),
	};
}

/** The rows of a page for whose filter no index exists: one more than the page shows, and its edge. */
export function lookedAtIn(orm: Orm, organizationId: string, { webhookId, eventType, status }: LogFilter, window: Window, range: Range) {
	const { order, where } = within(window, range);
	const ofEndpoint = webhookId === undefined ? undefined : sql`${delivery.webhookId} = ${webhookId}`;
	const index = sql`indexed by ${sql.identifier(`webhook_deliveries_${ofEndpoint ? "of_by_status" : "by_status"}`)}`;
	const looked = sql`
		select ${delivery}.*, ${delivery.eventType} = ${eventType} as meets, row_number() over (${order}) as place from (
			select * from (${ofStatuses(status ? [status] : DELIVERY_STATES, index)}) ${delivery}
			where ${and(sql`${delivery.organizationId} = ${organizationId}`, ofEndpoint, where)} ${order} limit ${sql.raw(String(LOOKED_AT))}) ${delivery}`;
	const meets = sql<0 | 1>`meets ${status === "PENDING" ? sql`and ${ofAnEndpoint}` : sql``}`;
	return orm
		.select({ ...summaryColumns, place: sql<number>`place`.as("place"), meets: qualified(meets).as("meets_all") })
		.from(new Subquery(looked, {}, "webhook_deliveries"))
		.where(sql`${meets} or place = ${LOOKED_AT}`)
		.orderBy(sql`place`)
		.limit(window.size + 2);
}

/**
 * Deliveries that count as FAILED because their endpoint was deleted, although their rows are still PENDING: of each deleted endpoint
 * as many as a page shows. With an event type, only as many of each endpoint as a page looks at are searched.
 */
export function forsakenIn(orm: Orm, organizationId: string, filter: LogFilter, window: Window, range: Range) {
	return orm
		.select(summaryColumns)
		.from(webhookDeliveries)
		.where(sql`${webhookDeliveries.id} in ${forsaken(organizationId, filter, window, range).rows}`);
}

/** The last delivery of each deleted endpoint that such a search for an event type looks at. */
export function edgesOfForsaken(orm: Orm, organizationId: string, filter: LogFilter, window: Window, range: Range) {
	return orm
		.select({ createdAt: webhookDeliveries.createdAt, id: webhookDeliveries.id })
		.from(webhookDeliveries)
		.where(sql`${webhookDeliveries.id} in ${forsaken(organizationId, filter, window, range).edges}`);
}

function forsaken(organizationId: string, { webhookId, eventId, eventType }: LogFilter, window: Window, range: Range) {
	const { order, where } = within(window, range);
	const pending = and(
		sql`${delivery.organizationId} = ${organizationId} and ${delivery.webhookId} = ${deleted.id} and ${delivery.status} = 'PENDING'`,
		where,
	);
	const ofEvent = eventId === undefined ? undefined : sql`${delivery.eventId} = ${eventId}`;
	const ofEach = (ids: SQL) => sql`(
		select ${queued.id} from ${deletedEndpoints} ${deleted} cross join ${webhookDeliveries} ${queued} on ${queued.id} in (${ids})
		where ${deleted.organizationId} = ${organizationId} ${webhookId === undefined ? sql`` : sql`and ${deleted.id} = ${webhookId}`})`;
	const looked = (columns: SQL, limit: SQL) =>
		sql`select ${columns} from ${webhookDeliveries} ${delivery} indexed by webhook_deliveries_of_by_status where ${pending} ${order} ${limit}`;
	const rows =
		eventType === undefined || ofEvent
			? sql`select ${delivery.id} from ${webhookDeliveries} ${delivery} where ${and(pending, ofEvent, eventType === undefined ? undefined : sql`${delivery.eventType} = ${eventType}`)} ${order} limit ${window.size + 1}`
			: sql`select looked.id from (${looked(sql`${delivery.id}, ${delivery.eventType} as type`, sql`limit ${LOOKED_AT}`)}) looked where looked.type = ${eventType} limit ${window.size + 1}`;
	return { rows: ofEach(rows), edges: ofEach(looked(sql`${delivery.id}`, sql`limit 1 offset ${LOOKED_AT - 1}`)) };
}
