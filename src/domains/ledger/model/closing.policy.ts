// Months of the ledger: which one is closed next, and why a month cannot be closed yet.

import { addDays, addMonths, type CalendarDate } from "../../../shared/time";

/** Such as 2026-03. */
export type Month = string;

const firstOf = (month: Month): CalendarDate => `${month}-01`;
export const monthOf = (day: CalendarDate): Month => day.slice(0, 7);
export const lastDayOf = (month: Month): CalendarDate => addDays(addMonths(firstOf(month), 1), -1);
export const monthAfter = (month: Month): Month => monthOf(addMonths(firstOf(month), 1));

export type Standing = {
	/** The last closed day. */
	readonly closedThrough: CalendarDate | null;
	/** The day of the first entry. */
	readonly began: CalendarDate | null;
	readonly lastMonth: Month | null;
};

type Balances = { readonly currency: string; readonly balances: Readonly<Record<string, number>> };

export type Refusal = { readonly reason: string; readonly description: string };

/** Why the month cannot be closed; undefined if it can. `figures`: the balances of its last day. */
export function refusalOf(month: Month, { closedThrough, began, lastMonth }: Standing, figures: readonly Balances[]): Refusal | undefined {
	if (began === null) return { reason: "NO_ENTRIES", description: "The ledger has no entries yet" };
	if (lastMonth !== null && month <= lastMonth) return { reason: "ALREADY_CLOSED", description: `${month} is closed already` };
	const next = lastMonth === null ? monthOf(began) : monthAfter(lastMonth);
	if (month !== next) return { reason: "NOT_NEXT", description: `Months are closed one after the other: the next one is ${next}` };
	const last = lastDayOf(month);
	if (closedThrough === null || closedThrough < last) {
		return { reason: "OPEN_DAYS", description: `${month} has open days: ${closedThrough ?? "none"} is the last closed day` };
	}
	return isBalanced(figures)
		? undefined
		: { reason: "NOT_BALANCED", description: `The balances of ${last} have other debits than credits` };
}

function isBalanced(figures: readonly Balances[]): boolean {
	const byCurrency = Map.groupBy(figures, ({ currency }) => currency);
	const sumOf = (days: readonly Balances[]) =>
		days.flatMap(({ balances }) => Object.values(balances)).reduce((sum, amount) => sum + amount, 0);
	return [...byCurrency.values()].every((days) => sumOf(days) === 0);
}
