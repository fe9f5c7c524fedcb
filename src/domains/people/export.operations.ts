// Everything that is held about one person, for them: a page at a time, a line for each row where `Accept` asks for NDJSON.

import * as z from "zod";
import type { Orm } from "../../db/database";
import type { Position } from "../../db/keyset";
import { first } from "../../db/reads";
import { operator, userOnWaitingList } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { type CursorPage, cursorAt, Links, listReply, openWindow, type Paging, pagingTo } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import type { Json } from "../../shared/json";
import { openContent, textOf } from "../messages/content.plan";
import { findReader } from "../messages/inbox.store";
import { findUser } from "../users/model/store";
import { contentOf, findHeld, HELD, type Held, inOrder, keyIn, kindOf } from "./held.store";
import { HeldRecord } from "./wire";

const { before: _, ...paging } = pagingTo(500);
const Page = z.object({ data: z.array(HeldRecord), links: Links });
const DESCRIPTION =
	"With `Accept: application/x-ndjson` a line for each record, and the next page in the `Link` header. Records about others, such as the payer of a transfer to the user, appear as the user sees them.";

type Line = { readonly kind: string; readonly content: Record<string, Json> };

/** A page: the rows of a kind after those of the kind before. */
async function pageOf(services: Services, userId: string, query: Omit<Paging, "before">): Promise<CursorPage<Line>> {
	const { db } = services;
	const bound = { list: "held-about", owner: userId, filters: {} };
	const { window } = await openWindow(services, query, bound);
	const [from, key] = window.after ?? [0, undefined];
	const kinds = HELD.slice(from);
	const findIn = (orm: Orm, held: Held) =>
		findHeld(orm, held, userId, held === kinds[0] && key !== undefined ? JSON.parse(String(key)) : undefined, window.size + 1);
	const organizations = kinds.filter(({ everywhere }) => everywhere);
	const others = services.everywhere().filter((there) => there.db !== db && organizations.length > 0);
	const [{ owner, reader, found }, ...elsewhere] = await Promise.all([
		db.read({
			owner: first(findUser(db.orm, userId)),
			reader: first(findReader(services, userId)),
			found: kinds.map((held) => findIn(db.orm, held)),
		}),
		...others.map((there) => there.db.read(organizations.map((held) => findIn(there.db.orm, held)))),
	]);
	if (!owner) throw new ApiError("NOT_FOUND", { description: "There is no such user" });
	const all = kinds.flatMap((held, index) => {
		const place = organizations.indexOf(held);
		const rows = [...(found[index] ?? []), ...elsewhere.flatMap((there) => there[place] ?? [])];
		return (held.everywhere ? inOrder(rows, held) : rows).map((row) => ({ held, row, place: from + index }));
	});
	const shown = all.slice(0, window.size);
	const last = shown.at(-1);
	const position: Position | undefined = last && [last.place, JSON.stringify(keyIn(last.row, last.held))];
	return {
		rows: await Promise.all(
			shown.map(async ({ held, row }) => {
				const told = held.sealed && (await openContent(services, { id: String(row.id), sealed: String(row.sealed) }));
				return { kind: kindOf(held), content: contentOf(row, held, told ? textOf(told, reader?.reader ?? null) : null) };
			}),
		),
		next: position && all.length > shown.length ? await cursorAt(services, bound, position) : null,
		prev: null,
	};
}

const toLine = (line: Line) => line;

export const exportUser = operation({
	id: "exportUser",
	method: "GET",
	path: "/v1/platform/users/{userId}/export",
	summary: "Everything that is held about a user, for them",
	description: `${DESCRIPTION} Each call leaves a row in the audit trail.`,
	access: operator,
	home: ({ path }) => path.userId,
	request: { path: z.object({ userId: z.uuid().toLowerCase() }), query: z.object(paging) },
	response: Page,
	tabular: true,
	errors: ["NOT_FOUND"],
	async handle({ path, query }, services) {
		const page = await pageOf(services, path.userId, query);
		await services.commitRegardless([], { audited: { answer: { data: [], links: { next: null, prev: null } } } });
		return listReply(services, page, toLine);
	},
});

export const exportMe = operation({
	id: "exportMe",
	method: "GET",
	path: "/v1/me/export",
	summary: "Everything that is held about the caller",
	description: DESCRIPTION,
	access: userOnWaitingList,
	request: { query: z.object(paging) },
	response: Page,
	tabular: true,
	async handle({ caller, query }, services) {
		return listReply(services, await pageOf(services, caller.userId, query), toLine);
	},
});
