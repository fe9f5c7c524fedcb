// Finds closures and builds their moves, and demands of an account that nothing is left in it.

import { and, desc, eq } from "drizzle-orm";
import type { Effect, Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import type { Elsewhere } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { payInterestEarly } from "../ledger/store";
import type { CurrentAccountRow } from "../table";
import { type ClosureMove, statusAfter } from "./lifecycle";
import { type ClosureRow, closures } from "./table";

export const findClosure = (orm: Orm, id: string) => orm.select().from(closures).where(eq(closures.id, id));

export const findLatestClosure = (orm: Orm, userId: string) =>
	orm.select().from(closures).where(eq(closures.userId, userId)).orderBy(desc(closures.createdAt), desc(closures.id)).limit(1);

type Change = Partial<Pick<ClosureRow, "otpConfirmedAt" | "completedAt" | "rejectionReason">>;

/** A closure after its move, and the write that makes it. Throws when the lifecycle has no such move. */
export function moveClosure(orm: Orm, seen: ClosureRow, move: ClosureMove, set: Change = {}) {
	const status = statusAfter(seen.status, move);
	if (!status) throw new Error(`a closure cannot ${move} from ${seen.status}`);
	const moved: ClosureRow = { ...seen, ...set, status };
	const write: Effect = guarded(
		orm
			.update(closures)
			.set({ ...set, status })
			.where(and(eq(closures.id, seen.id), eq(closures.status, seen.status))),
	);
	return { moved, write };
}

/**
 * Throws ACCOUNT_HAS_NON_ZERO_BALANCE while something is left in the account. If that is interest alone it is paid at once, so that
 * the owner can withdraw it: otherwise nobody could close an account before its payday.
 */
export async function demandEmpty(services: Elsewhere, account: CurrentAccountRow, accrued: number): Promise<void> {
	if (account.balance === 0 && account.held === 0 && accrued < 1) return;
	if (account.balance === 0 && account.held === 0) await services.commitRegardless(payInterestEarly(services, account));
	throw new ApiError("ACCOUNT_HAS_NON_ZERO_BALANCE");
}
