// Instructs the outside disburser. The commit that orders a payout writes the row; the instruction is sent afterwards, and
// again until the disburser accepts it. Each attempt is counted and the next one scheduled before it is made, so that a crash only
// delays an instruction and never loses it.

import type { Instruction } from "../../runtime/ports";
import type { JobServices } from "../../runtime/services";
import { pause } from "../payment-connections/plan";
import { INQUIRE_AFTER_MS } from "./lifecycle";
import { markHarmless, markRefused, markTaken } from "./store";

/** Sends an instruction whose attempt is counted already. Whatever the answer, only the disburser's report ends the matter. */
export async function instruct(services: JobServices, instruction: Instruction): Promise<void> {
	const { disburser } = services.providers;
	if (disburser?.kind !== "remote") return;
	const told = await disburser.instruct(instruction, services.realNow);
	const { db, now } = services;
	const { reference, organizationId, provider } = instruction;
	switch (told.outcome) {
		case "TAKEN":
			await services.commit([markTaken(db.orm, reference, now + INQUIRE_AFTER_MS)]);
			return;
		case "REFUSED":
			await services.commit([markRefused(db.orm, reference, told.reason, now)]);
			return;
		case "NOT_SENT": {
			const paused =
				told.pause && organizationId !== null && provider !== null ? pause(services, { organizationId, provider }, told.pause) : [];
			await services.commit([...paused, markHarmless(db.orm, reference)]);
			return;
		}
		case "UNKNOWN":
	}
}
