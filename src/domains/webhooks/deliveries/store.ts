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

const delivery = alias(webhookDeliveries, "delivery");
const receipt = alias(webhookReceipts, "receipt");
const endpoint = alias(webhookEndpoints, "endpoint");

/** The endpoint's status, of PENDING deliveries alone: it matters only for them, and each look-up reads a row. */
export const endpointStatus = qualified(
	sql<EndpointState | null | undefined>`case when ${webhookDeliveries.status} = 'PENDING' then (
		select ${endpoint.status} from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookDeliveries.webhookId}) end`,
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
					(select ${delivery.webhookId} from ${webhookDeliveries} ${delivery} where ${delivery.id} = ${deliveryId}),
					(select ${longId(receipt.webhookId)} from ${webhookReceipts} ${receipt} where ${receipt.organizationId} = ${shortId(organizationId)} and ${receipt.id} = ${shortId(deliveryId)}))`,
			),
		);
