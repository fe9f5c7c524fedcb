// Instructions to an outside custodian: written in the commit that needs them, told afterwards, and again until the custodian takes
// them. Each attempt is counted and the next one scheduled before it is made, so that a crash only delays an instruction.

import { and, asc, eq, lte } from "drizzle-orm";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import type { CustodianInstruction } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { HOUR_MS, SECOND_MS } from "../../../shared/time";
import { isRefusable } from "./lifecycle";
import { custodianInstructions, type InstructionRow } from "./table";

const FIRST_DELAY_MS = 15 * SECOND_MS;
const MAX_DELAY_MS = HOUR_MS;

const delayAfter = (attempts: number): number => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 16));

type Order = Pick<InstructionRow, "kind" | "subjectId" | "facts"> & { round?: number };

/** A new instruction and the write that stores it. It counts the first attempt, which follows the commit. */
export function orderInstruction(
	{ db, now, newId }: Services,
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
	};
	return { instruction: instructionOf(row), write: db.orm.insert(custodianInstructions).values(row) };
}

export const instructionOf = ({ id, kind, subjectId, facts }: InstructionRow): CustodianInstruction => ({
	reference: id,
	kind,
	subjectId,
	facts,
});

export const findDueInstructions = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(custodianInstructions)
		.where(and(eq(custodianInstructions.status, "PENDING"), lte(custodianInstructions.nextAttemptAt, now)))
		.orderBy(asc(custodianInstructions.nextAttemptAt))
		.limit(limit);

/** Counts an attempt and schedules the next one; stale when another sweep is telling the custodian, or it has answered. */
export const countAttempt = (orm: Orm, { id, attempts }: InstructionRow, now: number): Effect =>
	guarded(
		orm
			.update(custodianInstructions)
			.set({ attempts: attempts + 1, nextAttemptAt: now + delayAfter(attempts + 1) })
			.where(
				and(eq(custodianInstructions.id, id), eq(custodianInstructions.status, "PENDING"), eq(custodianInstructions.attempts, attempts)),
			),
	);

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

/** A decision shows that its instruction has arrived. */
export const markSubjectTaken = (orm: Orm, subjectId: string): Statement =>
	orm
		.update(custodianInstructions)
		.set({ status: "TAKEN" })
		.where(and(eq(custodianInstructions.subjectId, subjectId), eq(custodianInstructions.status, "PENDING")));
