// Asks again about confirmations that the provider has not verified yet.

import { StaleWrite } from "../../../db/database";
import { restsFromAsking } from "../../../providers/daraja/answers";
import { MOST_CONNECTIONS } from "../../../runtime/connections";
import type { JobServices } from "../../../runtime/services";
import { DAY_MS } from "../../../shared/time";
import { isPaused } from "../../payment-connections/lifecycle";
import { askAbout } from "./confirmations.procedure";
import { countQuestion, type DueConfirmation, endConfirmation, findDueConfirmations } from "./confirmations.store";

/** The provider keeps no answer back for so long. */
const LAPSE_MS = 3 * DAY_MS;

/** Takes one portion of those that are due. Whether more may be waiting. */
export async function verifyConfirmations(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [due] = await db.read(findDueConfirmations(db.orm, now, MOST_CONNECTIONS));
	await Promise.all(due.map((row) => verify(services, row)));
	return due.length === MOST_CONNECTIONS;
}

async function verify(services: JobServices, row: DueConfirmation): Promise<void> {
	const { db, now, log } = services;
	if (lapses(row, now)) {
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

/** Not while nothing may be asked, nor before it has been asked for as long after somebody has changed the connection. */
function lapses(
	{ createdAt, askedSince, connectionStatus: status, pausedReason, pausedUntil, connectionUpdatedAt }: DueConfirmation,
	now: number,
) {
	const rests = status !== null && isPaused({ status, pausedUntil }, now) && restsFromAsking(pausedReason);
	return !rests && Math.max(createdAt, askedSince ?? 0, connectionUpdatedAt ?? 0) <= now - LAPSE_MS;
}
