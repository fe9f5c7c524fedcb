// What the book says: signed entries. A charge is positive, what takes it off is negative, and every balance is a sum of entries.

import type { CalendarDate } from "../../../shared/time";

/**
 * OVERPAYMENT is money of the borrower that nothing takes yet: negative when it comes, positive when it is used. REFUND_UNCOVERED is what
 * was refunded of a payment that bounced later.
 */
export type EntryComponent = "PRINCIPAL" | "INTEREST" | "ARREARS" | "PENALTY" | "OVERPAYMENT" | "REFUND_UNCOVERED";

export type EntryRule =
	| "DRAWN"
	| "ACCESS_FEE"
	| "INTEREST_EARNED"
	| "PENALTY_CHARGED"
	| "OVERDUE"
	| "PAID"
	| "WAIVED"
	| "ROLLED_OVER"
	| "RESCHEDULED"
	| "UNDONE"
	| "REVERSED"
	| "RESTORED"
	| "OVERPAID"
	| "OVERPAYMENT_USED"
	| "REFUNDED";

/** The figures from which an amount follows, by names that appear on the wire. */
export type Inputs = Readonly<Record<string, bigint | number | string | boolean>>;

export type Entry = {
	readonly date: CalendarDate;
	readonly cycleId: string | null;
	/** Position in the cycle; null where the entry belongs to none. */
	readonly installment: number | null;
	/** Unpaid interest is interest until its due date has passed, then arrears: two entries of the day after move it. */
	readonly component: EntryComponent;
	readonly amount: bigint;
	readonly rule: EntryRule;
	readonly inputs: Inputs;
	/** The fact that the entry comes of; null for what passes with the days. */
	readonly transactionId: string | null;
};

/** What a transaction took off an installment, at one time. */
export type Allocation = {
	readonly transactionId: string;
	readonly date: CalendarDate;
	readonly cycleId: string;
	readonly installment: number;
	readonly dueDate: CalendarDate;
	readonly principal: bigint;
	readonly interest: bigint;
	readonly arrears: bigint;
	readonly penalty: bigint;
	readonly isWaiver: boolean;
	/** Nothing that the installment owed then is left. */
	readonly settles: boolean;
};

export type Penalty = {
	readonly cycleId: string;
	readonly installment: number;
	/** From 1; a day on which nothing could be charged keeps its number. */
	readonly number: number;
	readonly date: CalendarDate;
	readonly amount: bigint;
};

export type Journal = (entry: Omit<Entry, "date"> & { readonly day: number }) => void;

export const SILENT: Journal = () => undefined;
