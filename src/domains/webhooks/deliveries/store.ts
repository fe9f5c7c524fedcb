// Reads deliveries and their attempts.

import { and, asc, eq, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
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
