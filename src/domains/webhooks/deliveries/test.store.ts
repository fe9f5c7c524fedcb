// The statements of a test, and what it needs to know of its endpoint.

import { and, eq, sql } from "drizzle-orm";
import { bare } from "../../../db/columns";
import { orStaleUnless } from "../../../db/guards";
import { prebuilt } from "../../../db/prebuilt";
import { deliveriesAreMadeFor } from "../../../events/holdings";
import { dueAndAwaited, type Made, newDelivery } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";

const { placeholder } = sql;

export const findTested = prebuilt((orm) =>
	orm
		.select({
			id: webhookEndpoints.id,
			organizationId: webhookEndpoints.organizationId,
			name: webhookEndpoints.name,
			status: webhookEndpoints.status,
			slow: webhookEndpoints.slow,
		})
		.from(webhookEndpoints)
		.where(and(eq(webhookEndpoints.id, placeholder("webhookId")), eq(webhookEndpoints.organizationId, placeholder("organizationId")))),
);

/**
 * The commit is stale if the endpoint was deleted or suspended meanwhile, because nothing would send the test. Beyond the quota, and in a
 * database that is nearly full, the service makes no deliveries, not even tests.
 */
export const demandReceiving = prebuilt((orm) =>
	orm.run(
		orStaleUnless(sql`
			exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${placeholder("webhookId")} and ${webhookEndpoints.status} = 'ACTIVE')
			and ${deliveriesAreMadeFor({ organizationId: sql`${placeholder("organizationId")}` }, placeholder("quota"))}`),
	),
);

export const insertTest = prebuilt((orm) =>
	orm.all<Pick<Made, "dueAt" | "isAwaited">>(sql`
		insert into ${webhookDeliveries} (${newDelivery}, ${bare(webhookDeliveries.testData)})
		values (${placeholder("id")}, ${placeholder("organizationId")}, ${placeholder("webhookId")}, ${placeholder("eventId")}, ${placeholder("eventType")}, 'PENDING', 0, 1, 0,
			${placeholder("nextAttemptAt")}, ${placeholder("createdAt")}, null, null, ${placeholder("testData")})
		returning ${dueAndAwaited}`),
);
