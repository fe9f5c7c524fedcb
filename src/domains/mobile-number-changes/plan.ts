// Plans the moves of mobile-number changes. An authorized change that ends without completion is rolled back at the provider.

import { and, eq } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { CustodianInstruction } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { orderInstruction } from "../current-accounts/custodian/plan";
import { markSubjectTaken } from "../current-accounts/custodian/store";
import { type ChangeMove, FAILURES, statusAfter } from "../users/model/number-change.lifecycle";
import { type ChangeRow, mobileNumberChanges } from "../users/model/number-change.table";

/** The writes of a change, and the instruction to send to the provider after their commit. */
type Instructing = { readonly writes: readonly Write[]; readonly instruction?: CustodianInstruction };
/** `provider`: what the provider knows after the writes. */
export type Ordered = Instructing & { readonly provider: ChangeRow["provider"] };

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
	return { provider: "ORDERED", writes: [write], instruction };
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
): Instructing & { readonly row: ChangeRow } {
	const { orm } = services.db;
	if (seen.provider === "NONE") {
		const moved = move(orm, seen, by, columns);
		return { row: moved.row, writes: [moved.write] };
	}
	const moved = move(orm, seen, by, { ...columns, provider: "ROLLED_BACK" });
	if (seen.provider !== "ORDERED") return { row: moved.row, writes: [moved.write] };
	const { instruction, write } = orderInstruction(services, { kind: "NUMBER_ROLLBACK", subjectId: seen.id, facts: factsOf(seen) });
	return { row: moved.row, writes: [moved.write, markSubjectTaken(orm, seen.id), write], instruction };
}

/** Ends a change that the provider has refused: there is nothing to roll back. */
export const endRefused = ({ db }: Services, seen: ChangeRow): Write =>
	move(db.orm, seen, "fail", { failureReason: FAILURES.refused, provider: "REFUSED" }).write;
