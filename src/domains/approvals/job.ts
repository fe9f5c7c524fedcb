// Stores the expiry of requests that nobody decided in time.

import { StaleWrite } from "../../db/database";
import type { JobServices } from "../../runtime/services";
import { expireApproval } from "./plan";
import { findOverdue } from "./store";
import type { ApprovalRow } from "./table";

/** Requests in one commit. */
const BATCH = 20;

/** Stores the expiry of one batch. Returns whether more may be waiting. */
export async function expireApprovals(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [overdue] = await db.read(findOverdue(db.orm, now, BATCH));
	await expireAll(services, overdue);
	return overdue.length === BATCH;
}

async function expireAll(services: JobServices, rows: readonly ApprovalRow[]): Promise<void> {
	const ended = rows.map((row) => expireApproval(services, row));
	try {
		await services.commit(ended.flatMap(({ writes }) => writes));
	} catch (error) {
		if (!(error instanceof StaleWrite)) throw error;
		// A request was decided meanwhile: commit each on its own, so that it does not hold up the others.
		if (rows.length > 1) for (const row of rows) await expireAll(services, [row]);
		return;
	}
	for (const { owed } of ended) await owed.carry(services);
}
