// Sums the entries of closed days: a journal for each day and currency, with a line for each account of the chart that the day has
// moved, by product where products have the account to themselves. A closed day's balances never change, so a line is what they are more than the day before.

import type { Page, Position, Window } from "../../db/keyset";
import { addDays, type CalendarDate } from "../../shared/time";
import { dayAt, MOST_DAYS, monthOfCursor, type SummedJournal, type SummedLine } from "./journals.policy";
import { isByProduct } from "./model/mapping.policy";
import { type LedgerDayRow, NO_PRODUCT } from "./model/table";

export type DaySums = LedgerDayRow & { readonly productName: string | null };

/** Of the days of a period, from the rows of these days and of the one before. They ascend by day and currency. */
export function journalsOf(rows: readonly DaySums[], first: CalendarDate): SummedJournal[] {
	const keyOf = (day: CalendarDate, { loanProductId, currency }: DaySums) => `${day} ${currency} ${loanProductId}`;
	const balances = new Map(rows.map((row) => [keyOf(row.day, row), row.balances]));
	const ofDay = Map.groupBy(
		rows.filter(({ day }) => day >= first),
		({ day, currency }) => `${day} ${currency}`,
	);
	return [...ofDay.values()]
		.flatMap((own) => {
			const [{ day, currency } = { day: first, currency: "" }] = own;
			const lines = summed(own.flatMap((row) => movesOf(row, balances.get(keyOf(addDays(day, -1), row)) ?? {})));
			return lines.length > 0 ? [{ day, currency, lines }] : [];
		})
		.sort((one, other) => inOrder(one.day, other.day) || inOrder(one.currency, other.currency));
}

const inOrder = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** An account that products do not have to themselves has one line for all products. */
function movesOf({ balances, loanProductId, productName }: DaySums, before: DaySums["balances"]): SummedLine[] {
	return [...new Set([...Object.keys(balances), ...Object.keys(before)])].map((account) => ({
		account,
		...(isByProduct(account) ? { loanProductId, productName } : { loanProductId: NO_PRODUCT, productName: null }),
		amount: (balances[account] ?? 0) - (before[account] ?? 0),
	}));
}

function summed(moves: readonly SummedLine[]): SummedLine[] {
	const byLine = Map.groupBy(moves, ({ account, loanProductId }) => `${account} ${loanProductId}`);
	return [...byLine]
		.sort(([one], [other]) => inOrder(one, other))
		.flatMap(([, [line, ...others]]) => {
			const amount = others.reduce((sum, other) => sum + other.amount, line?.amount ?? 0);
			return line && amount !== 0 ? [{ ...line, amount }] : [];
		});
}

/** A page has whole journals with so many lines, or one journal: programs advise files of no more. */
export const MOST_LINES = 300;

export type Period = { readonly from: CalendarDate; readonly to: CalendarDate };

const at = (day: CalendarDate): number => Date.parse(day);
const placeOf = ({ day, currency }: SummedJournal): Position => [at(day), currency];
const isBeyond = ([day, currency]: Position, [otherDay, otherCurrency]: Position) =>
	day > otherDay || (day === otherDay && String(currency) > String(otherCurrency));
/** Before and behind all currencies of a day. */
const startOf = (day: CalendarDate): Position => [at(day), ""];
const endOf = (day: CalendarDate): Position => [at(day), "~"];

/** What is asked for, within the closed days; undefined if no closed day is. */
export function periodOf(
	closed: { readonly first: CalendarDate | null; readonly last: CalendarDate | null },
	from: CalendarDate | undefined,
	to: CalendarDate | undefined,
	window: Partial<Window> = {},
): Period | undefined {
	if (closed.first === null || closed.last === null) return undefined;
	const last = to ?? closed.last;
	const first = max(from ?? monthOfCursor(window) ?? `${last.slice(0, 7)}-01`, closed.first);
	return first > last ? undefined : { from: first, to: last };
}

/** The days that are read for a page of the period. */
export function daysOf({ from, to }: Period, { after, before }: Window): Period {
	if (before) {
		const last = min(to, dayAt(before));
		return { from: max(from, addDays(last, 1 - MOST_DAYS)), to: last };
	}
	const first = after ? max(from, dayAt(after)) : from;
	return { from: first, to: min(to, addDays(first, MOST_DAYS - 1)) };
}

const min = (one: CalendarDate, other: CalendarDate) => (one < other ? one : other);
const max = (one: CalendarDate, other: CalendarDate) => (one > other ? one : other);

/** The page of a period, of which these are the journals of the days that were read. */
export function pageOfJournals(journals: readonly SummedJournal[], period: Period, read: Period, window: Window): Page<SummedJournal> {
	const { after, before, size } = window;
	if (before) {
		const open = journals.filter((journal) => isBeyond(before, placeOf(journal))).reverse();
		const rows = fitting(open, size).reverse();
		const [head] = rows;
		const more = rows.length < open.length ? head && placeOf(head) : read.from > period.from ? startOf(read.from) : undefined;
		return { rows, next: placeOf(rows.at(-1) ?? { day: dayAt(before), currency: "", lines: [] }), prev: more ?? null };
	}
	const open = after ? journals.filter((journal) => isBeyond(placeOf(journal), after)) : journals;
	const rows = fitting(open, size);
	const [head, tail] = [rows.at(0), rows.at(-1)];
	const more = rows.length < open.length ? tail && placeOf(tail) : read.to < period.to ? endOf(read.to) : undefined;
	return { rows, next: more ?? null, prev: after ? (head ? placeOf(head) : endOf(dayAt(after))) : null };
}

/** The first ones, with at most so many lines unless a single journal has more. */
function fitting(journals: readonly SummedJournal[], size: number): SummedJournal[] {
	let lines = 0;
	const end = journals.findIndex((journal, index) => {
		lines += journal.lines.length;
		return index >= size || (index > 0 && lines > MOST_LINES);
	});
	return journals.slice(0, end < 0 ? journals.length : end);
}
