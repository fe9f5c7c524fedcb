// Tells an outside custodian what it has not taken yet.

import { StaleWrite } from "../../../db/database";
import { MOST_CONNECTIONS } from "../../../runtime/connections";
import type { CustodianInstruction } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import { instructionOf, recordAnswer } from "./plan";
import { countAttempt, findDueInstructions } from "./store";
import type { InstructionRow } from "./table";

/** Tells an instruction whose attempt is counted already. A decision of the custodian comes later, as a callback. */
export async function tellCustodian(services: JobServices, instruction: CustodianInstruction): Promise<void> {
	const { custodian } = services.providers;
	if (custodian?.kind !== "remote") return;
	const outcome = await custodian.tell(instruction, services.realNow);
	await services.commit(recordAnswer(services.db.orm, instruction, outcome));
}

/** Tells the first of the due instructions again. Whether more may be waiting. */
export async function tellDueInstructions(services: JobServices): Promise<boolean> {
	if (services.providers.custodian?.kind !== "remote") return false;
	const { db, now } = services;
	const [due] = await db.read(findDueInstructions(db.orm, now, MOST_CONNECTIONS));
	await Promise.all(due.map((row) => tellOnce(services, row)));
	return due.length === MOST_CONNECTIONS;
}

async function tellOnce(services: JobServices, row: InstructionRow): Promise<void> {
	try {
		await services.commit([countAttempt(services.db.orm, row, services.now)]);
	} catch (error) {
		if (error instanceof StaleWrite) return;
		throw error;
	}
	await tellCustodian(services, instructionOf(row));
}
