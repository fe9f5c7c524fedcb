// The lifecycle of a transfer: its statuses and the moves between them. While a transfer is open, its money is held in the payer's account;
// only a move to COMPLETED or FAILED ends that hold.

export const TRANSITIONS = {
	AWAITING_OTP: { confirm: "PENDING", complete: "COMPLETED", fail: "FAILED" },
	PENDING: { complete: "COMPLETED", fail: "FAILED" },
	COMPLETED: {},
	FAILED: {},
} as const satisfies Record<string, Record<string, string>>;

export type TransferStatus = keyof typeof TRANSITIONS;
export type TransferMove = "confirm" | "complete" | "fail";

export const TRANSFER_STATES = Object.keys(TRANSITIONS) as [TransferStatus, ...TransferStatus[]];

/** The status that a move leads to, or undefined when the table has no such move. */
export function statusAfter(status: TransferStatus, move: TransferMove): TransferStatus | undefined {
	const moves: Partial<Record<TransferMove, TransferStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** The statuses from which a move is possible. */
export const statusesBefore = (move: TransferMove): readonly TransferStatus[] =>
	TRANSFER_STATES.filter((status) => statusAfter(status, move) !== undefined);

/** INTERNAL: to another user's current account. PAYOUT: to the outside, by the payout provider. */
export const DESTINATIONS = ["INTERNAL", "PAYOUT"] as const;

/** The decision of the payee's home on a transfer from another home. It is stored once and never changes. */
export const OUTCOMES = ["CREDITED", "REFUSED"] as const;

/** Why a transfer failed, unless the provider reports a reason. PAYEE_UNAVAILABLE does not reveal whether the payee blocked the payer. */
export const FAILURES = { expired: "EXPIRED", refused: "PAYEE_UNAVAILABLE", unknown: "UNKNOWN" } as const;

/** What the payout provider can report. */
export const REPORTED_STATES = ["SUCCEEDED", "FAILED"] as const;
