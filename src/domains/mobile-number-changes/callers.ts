// The change that a call is about: one of the caller's own, in a status that allows the call.

import { first } from "../../db/reads";
import type { Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { type ChangeStatus, statusAt } from "../users/model/number-change.lifecycle";
import type { ChangeRow } from "../users/model/number-change.table";
import { findChange } from "./store";

/** Throws INVALID_STATE unless the user has started the change, and it has one of these statuses now. */
export function requireStatus(change: ChangeRow, allowed: readonly ChangeStatus[], now: number): void {
	if (change.notBefore !== null) throw new ApiError("INVALID_STATE", { description: "Only an operator cancels a recovery" });
	const present = statusAt(change, now);
	if (!allowed.includes(present)) throw new ApiError("INVALID_STATE", { description: `The change is ${present}` });
}

/** The user's change. Throws NOT_FOUND when there is none, INVALID_STATE unless the user has started it and it has one of these statuses now. */
export async function readChange({ db, now }: Services, id: string, userId: string, allowed?: readonly ChangeStatus[]) {
	const change = await db.read(first(findChange(db.orm, id, userId)));
	if (!change) throw new ApiError("NOT_FOUND");
	if (allowed) requireStatus(change, allowed, now);
	return change;
}
