// Instructs the outside disburser. The commit that orders a payout writes the row; the instruction is sent afterwards, and again until the
// disburser accepts it. No answer ends the matter, only the disburser's report.

import type { Sending } from "../../../runtime/outbox";
import type { Instruction, InstructionOutcome } from "../../../runtime/ports";
import { pause } from "../../connections/model/plan";
import { INQUIRE_AFTER_MS } from "./lifecycle";
import { markHarmless, markRefused, markTaken } from "./store";

export const instructions: Sending<Instruction, InstructionOutcome> = {
	what: "payouts",
	said: ({ outcome }) => outcome,
	async send({ providers: { disburser }, realNow }, instruction) {
		return disburser?.kind === "remote" ? disburser.instruct(instruction, realNow) : { outcome: "UNKNOWN" };
	},
	outcome(services, { reference, organizationId, provider }, answer) {
		const { db, now } = services;
		switch (answer.outcome) {
			case "TAKEN":
				return [markTaken(db.orm, reference, now + INQUIRE_AFTER_MS)];
			case "REFUSED":
				return [markRefused(db.orm, reference, answer.reason, now)];
			case "NOT_SENT": {
				const isPaused = answer.pause && organizationId !== null && provider !== null;
				return [...(isPaused ? pause(services, { organizationId, provider }, answer.pause) : []), markHarmless(db.orm, reference)];
			}
			case "UNKNOWN":
				return [];
		}
	},
};
