// The book at the end of a day, as a replay leaves it.

import type { CalendarDate } from "../../../shared/time";
import type { CycleState } from "./cycle-state.policy";
import type { Allocation, Entry, Penalty } from "./entries.policy";

export type InDuplum = {
	/** The first overdue day. */
	readonly since: CalendarDate;
	/** Principal outstanding as that day began. */
	readonly principal: bigint;
	/** What interest and penalties may be charged from then on: the principal, less those that were unpaid then. */
	readonly cap: bigint;
	/** What interest and penalties may still be charged. */
	readonly left: bigint;
	/** The day of the first charge that was trimmed. */
	readonly reachedOn: CalendarDate | null;
};

/** The book at the end of a day. The policies in this folder read from it what is owed, shown and explained. */
export type Ledger = {
	readonly through: CalendarDate;
	readonly entries: readonly Entry[];
	readonly allocations: readonly Allocation[];
	readonly penalties: readonly Penalty[];
	/** By number. */
	readonly cycles: readonly CycleState[];
	readonly overpaid: bigint;
	/** Refunded although it was not overpaid after all, as when the payment bounced later: the borrower owes it. */
	readonly uncoveredRefund: bigint;
	/** When it has to be paid: the day on which the payment bounced. null where nothing is uncovered. */
	readonly refundDueOn: CalendarDate | null;
	/** While something is overdue: what the law allows to be charged meanwhile. */
	readonly inDuplum: InDuplum | null;
	/** The settlement that may still be paid: how much of it is left. */
	readonly settlement: { readonly transactionId: string; readonly left: bigint; readonly validUntil: CalendarDate } | null;
	readonly writtenOffOn: CalendarDate | null;
	/** How many of the entries came before the write-off; 0 without one. */
	readonly entriesBeforeWriteOff: number;
	/** The next day on which a penalty may be charged for what is unpaid now. */
	readonly nextPenaltyOn: CalendarDate | null;
	/**
	 * Position of the last fact that starts a cycle while nothing else is owed or overpaid: a replay of the facts from there on gives
	 * the same. The first position where there is none.
	 */
	readonly bookFrom: number;
};
