// Reads of deliveries and their attempts.

import { and, asc, eq } from "drizzle-orm";
import type { Orm } from "../../db/session";
import { webhookAttempts, webhookDeliveries } from "./table";

export const findDelivery = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(webhookDeliveries)
		.where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.organizationId, organizationId)));

export const attemptsOf = (orm: Orm, deliveryId: string) =>
	orm.select().from(webhookAttempts).where(eq(webhookAttempts.deliveryId, deliveryId)).orderBy(asc(webhookAttempts.position));

/** What a row of the log shows; bodies stay where they are. */
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
