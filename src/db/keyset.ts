// Keyset pages over (position, id), in both directions. A page reads one row more than it shows, to know whether there is a further page:
// nothing is counted, so the cost does not grow with the table.

import { and, asc, desc, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteSelect, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Statement } from "./built";
import { type Orm, orm } from "./orm";
import { ALWAYS, hole, prebuilt } from "./prebuilt";

export type Position = readonly [at: number, id: string | number];
export type Window = { size: number; after?: Position | undefined; before?: Position | undefined };
/** Rows at or after one instant, and before another. */
export type Range = { from?: number | undefined; until?: number | undefined };
export type Page<Row> = { rows: Row[]; next: Position | null; prev: Position | null };

export type Keyset<Row> = {
	at: SQLiteColumn;
	id: SQLiteColumn;
	of: (row: Row) => Position;
	/** How the column has what the position has as a number. */
	stored?: (at: number) => string;
	order: "newest" | "oldest";
	/** The id begins with the position's instant, and alone gives the order. */
	byIdAlone?: boolean;
};

/** The key of lists by creation. */
export const byCreation = (
	{ createdAt, id }: { createdAt: SQLiteColumn; id: SQLiteColumn },
	order: Keyset<never>["order"] = "newest",
): Keyset<{ createdAt: number; id: string }> => ({ at: createdAt, id, of: (row) => [row.createdAt, row.id], order });

/** The same of a table whose ids begin with the instant of creation: the rows lie in this order, so it needs no index. A range is not for it. */
export const byIdAlone = (of: Parameters<typeof byCreation>[0]): ReturnType<typeof byCreation> => ({ ...byCreation(of), byIdAlone: true });

type Select<Q> = (orm: Orm) => Q;

/**
 * A select that every request shares: the statements of its pages are built once, with a hole for the conditions. They cannot be part of
 * other statements.
 */
export class SharedSelect<Q extends SQLiteSelect> {
	readonly #select: Select<Q>;
	readonly #pages = new Map<string, (values: { where: SQL }) => Statement>();

	constructor(select: Select<Q>) {
		this.#select = select;
	}

	page(key: Pick<Keyset<never>, "at" | "id" | "byIdAlone">, descending: boolean, where: SQL | undefined, rows: number): Q {
		const form = `${key.byIdAlone ? "" : key.at.name} ${key.id.name} ${descending} ${rows}`;
		const page =
			this.#pages.get(form) ?? prebuilt((orm) => ordered(this.#select(orm), key, descending, hole("where"), rows) as never as Statement);
		this.#pages.set(form, page);
		return page({ where: where ?? ALWAYS }) as never as Q;
	}
}

type RowsOf<T extends SQLiteTable> = SQLiteSelect & { readonly _: { readonly result: T["$inferSelect"][] } };
const wholeRows = new WeakMap<SQLiteTable, SharedSelect<SQLiteSelect>>();

/** The select of whole rows of a table. */
export function rowsOf<T extends SQLiteTable>(table: T): SharedSelect<RowsOf<T>> {
	const select =
		wholeRows.get(table) ??
		new SharedSelect<SQLiteSelect>((orm) =>
			orm
				.select()
				.from(table as SQLiteTable)
				.$dynamic(),
		);
	wholeRows.set(table, select);
	return select as unknown as SharedSelect<RowsOf<T>>;
}

function ordered<Q extends SQLiteSelect>(
	select: Q,
	{ at, id, byIdAlone }: Pick<Keyset<never>, "at" | "id" | "byIdAlone">,
	descending: boolean,
	where: SQL | undefined,
	rows: number,
) {
	const order = descending ? desc : asc;
	return select
		.where(where)
		.orderBy(...(byIdAlone ? [id] : [at, id]).map(order))
		.limit(rows);
}

/** The statement that reads one page of `select`, and functions that merge answers and make a page of the rows. */
export function keyset<Q extends SQLiteSelect, Row extends Q["_"]["result"][number]>(
	select: Select<Q> | SharedSelect<Q>,
	key: Keyset<Row>,
	{ size, after, before }: Window,
	where?: SQL,
	{ from, until }: Range = {},
) {
	const backwards = before !== undefined;
	const cursor = before ?? after;
	const descending = (key.order === "newest") !== backwards;
	const past = descending ? sql`<` : sql`>`;
	const beyond = key.byIdAlone
		? cursor
			? sql`${key.id} ${past} ${cursor[1]}`
			: sql`${key.id} > ''`
		: cursor && sql`(${key.at}, ${key.id}) ${past} (${key.stored?.(cursor[0]) ?? cursor[0]}, ${cursor[1]})`;
	// SQLite searches an index by one bound on each side, so the range's bound is left out where the cursor is the closer one.
	const low = from !== undefined && !(cursor && !descending && cursor[0] >= from) ? gte(key.at, from) : undefined;
	const high = until !== undefined && !(cursor && descending && cursor[0] < until) ? lt(key.at, until) : undefined;
	return {
		statement:
			select instanceof SharedSelect
				? select.page(key, descending, and(where, low, high, beyond), size + 1)
				: ordered(select(orm), key, descending, and(where, low, high, beyond), size + 1),
		/** Makes one database's answer of those of several. A row that several have is a copy, and counts once. */
		merge(answers: readonly (readonly Row[])[]): Row[] {
			const rows = new Map(answers.flat().map((row) => [key.of(row)[1], row]));
			const sorted = [...rows.values()].sort((a, b) => compare(key.of(a), key.of(b)) * (descending ? -1 : 1));
			return sorted.slice(0, size + 1);
		},
		page: (found: readonly Row[], edges: readonly Position[] = []): Page<Row> =>
			edges.length === 0
				? pageOf(found, { size, after, before }, key.of)
				: pageToEdge(found, { size, after, before }, key.of, edges, descending),
	};
}

/** The page that was asked for, of its rows and the one behind them, in the order in which they were read. */
export function pageOf<Row>(found: readonly Row[], { size, after, before }: Window, of: (row: Row) => Position): Page<Row> {
	const backwards = before !== undefined;
	const more = found.length > size;
	const rows = backwards ? found.slice(0, size).reverse() : found.slice(0, size);
	const first = rows.at(0);
	const last = rows.at(-1);
	return {
		rows,
		next: last && (backwards || more) ? of(last) : null,
		prev: first && (backwards ? more : after !== undefined) ? of(first) : null,
	};
}

/**
 * A page of rows that were looked for up to edges, behind each of which there may be more. It ends at the nearest, and the next
 * page begins there, so it may have fewer rows than were asked for, or none.
 */
export function pageToEdge<Row>(
	found: readonly Row[],
	window: Window,
	of: (row: Row) => Position,
	edges: readonly Position[],
	descending: boolean,
) {
	const inOrder = (a: Position, b: Position) => compare(a, b) * (descending ? -1 : 1);
	const [edge] = edges.toSorted(inOrder) as [Position];
	const rows = found.filter((row) => inOrder(of(row), edge) <= 0);
	const page = pageOf(rows, window, of);
	if (rows.length > window.size) return page;
	const { after, before } = window;
	// Without rows both lead on from the edge, between which and the cursor there are none.
	return { ...page, next: before && rows.length > 0 ? page.next : edge, prev: before || (after && rows.length === 0) ? edge : page.prev };
}

const compare = ([at, id]: Position, [otherAt, otherId]: Position): number => at - otherAt || (id < otherId ? -1 : id > otherId ? 1 : 0);
