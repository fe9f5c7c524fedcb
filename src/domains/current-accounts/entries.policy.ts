// The entries of a current account. Its balance and what is held of it are the sums of its entries, and every type has its signs.

export const ENTRY_TYPES = [
	"MOVEMENT",
	"HOLD",
	"RELEASE",
	"SETTLE",
	"TRANSFER_OUT",
	"TRANSFER_IN",
	"INTEREST",
	"LOAN_REPAYMENT",
	"LOAN_REFUND",
	"LOAN_DISBURSEMENT",
] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** The other side of an entry. It has no row, because every account's entries would contend for it. */
export const CONTRA_SIDES = ["CUSTODY", "TRANSFER", "PAYOUT", "INTEREST", "LOAN"] as const;
export type ContraSide = (typeof CONTRA_SIDES)[number];

/** A source has one hold and one end of it, or one end alone: the UNIQUE index of the entries demands it. */
export const PHASES = ["HOLD", "END"] as const;
