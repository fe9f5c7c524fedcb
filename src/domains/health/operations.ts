// The health check: whether D1 responds, and how far webhook deliveries are behind.

import { and, eq, isNull, lte, sql } from "drizzle-orm";
import * as z from "zod";
import { isOtherSchema } from "../../db/database";
import { SCHEMA_HASH } from "../../db/schema-hash";
import { schemaVersion } from "../../db/schema-version.table";
import { webhookDeliveries } from "../../events/table";
import { anyone } from "../../http/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";

const OTHER_SCHEMA =
	"the database was made by another version: apply the migrations, or delete the local data (npm run reset) and start again";

export const getHealth = operation({
	id: "getHealth",
	method: "GET",
	path: "/healthz",
	summary: "Health of the service",
	access: anyone,
	gated: false,
	request: {},
	response: z.object({
		status: z.literal("ok"),
		oldest_overdue_seconds: z
			.int()
			.meta({ description: "How long the oldest overdue webhook delivery has been due, in seconds; 0 when none is overdue" }),
	}),
	reads: "primary",
	async handle(_, { db, now, log }) {
		const [[version], [waiting]] = await db
			.read(
				db.orm.select().from(schemaVersion).where(eq(schemaVersion.id, 1)),
				db.orm
					.select({ due: sql<number | null>`min(${webhookDeliveries.nextAttemptAt})`.as("due") })
					.from(webhookDeliveries)
					.where(and(lte(webhookDeliveries.nextAttemptAt, now), isNull(webhookDeliveries.claimedUntil))),
			)
			.catch((error: unknown) => {
				log.error(isOtherSchema(error) ? OTHER_SCHEMA : "D1 does not answer", error);
				throw new ApiError("SERVICE_UNAVAILABLE");
			});
		if (version?.hash !== SCHEMA_HASH) {
			log.error(OTHER_SCHEMA, undefined, { expected: SCHEMA_HASH, found: version?.hash ?? null });
			throw new ApiError("SERVICE_UNAVAILABLE");
		}
		const due = waiting?.due ?? now;
		return { status: "ok" as const, oldest_overdue_seconds: Math.floor((now - due) / 1000) };
	},
});
