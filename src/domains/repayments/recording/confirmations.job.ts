// Asks again about confirmations that the provider has not verified yet.

import { StaleWrite } from "../../../db/database";
import type { JobServices } from "../../../runtime/services";
import { askAbout } from "./confirmations.procedure";
import { countQuestion, endConfirmation, findDueConfirmations, LAPSE_MS } from "./confirmations.store";
import type { ConfirmationRow } from "./confirmations.table";

/** The number of connections that a Worker may have open at a time. */
const BATCH = 6;

/** Takes one portion of those that are due. Whether more may be waiting. */
export async function verifyConfirmations(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [due] = await db.read(findDueConfirmations(db.orm, now, BATCH));
	await Promise.all(due.map((row) => verify(services, row)));
	return due.length === BATCH;
}

async function verify(services: JobServices, row: ConfirmationRow): Promise<void> {
	const { db, now, log } = services;
	if (row.createdAt <= now - LAPSE_MS) {
		log.error("a confirmation could not be verified for days", undefined, { confirmation_id: row.id });
		await services.commit([endConfirmation(db.orm, row.id, "LAPSED")]);
		return;
	}
	try {
		await services.commit([countQuestion(db.orm, row, now)]);
	} catch (error) {
		// Another sweep asks, or it has ended.
		if (error instanceof StaleWrite) return;
		throw error;
	}
	await askAbout(services, row);
}
