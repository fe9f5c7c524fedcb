// Asks again about confirmations that the provider has not verified yet.

import { restsFromAsking } from "../../../providers/daraja/answers";
import { type Outbox, sendDue } from "../../../runtime/outbox";
import type { JobServices } from "../../../runtime/services";
import { DAY_MS } from "../../../shared/time";
import { isPaused } from "../../connections/model/lifecycle";
import { questions } from "./confirmations.procedure";
import { countQuestion, type DueConfirmation, endConfirmation, findDueConfirmations } from "./confirmations.store";
import type { ConfirmationRow } from "./confirmations.table";

/** The provider keeps no answer back for so long. */
const LAPSE_MS = 3 * DAY_MS;

const outbox: Outbox<DueConfirmation, ConfirmationRow, "ASKED" | "UNKNOWN"> = {
	...questions,
	async due({ db, now }, most) {
		const due = await db.read(findDueConfirmations(db.orm, now, most));
		return due;
	},
	over: (services, row) => (lapses(row, services.now) ? () => lapse(services, row) : undefined),
	claim: ({ db, now }, row) => countQuestion(db.orm, row, now),
};

/** Takes one portion of those that are due. Whether more may be waiting. */
export const verifyConfirmations = sendDue(outbox);

async function lapse({ log, commit }: JobServices, { id }: DueConfirmation): Promise<void> {
	log.error("a confirmation could not be verified for days", undefined, { confirmation_id: id });
	await commit([endConfirmation(id, "LAPSED")]);
}

/** Not while nothing may be asked, nor before it has been asked for as long after somebody has changed the connection. */
function lapses(
	{ createdAt, askedSince, connectionStatus: status, pausedReason, pausedUntil, connectionUpdatedAt }: DueConfirmation,
	now: number,
) {
	const rests = status !== null && isPaused({ status, pausedUntil }, now) && restsFromAsking(pausedReason);
	return !rests && Math.max(createdAt, askedSince ?? 0, connectionUpdatedAt ?? 0) <= now - LAPSE_MS;
}
