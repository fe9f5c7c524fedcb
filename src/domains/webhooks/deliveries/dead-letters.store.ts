// Builds the statements that note and forget wake-up messages which the queue could not deliver.

import { eq, sql } from "drizzle-orm";
import type { Orm, Statement } from "../../../db/database";
import { type Expired, expired } from "../../../db/purge";
import { webhookEndpoints } from "../../../events/table";
import type { Lane } from "../../../runtime/ports";
import { DAY_MS } from "../../../shared/time";
import { deadLetters } from "../table";

const KEPT_MS = 7 * DAY_MS;

/** Notes the endpoint, unless it is noted or deleted. */
export const noteDeadLetter = (orm: Orm, { webhookId, lane }: { webhookId: string; lane: Lane }, now: number): Statement =>
	orm
		.insert(deadLetters)
		.select(
			orm
				.select({
					id: sql<string>`${webhookEndpoints.id}`.as("id"),
					organizationId: sql<string>`${webhookEndpoints.organizationId}`.as("organization_id"),
					lane: sql<Lane>`${lane}`.as("lane"),
					createdAt: sql<number>`${now}`.as("created_at"),
				})
				.from(webhookEndpoints)
				.where(eq(webhookEndpoints.id, webhookId)),
		)
		.onConflictDoNothing();

export const forgetDeadLetter = (orm: Orm, webhookId: string) => orm.delete(deadLetters).where(eq(deadLetters.id, webhookId));

export const expiredDeadLetters = (orm: Orm, now: number): Expired =>
	expired(orm, deadLetters, { key: [deadLetters.id], by: deadLetters.createdAt, before: now - KEPT_MS });
