// Finds lines of the journal, and the balances of a day.

import { and, asc, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { type Page, type Position, pageOf, type Window } from "../../db/keyset";
import type { CalendarDate } from "../../shared/time";
import { type JournalEntryRow, journalEntries, ledgerDays, ledgers } from "./model/table";
import type { LineOfEntry } from "./wire";

export const findLedger = (orm: Orm, organizationId: string) =>
	orm.select().from(ledgers).where(eq(ledgers.organizationId, organizationId));

/** The balances of a closed day; by default of the last. */
export const findDay = (orm: Orm, organizationId: string, day: CalendarDate | undefined) =>
	orm
		.select()
		.from(ledgerDays)
		.where(
			and(
				eq(ledgerDays.organizationId, organizationId),
				day === undefined
					? sql`${ledgerDays.day} = (select ${ledgers.closedThrough} from ${ledgers} where ${ledgers.organizationId} = ${organizationId})`
					: eq(ledgerDays.day, day),
			),
		);

export type LineFilter = {
	readonly organizationId: string;
	readonly from: CalendarDate | undefined;
	readonly to: CalendarDate | undefined;
	readonly account: string | undefined;
	readonly source: string | undefined;
};

/** The most entries that a page reads. */
const MOST_SCANNED = 500;

const placeOf = ({ entry: { day, id }, index }: LineOfEntry): Position => [
	Number(day.replaceAll("-", "")),
	`${id}#${String(index).padStart(2, "0")}`,
];

/** The opposite of `placeOf`: the line's day, its entry and its place in the entry. */
function placeAt([at, key]: Position) {
	const [id = "", index = ""] = String(key).split("#");
	return { day: String(at).replace(/^(\d{4})(\d\d)/, "$1-$2-"), id, index: Number(index) };
}

/** The entries that may have lines of the page: the cursor's entry, and those that follow it. */
export function findEntries(orm: Orm, filter: LineFilter, window: Window) {
	const { organizationId, from, to } = filter;
	const cursor = window.after ?? window.before;
	const place = cursor && placeAt(cursor);
	const { day, id } = journalEntries;
	const isBackwards = window.before !== undefined;
	const beyond =
		place && (isBackwards ? sql`(${day}, ${id}) <= (${place.day}, ${place.id})` : sql`(${day}, ${id}) >= (${place.day}, ${place.id})`);
	const order = isBackwards ? desc : asc;
	return orm
		.select()
		.from(journalEntries)
		.where(
			and(
				eq(journalEntries.organizationId, organizationId),
				from === undefined ? undefined : gte(day, from),
				to === undefined ? undefined : lte(day, to),
				beyond,
			),
		)
		.orderBy(order(day), order(id))
		.limit(scannedFor(filter, window));
}

/** An entry has two lines or more: without a filter half the page's size suffices, with the cursor's entry and the entry after the page. */
const scannedFor = ({ account, source }: LineFilter, { size }: Window): number =>
	account === undefined && source === undefined ? Math.min(Math.ceil(size / 2) + 2, MOST_SCANNED) : MOST_SCANNED;

/** The page of the lines that pass the filter. If it has fewer than `size`, it still links to the entries that were not read. */
export function pageOfLines(entries: readonly JournalEntryRow[], filter: LineFilter, window: Window): Page<LineOfEntry> {
	const { account, source } = filter;
	const isBackwards = window.before !== undefined;
	const cursor = window.after ?? window.before;
	const isBeyond = (line: LineOfEntry): boolean => {
		if (!cursor) return true;
		const [[at, key], [cursorAt, cursorKey]] = [placeOf(line), cursor];
		const order = at - cursorAt || (String(key) < String(cursorKey) ? -1 : String(key) > String(cursorKey) ? 1 : 0);
		return isBackwards ? order < 0 : order > 0;
	};
	const all = entries.flatMap((entry): LineOfEntry[] => {
		const own = entry.lines.map((_, index) => ({ entry, index }));
		return isBackwards ? own.reverse() : own;
	});
	const found = all.filter(
		(line) =>
			isBeyond(line) &&
			(source === undefined || line.entry.source === source) &&
			(account === undefined || line.entry.lines[line.index]?.[0] === account),
	);
	const page = pageOf(found, window, placeOf);
	const last = entries.length === scannedFor(filter, window) ? all.at(-1) : undefined;
	const edge = last ? placeOf(last) : null;
	return isBackwards ? { ...page, prev: page.prev ?? edge } : { ...page, next: page.next ?? edge };
}
