// The health check: whether D1 responds, and how far webhook deliveries are behind.

import { sql } from "drizzle-orm";
import * as z from "zod";
import { anyone } from "../../http/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { webhookDeliveries } from "../webhooks/table";

export const getHealth = operation({
	id: "getHealth",
	method: "GET",
	path: "/healthz",
	summary: "Health of the service",
	access: anyone,
	request: {},
	response: z.object({
		status: z.literal("ok"),
		oldest_overdue_seconds: z
			.int()
			.meta({ description: "How long the oldest overdue webhook delivery has been due, in seconds; 0 when none is overdue" }),
	}),
	reads: "primary",
	async handle(_, { db, now, log }) {
		const [[row]] = await db
			.read(
				db.orm.all<{ due: number | null }>(sql`
					select min(next_attempt_at) as "due" from ${webhookDeliveries}
					where status = 'PENDING' and claimed_until is null and next_attempt_at <= ${now}`),
			)
			.catch((error: unknown) => {
				log.error("D1 does not respond", error);
				throw new ApiError("SERVICE_UNAVAILABLE");
			});
		const due = row?.due ?? now;
		return { status: "ok" as const, oldest_overdue_seconds: Math.floor((now - due) / 1000) };
	},
});
