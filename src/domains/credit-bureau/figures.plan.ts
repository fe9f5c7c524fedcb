// How an account stood at the end of a month, by the facts that were posted by the end of that month or of a later one.

import { toNumber } from "../../shared/money";
import type { CalendarDate } from "../../shared/time";
import { balanceOf } from "../credit-accounts/book/balance.policy";
import { replay } from "../credit-accounts/book/book.policy";
import { standingOf } from "../credit-accounts/book/standing.policy";
import { type BookRecords, bookOf, type FactRow, knownOn } from "../credit-accounts/ledger.store";
import { knownBy } from "../portfolio/close.policy";
import { type RulesVersion, rulesOn } from "../portfolio/model/stages.policy";
import type { LoanPositionRow } from "../portfolio/model/table";
import { standOf } from "../portfolio/stand.policy";
import type { Figures, RowStatus } from "./file.policy";

export type Asked = {
	/** The last day of the month, and the day by whose end the facts were posted. */
	readonly day: CalendarDate;
	readonly knownAt: CalendarDate;
	readonly rules: readonly RulesVersion[];
};

/** Undefined where the account had no transaction then. */
export function figuresOf(records: BookRecords, position: LoanPositionRow, { day, knownAt, rules }: Asked): Figures | undefined {
	const known = knownOn(records, knownAt).transactions;
	const last = known.reduce((most, row) => Math.max(most, row.position), 0);
	if (last === 0) return undefined;
	const ledger = replay(knownBy(bookOf(records), last), day);
	const openedOn = ledger.cycles[0]?.cycle.startDate;
	if (openedOn === undefined || openedOn > day) return undefined;
	const owed = toNumber(balanceOf(ledger).totalOutstanding);
	const { daysOverdue, status } = standingOf(ledger);
	const isWrittenOff = status === "WRITTEN_OFF";
	const statusOf = (): RowStatus => {
		if (owed === 0) return "SETTLED";
		if (isWrittenOff) return "WRITTEN_OFF";
		return isInLastStage(position, day, daysOverdue, rules) ? "NON_PERFORMING" : "PERFORMING";
	};
	return {
		status: statusOf(),
		openedOn,
		owed,
		// What is written off is due as a whole.
		overdue: isWrittenOff ? owed : toNumber(standOf(ledger).overdue),
		daysPastDue: daysOverdue,
		...lastPaymentOf(known, day),
	};
}

/** The portfolio keeps the stage at the end of the last month; where it is of another month by now, the days alone count. */
function isInLastStage(
	{ staging, loanProductId }: LoanPositionRow,
	day: CalendarDate,
	daysOverdue: number,
	rules: readonly RulesVersion[],
): boolean {
	const { stages } = rulesOn(rules, loanProductId, day);
	const kept = staging?.[1];
	const byDays = stages.findIndex(({ upToDays }) => upToDays === null || daysOverdue <= upToDays) + 1;
	const stage = kept && kept.month === day.slice(0, 7) ? (kept.was ?? byDays) : byDays;
	return stage >= stages.length;
}

/** The newest payment by its value date, without what of it is reversed. */
function lastPaymentOf(known: readonly FactRow[], day: CalendarDate): Pick<Figures, "paidOn" | "paidAmount"> {
	const byId = new Map(known.map((row) => [row.id, row]));
	const reversed = new Map<string, number>();
	// A reversal may be undone by another one, which comes after it.
	const signOf = ({ kind, reversesId }: FactRow): number => {
		const of = kind === "REVERSAL" && reversesId !== null ? byId.get(reversesId) : undefined;
		return of === undefined ? 1 : -signOf(of);
	};
	const rootOf = (row: FactRow): FactRow => {
		const of = row.kind === "REVERSAL" && row.reversesId !== null ? byId.get(row.reversesId) : undefined;
		return of === undefined ? row : rootOf(of);
	};
	for (const row of known) {
		if (row.kind !== "REVERSAL") continue;
		const { id } = rootOf(row);
		reversed.set(id, (reversed.get(id) ?? 0) - signOf(row) * row.amount);
	}
	const left = known
		.filter(({ kind, valueDate }) => kind === "REPAYMENT" && valueDate <= day)
		.map(({ id, valueDate, position, amount }) => ({ valueDate, position, amount: amount - (reversed.get(id) ?? 0) }))
		.filter(({ amount }) => amount > 0)
		.sort((one, other) => (one.valueDate === other.valueDate ? one.position - other.position : one.valueDate < other.valueDate ? -1 : 1));
	const newest = left.at(-1);
	return { paidOn: newest?.valueDate ?? null, paidAmount: newest?.amount ?? null };
}

/** Whether anything that was posted after `since` counts by `day`. A reversal counts from what it takes back. */
export function isTouched(
	records: BookRecords,
	{ since, knownAt, day }: { since: CalendarDate; knownAt: CalendarDate; day: CalendarDate },
) {
	const known = knownOn(records, knownAt).transactions;
	const before = new Set(knownOn(records, since).transactions.map(({ id }) => id));
	const byId = new Map(known.map((row) => [row.id, row]));
	const countsFrom = (row: FactRow): CalendarDate => {
		const of = row.reversesId === null ? undefined : byId.get(row.reversesId);
		const own = row.valueDate;
		if (of === undefined) return own;
		const earlier = countsFrom(of);
		return earlier < own ? earlier : own;
	};
	return known.some((row) => !before.has(row.id) && countsFrom(row) <= day);
}
