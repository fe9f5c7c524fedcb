// Lists on the wire: `size`, `after`, `before` and cursors. A cursor is bound to its list, owner and filters, so it is invalid for
// another list, another owner or other filters.

import type { SQL } from "drizzle-orm";
import type { SQLiteSelect } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { Orm } from "../db/database";
import { type Keyset, keyset, type Page, type Position, type Range, type SharedSelect, type Window } from "../db/keyset";
import type { Services } from "../runtime/services";
import { fromBase64, toBase64Url, utf8 } from "../shared/bytes";
import { InvalidInput } from "../shared/errors";
import { canonicalJson, type Json } from "../shared/json";
import { Reply } from "./operation";

const cursor = z.string().min(1).max(4096);

/** The query members of a list with pages of up to so many rows; spread them next to the list's own filters. */
export const pagingTo = (maximum: number) => ({
	size: z
		.string()
		.regex(/^\d{1,4}$/, "must be digits")
		.transform(Number)
		.pipe(z.int().min(1).max(maximum))
		.default(20)
		.meta({ description: "Rows in a page", type: "integer", minimum: 1, maximum, default: 20 }),
	after: cursor.optional().meta({ description: "Cursor of the next page" }),
	before: cursor.optional().meta({ description: "Cursor of the previous page; not together with `after`" }),
});

/** The query members of most lists. */
export const paging = pagingTo(100);

export type Paging = { size: number; after?: string | undefined; before?: string | undefined };

export const Links = z
	.object({
		next: z.string().nullable().meta({ description: "Cursor to send as `after`, null at the end" }),
		prev: z.string().nullable().meta({ description: "Cursor to send as `before`, null on the first page" }),
	})
	.meta({ id: "PageLinks", description: "The neighbours of the page" });

export type ListSpec<Q extends SQLiteSelect, Row> = {
	/** Name of the list, unique in the service. */
	list: string;
	/** Whose rows: a cursor is invalid for another owner. */
	owner: string;
	filters: { [name: string]: Json | undefined };
	/** true: the rows are in many homes, so a page of every database is read, and the pages are merged. */
	everywhere?: boolean;
	select: ((orm: Orm) => Q) | SharedSelect<Q>;
	key: Keyset<Row>;
	where?: SQL | undefined;
	/** Only rows whose key's instant is within this range. */
	range?: Range;
};

export type CursorPage<Row> = { rows: Row[]; next: string | null; prev: string | null };

/** Reads one page in one round trip (to each database, for a list that is everywhere). Throws `InvalidInput` for a cursor of another list. */
export async function readPage<Q extends SQLiteSelect, Row extends Q["_"]["result"][number]>(
	services: Services,
	{ size, after, before }: Paging,
	spec: ListSpec<Q, Row>,
): Promise<CursorPage<Row>> {
	const homes = spec.everywhere ? services.everywhere() : [services];
	const pages = await Promise.all(homes.map(async (there) => ({ there, page: await openPage(there, { size, after, before }, spec) })));
	const rows = await Promise.all(pages.map(async ({ there, page }) => (await there.db.read(page.statement as never)) as Row[]));
	const [{ page }] = pages as [(typeof pages)[number]];
	return page.page(rows.length === 1 ? rows.flat() : page.merge(rows));
}

/** The statement of a page and the function that makes a page of its rows, for lists that are read together with other statements. */
export async function openPage<Q extends SQLiteSelect, Row extends Q["_"]["result"][number]>(
	services: Services,
	{ size, after, before }: Paging,
	spec: ListSpec<Q, Row>,
) {
	const { window, page: cursorPage } = await openWindow(services, { size, after, before }, spec);
	const { statement, merge, page } = keyset<Q, Row>(spec.select, spec.key, window, spec.where, spec.range);
	return {
		statement,
		merge,
		window,
		/** `edges`: behind each there may be more rows than were found. */
		page: (found: readonly Row[], edges?: readonly Position[]): Promise<CursorPage<Row>> => cursorPage(page(found, edges)),
	};
}

export type Bound = Pick<ListSpec<never, never>, "list" | "owner" | "filters">;

/** The window of a list that makes its own statements, and what makes a page of the rows that these find. */
export async function openWindow(services: Services, query: Paging, spec: Bound) {
	const { binding, window } = await windowOf(services, query, spec);
	return {
		window,
		async page<Row>({ rows, next, prev }: Page<Row>): Promise<CursorPage<Row>> {
			return { rows, next: next && (await makeCursor(services, binding, next)), prev: prev && (await makeCursor(services, binding, prev)) };
		},
	};
}

