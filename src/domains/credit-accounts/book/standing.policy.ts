// How an account stands by the passage of time alone: what is due next, since when it is overdue, and on which day somebody has to
// look again.

import { addDays, type CalendarDate, daysBetween } from "../../../shared/time";
import { isOpenCycle } from "./balance.policy";
import { replay } from "./book.policy";
import { finalDueDay } from "./cycle-state.policy";
import { type Book, dateOf } from "./facts.policy";
import { installmentsOf } from "./installments.policy";
import type { Ledger } from "./ledger.policy";

/** More days overdue than these, and the account is DEFAULTED. */
const DAYS_TO_DEFAULT = 90;
/** So many days before its due date the borrower gets a message about an installment. */
export const NOTICE_DAYS = 3;

export type Standing = {
	readonly status: "ACTIVE" | "IN_ARREARS" | "DEFAULTED" | "WRITTEN_OFF";
	/** Due date of the oldest installment that is overdue, or of an uncovered refund. */
	readonly overdueSince: CalendarDate | null;
	readonly daysOverdue: number;
	/** Of the first installment that is not settled, or of an uncovered refund, overdue or not. */
	readonly dueDate: CalendarDate | null;
	/** The borrower has to give back what was refunded of a payment that bounced. */
	readonly isRefundDue: boolean;
	/** The last due date of the open cycles; where nothing is owed, of the newest cycle. */
	readonly finalDueDate: CalendarDate | null;
	/**
	 * The next day that changes the account by itself: notice of an installment, an installment overdue (and roll-over), a penalty,
	 * default. null: nothing happens until something is posted.
	 */
	readonly nextWorkOn: CalendarDate | null;
};

export function standingOf(ledger: Ledger): Standing {
	const { through, cycles, writtenOffOn, nextPenaltyOn, refundDueOn } = ledger;
	const unsettled = installmentsOf({ ...ledger, cycles: cycles.filter(isOpenCycle) })
		.filter(({ outstanding }) => outstanding > 0n)
		.map(({ dueDate }) => dueDate)
		.sort();
	const refundDue = refundDueOn === null ? [] : [refundDueOn];
	const dueDate = [...unsettled.slice(0, 1), ...refundDue].sort()[0] ?? null;
	const overdueSince = dueDate !== null && dueDate < through ? dueDate : null;
	const daysOverdue = overdueSince === null ? 0 : daysBetween(overdueSince, through);
	const timed = daysOverdue === 0 ? "ACTIVE" : daysOverdue > DAYS_TO_DEFAULT ? "DEFAULTED" : "IN_ARREARS";
	// The notice of a later installment comes before this one is overdue only where they are so few days apart.
	const coming = [...new Set(unsettled.filter((date) => date >= through))].slice(0, NOTICE_DAYS + 2);
	const days = [
		...coming.flatMap((date) => [addDays(date, -NOTICE_DAYS), addDays(date, 1)]),
		...refundDue.map((date) => addDays(date, 1)),
		...(overdueSince === null ? [] : [addDays(overdueSince, DAYS_TO_DEFAULT + 1)]),
		...(nextPenaltyOn === null ? [] : [nextPenaltyOn]),
	].filter((date) => date > through);
	return {
		status: writtenOffOn === null ? timed : "WRITTEN_OFF",
		overdueSince,
		daysOverdue,
		dueDate,
		isRefundDue: refundDueOn !== null && refundDueOn <= through,
		finalDueDate: finalDueDateOf(cycles),
		nextWorkOn: writtenOffOn === null ? (days.sort()[0] ?? null) : null,
	};
}

/**
 * The day on which interest alone reaches the cap on what may be charged of a borrower in default, if nobody pays or draws before; null
 * if it does not, or has. A penalty that reaches it earlier comes on a day of its own.
 */
export function capReachedOn(book: Book, { through, cycles, inDuplum }: Ledger): CalendarDate | null {
	const last = finalDueDateOf(cycles);
	// No interest is earned after the last due date.
	if (!inDuplum || inDuplum.reachedOn !== null || last === null || last <= through) return null;
	return replay(book, last).inDuplum?.reachedOn ?? null;
}

function finalDueDateOf(cycles: Ledger["cycles"]): CalendarDate | null {
	const open = cycles.filter(isOpenCycle);
	const days = (open.length > 0 ? open : cycles.slice(-1)).map(finalDueDay);
	return days.length === 0 ? null : dateOf(Math.max(...days));
}

/** Whether money may be drawn: the account is active, nothing is overdue, no refund has to be given back, and the borrower is not blocked. */
export function canTransact(accountStatus: string, { overdueSince, status, isRefundDue }: Standing, isBlocked: boolean): boolean {
	return accountStatus === "ACTIVE" && status === "ACTIVE" && overdueSince === null && !isRefundDue && !isBlocked;
}

/** The cycles on which nothing is owed, with the transaction that settled them: its time is their `paid_at`. */
export function settledCycles({
	cycles,
}: Ledger): readonly { readonly cycleId: string; readonly transactionId: string; readonly on: CalendarDate }[] {
	return cycles.flatMap(({ cycle, settledBy }) =>
		settledBy ? [{ cycleId: cycle.id, transactionId: settledBy.transactionId, on: dateOf(settledBy.day) }] : [],
	);
}
