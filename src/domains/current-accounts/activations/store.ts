// Finds activations and builds their moves.

import { and, eq, isNull, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { type Reader, reachOf } from "../../../db/reach";
import { ownedBy } from "../../users/model/store";
import { openAccountOf } from "../accounts/store";
import { type ActivationMove, statusAfter } from "./lifecycle";
import { type ActivationRow, activations } from "./table";

export const findActivation = (orm: Orm, id: string) => orm.select().from(activations).where(eq(activations.id, id));

export const findOwnActivation = (orm: Orm, id: string, userId: string) =>
	orm
		.select()
		.from(activations)
		.where(and(eq(activations.id, id), eq(activations.userId, userId)));

/** The activation, if the caller reaches it. */
export const findReachedActivation = (orm: Orm, id: string, caller: Reader) =>
	orm
		.select()
		.from(activations)
		.where(and(eq(activations.id, id), reachOf(caller, ownedBy(activations.userId))));

/** The user's activation that waits for its code or for the custodian. */
export const findOpenActivation = (orm: Orm, userId: string) =>
	orm
		.select()
		.from(activations)
		.where(
			sql`${activations.accountId} in ${openAccountOf(userId)}
				and (${activations.status} = 'AWAITING_OTP' or (${activations.status} = 'OTP_CONFIRMED' and ${activations.completedAt} is null))`,
		);

type Change = Partial<Pick<ActivationRow, "otpConfirmedAt" | "completedAt" | "rejectionReason">>;

/** An activation after its moves, and the write that makes them. Throws when the lifecycle does not have them one after the other. */
export function moveActivation(orm: Orm, seen: ActivationRow, moves: readonly ActivationMove[], set: Change = {}) {
	const status = moves.reduce((from, move) => {
		const to = statusAfter({ status: from, completedAt: seen.completedAt }, move);
		if (!to) throw new Error(`an activation cannot ${move} from ${from}`);
		return to;
	}, seen.status);
	const moved: ActivationRow = { ...seen, ...set, status };
	const write: Effect = guarded(
		orm
			.update(activations)
			.set({ ...set, status })
			.where(and(eq(activations.id, seen.id), eq(activations.status, seen.status), isNull(activations.completedAt))),
	);
	return { moved, write };
}
