// Builds the statements on instructions to the custodian.

import { and, asc, eq, lte } from "drizzle-orm";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { custodianInstructions } from "./table";

export const findDueInstructions = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(custodianInstructions)
		.where(and(eq(custodianInstructions.status, "PENDING"), lte(custodianInstructions.nextAttemptAt, now)))
		.orderBy(asc(custodianInstructions.nextAttemptAt))
		.limit(limit);

/** Makes the next attempt due. Stale when the custodian has the instruction meanwhile. */
export const makeAttemptDue = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(custodianInstructions)
			.set({ nextAttemptAt: now })
			.where(and(eq(custodianInstructions.id, id), eq(custodianInstructions.status, "PENDING"))),
	);

/** A decision shows that its instruction has arrived. */
export const markSubjectTaken = (orm: Orm, subjectId: string): Statement =>
	orm
		.update(custodianInstructions)
		.set({ status: "TAKEN" })
		.where(and(eq(custodianInstructions.subjectId, subjectId), eq(custodianInstructions.status, "PENDING")));
