// Reads deliveries and their endpoints.

import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import { longId, shortId } from "../../../db/short-ids";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { EndpointState } from "../../../shared/webhook-states";
import { deletedAtOf } from "../endpoints/store";
import { bodyOf } from "../store";
import { webhookReceipts } from "../table";

const d = alias(webhookDeliveries, "d");
const r = alias(webhookReceipts, "r");
const w = alias(webhookEndpoints, "w");

/** The endpoint's status where it matters, because a look-up costs each delivery of a page a row. */
export const endpointStatus = qualified(
	sql<EndpointState | null | undefined>`case when ${webhookDeliveries.status} = 'PENDING' then (
		select ${w.status} from ${webhookEndpoints} ${w} where ${w.id} = ${webhookDeliveries.webhookId}) end`,
).as("endpoint_status");

export const endpointDeletedAt = qualified(
	sql<number | null>`case when ${webhookDeliveries.status} = 'PENDING' then ${deletedAtOf(webhookDeliveries.webhookId)} end`,
).as("endpoint_deleted_at");

export const findDelivery = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select({
			...getTableColumns(webhookDeliveries),
			...{ endpointStatus, endpointDeletedAt },
			body: sql<string | null>`case when ${webhookDeliveries.attemptPosition} > 0 then ${bodyOf(webhookDeliveries)} end`.as("body"),
		})
		.from(webhookDeliveries)
		.where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.organizationId, organizationId)));

/** The endpoint of a delivery; no row when it was deleted. */
export const endpointOf = (orm: Orm, organizationId: string, deliveryId: string) =>
	orm
		.select({ status: webhookEndpoints.status, slow: webhookEndpoints.slow })
		.from(webhookEndpoints)
		.where(
			and(
				eq(webhookEndpoints.organizationId, organizationId),
				sql`${webhookEndpoints.id} = coalesce(
					(select ${d.webhookId} from ${webhookDeliveries} ${d} where ${d.id} = ${deliveryId}),
					(select ${longId(r.webhookId)} from ${webhookReceipts} ${r} where ${r.organizationId} = ${shortId(organizationId)} and ${r.id} = ${shortId(deliveryId)}))`,
			),
		);
