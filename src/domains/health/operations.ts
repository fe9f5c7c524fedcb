// Whether the service works: that D1 answers, and that no delivery waits longer than it should.

import { sql } from "drizzle-orm";
import * as z from "zod";
import { webhookDeliveries } from "../../events/table";
import { anyone } from "../../http/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";

export const getHealth = operation({
	id: "getHealth",
	method: "GET",
	path: "/healthz",
	summary: "Whether the service works",
	access: anyone,
	gated: false,
	request: {},
	response: z.object({
		status: z.literal("ok"),
		oldest_overdue_seconds: z
			.int()
			.meta({ description: "How long the delivery that is due and waits longest has waited; 0 when none does" }),
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
				log.error("D1 does not answer", error);
				throw new ApiError("SERVICE_UNAVAILABLE");
			});
		const due = row?.due ?? now;
		return { status: "ok" as const, oldest_overdue_seconds: Math.floor((now - due) / 1000) };
	},
});
