// The lifecycle of a mobile-number change: the owner's code authorizes it, the code to the new number completes it. One that is not
// completed within half an hour has expired, even while its row still says otherwise.

import { MINUTE_MS } from "../../shared/time";

export const TRANSITIONS = {
	INITIALIZING: { authorize: "AUTHORIZED", cancel: "CANCELLED", expire: "EXPIRED" },
	AUTHORIZED: { complete: "COMPLETED", cancel: "CANCELLED", expire: "EXPIRED", fail: "FAILED" },
	COMPLETED: {},
	EXPIRED: {},
	CANCELLED: {},
	FAILED: {},
} as const satisfies Record<string, Record<string, string>>;

export type ChangeStatus = keyof typeof TRANSITIONS;
export type ChangeMove = "authorize" | "complete" | "cancel" | "expire" | "fail";

export const CHANGE_STATES = Object.keys(TRANSITIONS) as [ChangeStatus, ...ChangeStatus[]];

export const VALIDITY_MS = 30 * MINUTE_MS;

/** Where the owner's code goes. */
export const CHANNELS = ["OLD_MOBILE", "EMAIL"] as const;

/**
 * What the provider knows. ORDERED: it is being told, and its instruction says whether it was. NONE: nothing, because the number was
 * in use when the change was authorized. REFUSED: it did not take the new number, and never will.
 */
export const PROVIDER_STATES = ["NONE", "ORDERED", "COMMITTED", "REFUSED", "ROLLED_BACK"] as const;

/** What the two codes are for: neither fits the other step. */
export const PURPOSES = { old: "NUMBER_OLD", new: "NUMBER_NEW" } as const;

/** Why a change failed. */
export const FAILURES = { inUse: "NUMBER_IN_USE", refused: "REFUSED_BY_PROVIDER" } as const;

/** The status that a move leads to, or undefined when the table has no such move. */
export function statusAfter(status: ChangeStatus, move: ChangeMove): ChangeStatus | undefined {
	const moves: Partial<Record<ChangeMove, ChangeStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** The status to show and to act on. */
export function statusAt({ status, expiresAt }: { status: ChangeStatus; expiresAt: number }, now: number): ChangeStatus {
	return now >= expiresAt ? (statusAfter(status, "expire") ?? status) : status;
}