/** What the query asks for, with its cursor read. Throws `InvalidInput` for a cursor of another list. */
async function windowOf(services: Services, { size, after, before }: Paging, spec: Bound): Promise<{ binding: string; window: Window }> {
	if (after !== undefined && before !== undefined) {
		throw new InvalidInput([{ path: "query.before", reason: "cannot be sent together with after", sub_code: "MUTUALLY_EXCLUSIVE" }]);
	}
	const binding = canonicalJson([spec.list, spec.owner, present(spec.filters)]);
	const window: Window = {
		size,
		...(after !== undefined && { after: await readCursor(services, binding, after, "after") }),
		...(before !== undefined && { before: await readCursor(services, binding, before, "before") }),
	};
	return { binding, window };
}

/**
 * One page of rows that are computed as a whole. They ascend by the positions that `of` gives them, which must not depend on how many
 * rows come before.
 */
export async function pageOfComputed<Row>(
	services: Services,
	query: Paging,
	spec: Bound,
	rows: readonly Row[],
	of: (row: Row) => readonly [number, number],
): Promise<CursorPage<Row>> {
	const { binding, window } = await windowOf(services, query, spec);
	const { size, after, before } = window;
	const isBelow = (row: Row, [at, id]: Position) => of(row)[0] < at || (of(row)[0] === at && of(row)[1] < Number(id));
	const isPast = (row: Row, [at, id]: Position) => of(row)[0] > at || (of(row)[0] === at && of(row)[1] > Number(id));
	const end = before ? rows.filter((row) => isBelow(row, before)).length : rows.length;
	const first = after ? rows.length - rows.filter((row) => isPast(row, after)).length : 0;
	const start = before ? Math.max(0, end - size) : first;
	const page = rows.slice(start, Math.min(end, start + size));
	const [head, tail] = [page.at(0), page.at(-1)];
	return {
		rows: page,
		next: tail && start + page.length < rows.length ? await makeCursor(services, binding, of(tail)) : null,
		prev: head && start > 0 ? await makeCursor(services, binding, of(head)) : null,
	};
}

/** A cursor for a position of the list, for a list that continues although its page has no neighbour. */
export const cursorAt = (
	services: Services,
	spec: { list: string; owner: string; filters: { [name: string]: Json | undefined } },
	position: Position,
) => makeCursor(services, canonicalJson([spec.list, spec.owner, present(spec.filters)]), position);

async function makeCursor(services: Services, binding: string, position: Position): Promise<string> {
	const place = toBase64Url(utf8(JSON.stringify(position)));
	return `${place}.${await services.config.keyring.tag("cursor", `${binding}\n${place}`)}`;
}

async function readCursor(services: Services, binding: string, sent: string, parameter: "after" | "before"): Promise<Position> {
	// A client may send back the whole link it was given in the Link header.
	const text = sent.startsWith("http") && URL.canParse(sent) ? (new URL(sent).searchParams.get(parameter) ?? "") : sent;
	const [place = "", ...tag] = text.split(".");
	if (!(await services.config.keyring.verifyTag("cursor", `${binding}\n${place}`, tag.join(".")))) {
		throw new InvalidInput([{ path: `query.${parameter}`, reason: "is not a cursor of this list", sub_code: "INVALID_CURSOR" }], true);
	}
	return JSON.parse(new TextDecoder().decode(fromBase64(place))) as unknown as Position;
}

const present = (filters: { [name: string]: Json | undefined }): Json =>
	Object.fromEntries(Object.entries(filters).filter((entry): entry is [string, Json] => entry[1] !== undefined));

/** Many clients refuse an answer with more than 16 KiB of headers. A query this long, whose links would repeat it, gets none. */
const MAX_LINKED_QUERY = 4_096;

/** The body of most lists, with the neighbours as a `Link` header (RFC 8288) too. `more`: what the body has in addition to the rows. */
export function listReply<Row, Wire, More extends object>(
	services: Services,
	{ rows, next, prev }: CursorPage<Row>,
	toWire: (row: Row) => Wire,
	more: More = {} as More,
) {
	const link = (rel: "next" | "prev", parameter: "after" | "before", value: string | null) => {
		if (!value) return [];
		const url = new URL(services.url);
		if (url.search.length > MAX_LINKED_QUERY) return [];
		url.searchParams.delete("after");
		url.searchParams.delete("before");
		url.searchParams.set(parameter, value);
		return [`<${services.baseUrl}${url.pathname}${url.search}>; rel="${rel}"`];
	};
	const links = [...link("next", "after", next), ...link("prev", "before", prev)];
	return new Reply(
		{ data: rows.map(toWire), ...more, links: { next, prev } },
		links.length > 0 ? { headers: { Link: links.join(", ") } } : {},
	);
}
