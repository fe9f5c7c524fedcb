// The lifecycle of a closure. It waits thirty minutes for its code, and then for the custodian's decision.

import { MINUTE_MS } from "../../../shared/time";

export const TRANSITIONS = {
	AWAITING_OTP: { confirm: "OTP_CONFIRMED", cancel: "CANCELLED", expire: "EXPIRED" },
	OTP_CONFIRMED: { approve: "COMPLETED", reject: "REJECTED" },
	COMPLETED: {},
	REJECTED: {},
	CANCELLED: {},
	EXPIRED: {},
} as const satisfies Record<string, Record<string, string>>;

export type ClosureStatus = keyof typeof TRANSITIONS;
export type ClosureMove = "confirm" | "cancel" | "expire" | "approve" | "reject";

export const CLOSURE_STATES = Object.keys(TRANSITIONS) as [ClosureStatus, ...ClosureStatus[]];
export const CLOSURE_REASONS = [
	"NO_LONGER_USING",
	"FEES",
	"SWITCHING_PROVIDER",
	"PRIVACY",
	"DISSATISFIED",
	"DUPLICATE_ACCOUNT",
	"OTHER",
] as const;
export type ClosureReason = (typeof CLOSURE_REASONS)[number];

/** Who asked for a closure. So far users alone can. */
export const INITIATORS = ["USER", "OPERATOR", "CUSTODIAN"] as const;

export const CLOSURE_VALIDITY_MS = 30 * MINUTE_MS;

type Facts = { readonly status: ClosureStatus; readonly expiresAt: number };

export function statusAfter(status: ClosureStatus, move: ClosureMove): ClosureStatus | undefined {
	const moves: Partial<Record<ClosureMove, ClosureStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** The status to show and to act on: EXPIRED from `expiresAt` on, even while the row still says AWAITING_OTP. */
export const statusAt = ({ status, expiresAt }: Facts, now: number): ClosureStatus =>
	status === "AWAITING_OTP" && now >= expiresAt ? "EXPIRED" : status;

/** Whether it waits for its code, or for the custodian. */
export const isOpen = ({ status }: Pick<Facts, "status">): boolean => status === "AWAITING_OTP" || status === "OTP_CONFIRMED";
