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

/** A page looks at no more entries than these. */
const MOST_SCANNED = 500;

const placeOf = ({ entry: { day, id }, index }: LineOfEntry): Position => [
	Number(day.replaceAll("-", "")),
	`${id}#${String(index).padStart(2, "0")}`,
];

/** Where a line is: its day, its entry and its number in that. */
function placeAt([at, key]: Position) {
	const [id = "", index = ""] = String(key).split("#");
	return { day: String(at).replace(/^(\d{4})(\d\d)/, "$1-$2-"), id, index: Number(index) };
}

/** The entries among whose lines the page is, from that of the cursor on. */
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

/** Without a filter each entry has lines for the page: those of half its size, that of the cursor and one behind them suffice. */
const scannedFor = ({ account, source }: LineFilter, { size }: Window): number =>
	account === undefined && source === undefined ? Math.min(Math.ceil(size / 2) + 2, MOST_SCANNED) : MOST_SCANNED;

/** The page of the lines that the filter leaves. It may have fewer than were asked for, and leads on. */
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
