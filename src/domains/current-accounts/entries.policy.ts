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

/** Entries that move the balance. Held money shows in the account, and as a transaction once it is settled. */
export const TRANSACTION_TYPES = [
	"MOVEMENT",
	"TRANSFER_OUT",
	"TRANSFER_IN",
	"INTEREST",
	"LOAN_REPAYMENT",
	"LOAN_REFUND",
	"LOAN_DISBURSEMENT",
] as const satisfies readonly EntryType[];
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** As what an entry shows; undefined if it does not move the balance. To the owner a transfer that was settled is one like any other. */
export const transactionTypeOf = (type: EntryType): TransactionType | undefined =>
	type === "SETTLE" ? "TRANSFER_OUT" : TRANSACTION_TYPES.find((one) => one === type);

/** The other side of an entry. It has no row, because every account's entries would contend for it. */
export const CONTRA_SIDES = ["CUSTODY", "TRANSFER", "PAYOUT", "INTEREST", "LOAN"] as const;
export type ContraSide = (typeof CONTRA_SIDES)[number];

/** A source has one hold and one end of it, or one end alone: the UNIQUE index of the entries demands it, and of a movement its own row. */
export const PHASES = ["HOLD", "END"] as const;
