// The events that a filter is tried on.

import { desc, eq } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { webhookEvents } from "../../../events/table";

/** The organization's last events, the latest first. */
export const lastEvents = (orm: Orm, organizationId: string, limit: number) =>
	orm
		.select({ id: webhookEvents.id, type: webhookEvents.eventType, data: webhookEvents.data })
		.from(webhookEvents)
		.where(eq(webhookEvents.organizationId, organizationId))
		.orderBy(desc(webhookEvents.createdAt), desc(webhookEvents.sequence))
		.limit(limit);
