// Tells the provider again of returns of which it has not said what became of them.

import { StaleWrite } from "../../../db/database";
import { MOST_CONNECTIONS } from "../../../runtime/connections";
import type { JobServices } from "../../../runtime/services";
import { LONG_MS } from "./lifecycle";
import { tellReturn } from "./procedure";
import { countAttempt, findDueReturns } from "./store";
import type { ReturnRow } from "./table";

/** Takes one portion of those that are due. Whether more may be waiting. */
export async function tellDueReturns(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [due] = await db.read(findDueReturns(db.orm, now, MOST_CONNECTIONS));
	await Promise.all(due.map((row) => tellAgain(services, row)));
	return due.length === MOST_CONNECTIONS;
}

async function tellAgain(services: JobServices, row: ReturnRow): Promise<void> {
	const { db, now, log } = services;
	if (row.createdAt <= now - LONG_MS) log.error("a return of money is open for more than a day", undefined, { payment_id: row.id });
	try {
		await services.commit([countAttempt(db.orm, row, now)]);
	} catch (error) {
		// Another sweep does it, or a result has come.
		if (error instanceof StaleWrite) return;
		throw error;
	}
	await tellReturn(services, row);
}
