// Stores the expiry of requests that nobody decided in time.

import { togetherOrEach } from "../../db/stale";
import type { JobServices } from "../../runtime/services";
import { expireApproval } from "./plan";
import { findOverdue } from "./store";

/** Requests in one commit. */
const BATCH = 20;

/** Stores the expiry of one batch. Returns whether more may be waiting. */
export async function expireApprovals(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const overdue = await db.read(findOverdue(db.orm, now, BATCH));
	const ended = overdue.map((row) => expireApproval(services, row));
	// But for those that were decided meanwhile.
	const expired = await togetherOrEach(ended, (some) => services.commit(some.flatMap(({ writes }) => writes)));
	for (const { owed } of expired) await owed.carry(services);
	return overdue.length === BATCH;
}
