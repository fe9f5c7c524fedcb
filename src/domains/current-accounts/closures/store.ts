// Finds closures and builds their moves.

import { and, desc, eq } from "drizzle-orm";
import type { Effect, Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { type Reader, reachOf } from "../../../db/reach";
import { ownedBy } from "../../users/model/store";
import { type ClosureMove, statusAfter } from "./lifecycle";
import { type ClosureRow, closures } from "./table";

export const findClosure = (orm: Orm, id: string) => orm.select().from(closures).where(eq(closures.id, id));

export const findLatestClosure = (orm: Orm, userId: string) =>
	orm.select().from(closures).where(eq(closures.userId, userId)).orderBy(desc(closures.createdAt), desc(closures.id)).limit(1);

/** The user's newest closure, if the caller reaches it. */
export const findReachedClosure = (orm: Orm, userId: string, caller: Reader) =>
	orm
		.select()
		.from(closures)
		.where(and(eq(closures.userId, userId), reachOf(caller, ownedBy(closures.userId))))
		.orderBy(desc(closures.createdAt), desc(closures.id))
		.limit(1);

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
