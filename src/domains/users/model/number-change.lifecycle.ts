// The lifecycle of a mobile-number change: the user's own code authorizes it, the code sent to the new number completes it. A change
// that is not completed within half an hour has expired, even before the sweep has stored that. The recovery of a lost number is a
// change that two operators have authorized, and that completes itself after a wait.

import { DAY_MS, MINUTE_MS } from "../../../shared/time";

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

/** Where the user's own code is sent. */
export const CHANNELS = ["OLD_MOBILE", "EMAIL"] as const;
/** What authorizes a change: that code, or two operators, who recover a lost number. A first number takes nobody's place. */
export const AUTHORIZATIONS = [...CHANNELS, "RECOVERY", "FIRST"] as const;

/** How long a recovery that has waited may try to complete itself. */
export const RECOVERY_VALIDITY_MS = 7 * DAY_MS;

/**
 * What the provider knows. NONE: nothing, because the change is not authorized, or the number was in use when it was. ORDERED: an
 * instruction exists, whose own status says whether the provider has taken it. REFUSED: the provider will never take the new number.
 */
export const PROVIDER_STATES = ["NONE", "ORDERED", "COMMITTED", "REFUSED", "ROLLED_BACK"] as const;

/** The purposes of the two codes: neither is valid for the other step. */
export const PURPOSES = { old: "NUMBER_OLD", new: "NUMBER_NEW" } as const;

/** Why a change failed. */
export const FAILURES = { inUse: "NUMBER_IN_USE", refused: "REFUSED_BY_PROVIDER" } as const;

/** The status that a move leads to, or undefined when the table has no such move. */
export function statusAfter(status: ChangeStatus, move: ChangeMove): ChangeStatus | undefined {
	const moves: Partial<Record<ChangeMove, ChangeStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** The status at an instant, which may be EXPIRED before the row says so. */
export function statusAt({ status, expiresAt }: { status: ChangeStatus; expiresAt: number }, now: number): ChangeStatus {
	return now >= expiresAt ? (statusAfter(status, "expire") ?? status) : status;
}
