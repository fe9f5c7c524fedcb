// Sends instructions to an outside custodian until it takes them. A decision of the custodian comes later, as a callback.

import { eq } from "drizzle-orm";
import { countAttempt } from "../../../db/attempts";
import { type Outbox, sendDue } from "../../../runtime/outbox";
import type { CustodianInstruction } from "../../../runtime/ports";
import { delayAfter } from "../../../shared/backoff";
import { recordAnswer } from "./plan";
import { findDueInstructions } from "./store";
import { custodianInstructions, type InstructionRow } from "./table";

type Due = InstructionRow & CustodianInstruction;

/** An instruction that is sent twice has one reference, by which the custodian carries it out once. */
export const custodianOutbox: Outbox<Due, CustodianInstruction, "TAKEN" | "REFUSED" | "UNKNOWN"> = {
	what: "custodian instructions",
	said: (answer) => answer,
	async due({ db, now, providers }, most) {
		if (providers.custodian?.kind !== "remote") return [];
		const due = await db.read(findDueInstructions(db.orm, now, most));
		return due.map((row) => ({ ...row, reference: row.id }));
	},
	claim: ({ db, now }, row) =>
		countAttempt(db.orm, custodianInstructions, row, {
			next: now + delayAfter(row.attempts + 1),
			open: eq(custodianInstructions.status, "PENDING"),
		}),
	async send({ providers: { custodian }, realNow }, instruction) {
		return custodian?.kind === "remote" ? custodian.instruct(instruction, realNow) : "UNKNOWN";
	},
	outcome: ({ db }, instruction, answer) => recordAnswer(db.orm, instruction, answer),
};

/** Sends a portion of those that it has not taken. The result is whether more may be waiting. */
export const sendDueCustodianInstructions = sendDue(custodianOutbox);
