// Instructions to an outside custodian: written in the commit that needs them, sent afterwards, and again until the custodian takes them.

import { and, eq } from "drizzle-orm";
import type { Orm, Statement } from "../../../db/database";
import type { CustodianInstruction } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { delayAfter } from "../../../shared/backoff";
import { isRefusable } from "./lifecycle";
import { custodianInstructions, type InstructionRow } from "./table";

type Order = Pick<InstructionRow, "kind" | "subjectId" | "facts"> & { round?: number };

/** A new instruction and the write that stores it. It counts the first attempt, which follows the commit. */
export function orderInstruction(
	{ db, now, newId, requestId }: Services,
	{ round = 1, ...order }: Order,
): { instruction: CustodianInstruction; write: Statement } {
	const row: InstructionRow = {
		...order,
		id: newId(),
		round,
		status: "PENDING",
		attempts: 1,
		nextAttemptAt: now + delayAfter(1),
		createdAt: now,
		cause: requestId,
	};
	return { instruction: instructionOf(row), write: db.orm.insert(custodianInstructions).values(row) };
}

const instructionOf = ({ id, kind, subjectId, facts }: InstructionRow): CustodianInstruction => ({
	reference: id,
	kind,
	subjectId,
	facts,
});

/** What the custodian answered; nothing where it did not decide about the instruction. */
export function recordAnswer(orm: Orm, { reference, kind }: CustodianInstruction, outcome: "TAKEN" | "REFUSED" | "UNKNOWN"): Statement[] {
	if (outcome === "UNKNOWN" || (outcome === "REFUSED" && !isRefusable(kind))) return [];
	return [
		orm
			.update(custodianInstructions)
			.set({ status: outcome })
			.where(and(eq(custodianInstructions.id, reference), eq(custodianInstructions.status, "PENDING"))),
	];
}
