// When the installments to come fall due after a loan was changed: later, after a pause, or on other dates. Due amounts stay due.

import { addSpan, type CalendarDate, type Span } from "../../../shared/time";
import { MAX_INSTALLMENTS } from "../../loan-terms/periods.policy";
import type { CycleState } from "./cycle-state.policy";

export const CHANGE_KINDS = ["EXTEND", "HOLIDAY", "NEW_DATES"] as const;

export type Change =
	/** So many more installments at the end. */
	| { readonly kind: "EXTEND"; readonly installments: number }
	/** The next installments, so many of them, are due after the last one instead. Interest runs on. */
	| { readonly kind: "HOLIDAY"; readonly installments: number }
	| { readonly kind: "NEW_DATES"; readonly dueDates: readonly CalendarDate[] };

export type ChangeFault =
	| "NOTHING_TO_COME"
	| "TOO_MANY_INSTALLMENTS"
	| "TOO_FEW_DATES"
	| "DATES_NOT_ASCENDING"
	| "DATE_NOT_AHEAD"
	| "DATE_TOO_FAR";

/** No installment is due later than this, so that a replay stays bounded. */
const LONGEST: Span = { duration: 1_200, unit: "MONTHS" };

/** The due dates from `today` on that the change makes of the cycle's, or what is wrong with it. */
export function changedDates(
	{ cycle, periods, running, notDue }: CycleState,
	change: Change,
	today: CalendarDate,
): { readonly dueDates: readonly CalendarDate[] } | { readonly fault: ChangeFault } {
	const coming = periods.slice(running).map(({ dueDate }) => dueDate);
	const last = coming.at(-1);
	if (last === undefined || notDue === 0n) return { fault: "NOTHING_TO_COME" };
	const { installmentEvery: every } = cycle.terms;
	const after = (count: number) =>
		Array.from({ length: count }, (_, index) => addSpan(last, { ...every, duration: every.duration * (index + 1) }));
	if (change.kind === "HOLIDAY" && change.installments > coming.length) return { fault: "TOO_MANY_INSTALLMENTS" };
	const dueDates =
		change.kind === "NEW_DATES"
			? change.dueDates
			: [...coming, ...after(change.installments)].slice(change.kind === "HOLIDAY" ? change.installments : 0);
	if (running + dueDates.length > MAX_INSTALLMENTS) return { fault: "TOO_MANY_INSTALLMENTS" };
	if (dueDates.length < coming.length) return { fault: "TOO_FEW_DATES" };
	if (dueDates.some((date, index) => date <= (dueDates[index - 1] ?? ""))) return { fault: "DATES_NOT_ASCENDING" };
	if ((dueDates[0] ?? "") <= today) return { fault: "DATE_NOT_AHEAD" };
	return (dueDates.at(-1) ?? "") > addSpan(cycle.startDate, LONGEST) ? { fault: "DATE_TOO_FAR" } : { dueDates };
}
