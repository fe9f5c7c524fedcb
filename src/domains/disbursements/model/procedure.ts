// Instructs the outside disburser. The commit that orders a payout writes the row; the instruction is sent afterwards, and again until the
// disburser accepts it. No answer ends the matter, only the disburser's report.

import type { Sending } from "../../../runtime/outbox";
import type { Instruction, Told } from "../../../runtime/ports";
import { pause } from "../../connections/model/plan";
import { INQUIRE_AFTER_MS } from "./lifecycle";
import { markHarmless, markRefused, markTaken } from "./store";

export const instructions: Sending<Instruction, Told> = {
	what: "payouts",
	said: ({ outcome }) => outcome,
	async send({ providers: { disburser }, realNow }, instruction) {
		return disburser?.kind === "remote" ? disburser.instruct(instruction, realNow) : { outcome: "UNKNOWN" };
	},
	outcome(services, { reference, organizationId, provider }, told) {
		const { db, now } = services;
		switch (told.outcome) {
			case "TAKEN":
				return [markTaken(db.orm, reference, now + INQUIRE_AFTER_MS)];
			case "REFUSED":
				return [markRefused(db.orm, reference, told.reason, now)];
			case "NOT_SENT": {
				const isPaused = told.pause && organizationId !== null && provider !== null;
				return [...(isPaused ? pause(services, { organizationId, provider }, told.pause) : []), markHarmless(db.orm, reference)];
			}
			case "UNKNOWN":
				return [];
		}
	},
};
