// The lifecycle of an activation. It waits thirty minutes for its code; a confirmed one stays OTP_CONFIRMED when it is approved, and is
// complete then. A custodian that decides at once approves in the confirmation.

import { MINUTE_MS } from "../../../shared/time";

export const TRANSITIONS = {
	AWAITING_OTP: { confirm: "OTP_CONFIRMED", cancel: "CANCELLED", expire: "EXPIRED" },
	OTP_CONFIRMED: { approve: "OTP_CONFIRMED", reject: "REJECTED" },
	REJECTED: {},
	CANCELLED: {},
	EXPIRED: {},
} as const satisfies Record<string, Record<string, string>>;

export type ActivationStatus = keyof typeof TRANSITIONS;
export type ActivationMove = "confirm" | "cancel" | "expire" | "approve" | "reject";

export const ACTIVATION_STATES = Object.keys(TRANSITIONS) as [ActivationStatus, ...ActivationStatus[]];

export const ACTIVATION_VALIDITY_MS = 30 * MINUTE_MS;

type Facts = { readonly status: ActivationStatus; readonly expiresAt: number; readonly completedAt: number | null };

/** The status that a move leads to, or undefined when there is no such move: a complete activation has none. */
export function statusAfter(
	{ status, completedAt }: Pick<Facts, "status" | "completedAt">,
	move: ActivationMove,
): ActivationStatus | undefined {
	if (completedAt !== null) return undefined;
	const moves: Partial<Record<ActivationMove, ActivationStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** The status to show and to act on: EXPIRED from `expiresAt` on, even while the row still says AWAITING_OTP. */
export const statusAt = ({ status, expiresAt }: Pick<Facts, "status" | "expiresAt">, now: number): ActivationStatus =>
	status === "AWAITING_OTP" && now >= expiresAt ? "EXPIRED" : status;

/** Whether it waits for its code, or for the custodian. */
export const isOpen = ({ status, completedAt }: Pick<Facts, "status" | "completedAt">): boolean =>
	status === "AWAITING_OTP" || (status === "OTP_CONFIRMED" && completedAt === null);
