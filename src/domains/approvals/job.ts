// Ends the requests that nobody has decided in time.

import { StaleWrite } from "../../db/database";
import type { JobServices } from "../../runtime/services";
import { expire, findOverdue } from "./store";
import type { ApprovalRow } from "./table";

/** Requests of one commit. */
const BATCH = 20;

/** Ends one batch. Whether more may be waiting. */
export async function expireApprovals(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [overdue] = await db.read(findOverdue(db.orm, now, BATCH));
	await expireAll(services, overdue);
	return overdue.length === BATCH;
}

async function expireAll(services: JobServices, rows: readonly ApprovalRow[]): Promise<void> {
	const ended = rows.map((row) => expire(services, row));
	try {
		await services.commit(ended.flatMap(({ writes }) => writes));
	} catch (error) {
		if (!(error instanceof StaleWrite)) throw error;
		// One has been ended meanwhile. Each on its own, so that it does not hold up the others.
		if (rows.length > 1) for (const row of rows) await expireAll(services, [row]);
		return;
	}
	for (const { owed } of ended) await owed.carry();
}
