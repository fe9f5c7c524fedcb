// Batches: an endpoint may get several deliveries in one request. A new delivery waits for company: it is due later, or at once when it
// fills a batch. Its claim decides what a request carries, and takes along everything that still waits.

import { type Column, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { BEHIND } from "./ordering";
import { webhookDeliveries } from "./table";

const companion = alias(webhookDeliveries, "companion");

/** Deliveries in a request. */
export const MAX_BATCH_SIZE = 100;

type Batched = { id: Column; batchSize: Column; batchWaitMs: Column };

/**
 * When a delivery that is made now for the endpoint is due.
 *
 * @param before how many the same statement makes before it
 */
export const dueInBatch = ({ id, batchSize, batchWaitMs }: Batched, now: number | Placeholder, before: SQL = sql`0`): SQL => sql`
	${now} + case when ${batchWaitMs} > 0 and ${before} + 1 + (
		select count(*) from (
			select 1 from ${webhookDeliveries} ${companion}
			where ${companion.webhookId} = ${id} and ${companion.nextAttemptAt} < ${BEHIND} and ${companion.claimedUntil} is null limit ${MAX_BATCH_SIZE})
		) < ${batchSize} then ${batchWaitMs} else 0 end`;

type Waiting = Record<"attempts" | "nextAttemptAt" | "createdAt", Column>;

/** Whether the delivery waits for nothing but company. Those of a recovery or a resume are due later for another reason: to spare the receiver. */
export const awaitsCompany = (delivery: Waiting, waitMs: Column | SQL): SQL =>
	sql`(${delivery.attempts} = 0 and ${delivery.nextAttemptAt} = ${delivery.createdAt} + ${waitMs})`;
