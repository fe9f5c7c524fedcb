// Erases again what a restored database has brought back: it learns of it from the others, which have the rows of all erasures.

import { asc, gt } from "drizzle-orm";
import { isOneOf } from "../../db/columns";
import type { Write } from "../../db/database";
import type { JobServices } from "../../runtime/services";
import { HOUR_MS } from "../../shared/time";
import { type ErasureRow, erasures } from "./table";

const BATCH = 200;

/** How far this isolate has come in a database, by the database's first home, and when it began. */
const progress = new Map<number, { readonly after: string; readonly since: number }>();

/** Compares a portion of the erasures, each hour all of them. Returns whether more are waiting. */
export async function eraseAgain(services: JobServices): Promise<boolean> {
	const { db, home, now } = services;
	const others = services.everywhere().filter((there) => there.db !== db);
	if (others.length === 0) return false;
	const come = progress.get(home) ?? { after: "", since: now };
	if (come.after === "" && progress.has(home) && now - come.since < HOUR_MS) return false;
	const pages = await Promise.all(others.map((there) => there.db.read(pageAfter(there, come.after))));
	const ends = pages.flatMap((page) => (page.length === BATCH ? (page.at(-1)?.userId ?? []) : []));
	const end = ends.toSorted()[0];
	const known = new Map(pages.flat().map((row) => [row.userId, row]));
	const ids = [...known.keys()].filter((id) => end === undefined || id <= end);
	const here =
		ids.length === 0 ? [] : await db.read(db.orm.select({ id: erasures.userId }).from(erasures).where(isOneOf(erasures.userId, ids)));
	const missing = new Set(ids).difference(new Set(here.map(({ id }) => id)));
	const writes = [...known.values()].filter(({ userId }) => missing.has(userId)).map((row) => onceMore(services, row));
	if (writes.length > 0) services.log.info("persons are erased again, because the database was restored", { persons: writes.length });
	await services.commit(writes);
	progress.set(home, end === undefined ? { after: "", since: now } : { after: end, since: come.since });
	return end !== undefined;
}

const pageAfter = ({ db }: JobServices, after: string) =>
	db.orm.select().from(erasures).where(gt(erasures.userId, after)).orderBy(asc(erasures.userId)).limit(BATCH);

/** With nothing to find the person by: in their home the work begins with what the user's row says again. */
const onceMore = ({ db, now }: JobServices, { userId, organizationId, requestedAt, erasedAt }: ErasureRow): Write =>
	db.orm
		.insert(erasures)
		// It has been announced already, or is by the row that was lost.
		.values({ userId, organizationId, requestedAt, beginsAt: now, erasedAt: erasedAt ?? now })
		.onConflictDoNothing();
