// Builds the statements on mobile-number changes. An authorized change that ends without completion is rolled back at the provider.

import { and, eq, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { CustodianInstruction } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { DAY_MS } from "../../shared/time";
import { markSubjectTaken, orderInstruction } from "../current-accounts/custodian/store";
import { custodianInstructions } from "../current-accounts/custodian/table";
import { type ChangeMove, FAILURES, statusAfter } from "../users/number-change.lifecycle";
import { type ChangeRow, mobileNumberChanges } from "../users/number-change.table";

export const findChange = (orm: Orm, id: string, userId: string) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.id, id), eq(mobileNumberChanges.userId, userId)));

export const findOpenChange = (orm: Orm, userId: string) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.userId, userId), sql`status in ('INITIALIZING', 'AUTHORIZED')`));

export const findExpired = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(lte(mobileNumberChanges.expiresAt, now), sql`status in ('INITIALIZING', 'AUTHORIZED')`))
		.limit(limit);

/** Completed changes that the directory does not know of yet. */
export const findUnfinished = (orm: Orm, limit: number) =>
	orm.select().from(mobileNumberChanges).where(sql`status = 'COMPLETED' and names_finished_at is null`).limit(limit);

/** The state of the instruction that tells the provider of the change; no row if there is none. */
export const findCommitOf = (orm: Orm, changeId: string) =>
	orm
		.select({ status: custodianInstructions.status })
		.from(custodianInstructions)
		.where(and(eq(custodianInstructions.subjectId, changeId), eq(custodianInstructions.kind, "NUMBER_COMMIT")));

/** For this long after a change transfers are limited, so that somebody who took over a number cannot empty the account at once. */
const CAUTION_MS = DAY_MS;

export const cautionSince = (now: number): number => now - CAUTION_MS;

/** Whether the user's number has changed since then. */
export const hasChangedSince = (userId: Placeholder, since: Placeholder): SQL =>
	sql`exists (select 1 from ${mobileNumberChanges} c where c.user_id = ${userId} and c.status = 'COMPLETED' and c.completed_at > ${since})`;

/** The writes of a change, and the instruction to send to the provider after their commit. */
type Told = { readonly writes: readonly Write[]; readonly tell?: CustodianInstruction };
/** `provider`: what the provider knows after the writes. */
export type Ordered = Told & { readonly provider: ChangeRow["provider"] };

/** The change after a move, and the write that stores it. Stale when the change has moved since it was read. */
export function move(orm: Orm, seen: ChangeRow, by: ChangeMove, columns: Partial<ChangeRow> = {}): { row: ChangeRow; write: Write } {
	const status = statusAfter(seen.status, by);
	if (!status) throw new Error(`a change that is ${seen.status} cannot ${by}`);
	return {
		row: { ...seen, ...columns, status },
		write: guarded(
			orm
				.update(mobileNumberChanges)
				.set({ ...columns, status })
				.where(
					and(
						eq(mobileNumberChanges.id, seen.id),
						eq(mobileNumberChanges.status, seen.status),
						eq(mobileNumberChanges.challengeId, seen.challengeId),
						eq(mobileNumberChanges.provider, seen.provider),
					),
				),
		),
	};
}

const factsOf = ({ userId, newNumber, oldNumber }: ChangeRow) => ({
	user_id: userId,
	mobile_number: newNumber,
	previous_mobile_number: oldNumber,
});

/** Commits the new number at the provider: the embedded one at once, an outside one by an instruction. */
export function commitAtProvider(services: Services, row: ChangeRow): Ordered {
	if (services.providers.custodian?.kind === "embedded") return { provider: "COMMITTED", writes: [] };
	const { instruction, write } = orderInstruction(services, { kind: "NUMBER_COMMIT", subjectId: row.id, facts: factsOf(row) });
	return { provider: "ORDERED", writes: [write], tell: instruction };
}

/**
 * Ends a change that is not completed, and rolls it back at the provider. A commit that the provider has not taken yet is no longer
 * sent: the rollback replaces it.
 */
export function abandon(
	services: Services,
	seen: ChangeRow,
	by: "cancel" | "expire" | "fail",
	columns: Partial<ChangeRow> = {},
): Told & { readonly row: ChangeRow } {
	const { orm } = services.db;
	if (seen.provider === "NONE") {
		const moved = move(orm, seen, by, columns);
		return { row: moved.row, writes: [moved.write] };
	}
	const moved = move(orm, seen, by, { ...columns, provider: "ROLLED_BACK" });
	if (seen.provider !== "ORDERED") return { row: moved.row, writes: [moved.write] };
	const { instruction, write } = orderInstruction(services, { kind: "NUMBER_ROLLBACK", subjectId: seen.id, facts: factsOf(seen) });
	return { row: moved.row, writes: [moved.write, markSubjectTaken(orm, seen.id), write], tell: instruction };
}

/** Authorized changes whose number the provider has refused. */
export const findRefused = (orm: Orm, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(
			sql`status in ('INITIALIZING', 'AUTHORIZED') and status = 'AUTHORIZED' and exists (select 1 from ${custodianInstructions} i
				where i.subject_id = ${mobileNumberChanges.id} and i.kind = 'NUMBER_COMMIT' and i.status = 'REFUSED')`,
		)
		.limit(limit);

/** Ends a change that the provider has refused: there is nothing to roll back. */
export const refuse = ({ db }: Services, seen: ChangeRow): Write =>
	move(db.orm, seen, "fail", { failureReason: FAILURES.refused, provider: "REFUSED" }).write;
