// Finds an endpoint of an organization, which what hangs on one asks first: keys, deliveries, statistics.

import { and, eq } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { webhookEndpoints } from "../../events/table";

export const findEndpoint = (orm: Orm, organizationId: string, webhookId: string) =>
	orm
		.select()
		.from(webhookEndpoints)
		.where(and(eq(webhookEndpoints.id, webhookId), eq(webhookEndpoints.organizationId, organizationId)));
