// Writes what has changed in a database into a bucket outside of D1, and from time to time all that it holds. Triggers note the keys of
// changed rows, a row once for each file however often it changes; a file has the rows as they are when it is made. Each file holds the hash
// of the one before, and says whether the database can be made from it and those before: `npm run restore` does.

import { eq, ne, sql } from "drizzle-orm";
import type { BackedUpColumn } from "../db/backup";
import * as statements from "../db/backup";
import { backupHeads, backupTables } from "../db/backup.table";
import type { Step } from "../db/database";
import { guarded } from "../db/guards";
import { first } from "../db/reads";
import { schemaVersion } from "../db/schema-version.table";
import type { JobServices } from "../runtime/services";
import { DAY_MS } from "../shared/time";
import { columnsOf, writeFile } from "./backup-file";
import { type Head, isStill, newKeySet } from "./backup-head";

/** How often a file begins with a copy of all rows: what is older than the last complete one is needed only to go back further. */
const COPIED_EVERY_MS = 7 * DAY_MS;
/** Tables of which one turn makes the triggers. */
const WATCHED_AT_ONCE = 20;

/** Writes a file, if anything has changed. Returns whether more is waiting. */
export async function backUp(services: JobServices): Promise<boolean> {
	const { db, providers, realNow } = services;
	const { backup } = providers;
	const { orm } = db;
	const findHead = first(orm.select().from(backupHeads).where(eq(backupHeads.id, 1)));
	if (!backup) return (await db.read(findHead)) === undefined ? false : stopWatching(services);
	const { head, migration, noted, copying } = await db.read({
		head: findHead,
		migration: first(orm.select({ id: sql<number>`max(${schemaVersion.id})`.as("id") }).from(schemaVersion)),
		noted: first(orm.all<{ n: number }>(statements.countNoted(1))),
		copying: first(orm.select({ name: backupTables.name }).from(backupTables).where(ne(backupTables.state, "WATCHED")).limit(1)),
	});
	if (head?.migration !== migration?.id) return watch(services, head, migration?.id ?? 0);
	if (!head) return false;
	if (!copying && realNow - head.baseSince > COPIED_EVERY_MS) {
		const begun = { nextBase: head.number + 1, nextBaseSince: realNow, keySet: newKeySet() };
		const again = orm.update(backupTables).set({ state: "COPYING", cursor: null });
		await db.commit([guarded(orm.update(backupHeads).set(begun).where(isStill(head))), again]);
		return true;
	}
	return noted?.n === 0 && !copying ? false : writeFile(services, backup, head);
}

/** Makes the triggers of some tables that lack them. Their rows are all copied. */
async function watch(services: JobServices, head: Head | undefined, migration: number): Promise<boolean> {
	const { db, realNow } = services;
	const { orm } = db;
	const { present, known } = await db.read({
		present: orm.all<{ type: string; name: string }>(statements.tablesAndTriggers),
		known: orm.select().from(backupTables),
	});
	const named = (type: string) => present.flatMap((one) => (one.type === type ? [one.name] : []));
	const triggers = new Set(named("trigger"));
	const tables = named("table").filter(statements.isBackedUp);
	const infos = await db.read(tables.map((name) => orm.all<{ name: string; type: string; pk: number }>(statements.columnsOf(name))));
	const changed = tables.flatMap((name, index) => {
		const columns = (infos[index] ?? []).map(({ name: column, type, pk }) => ({ name: column, blob: /blob/i.test(type), key: pk }));
		const before = known.find((one) => one.name === name);
		const isWatched = before !== undefined && statements.triggerNames(name).every((trigger) => triggers.has(trigger));
		if (isWatched && before.columns === JSON.stringify(columns)) return [];
		return [{ name, columns, anew: !isWatched || !isExtended(columnsOf(before), columns) }];
	});
	const gone = known.filter(({ name }) => !tables.includes(name));
	const portion = changed.slice(0, WATCHED_AT_ONCE);
	const isLast = portion.length === changed.length;
	const begun = { migration: isLast ? migration : -1 };
	const start = {
		id: 1,
		generation: 1,
		number: 0,
		hash: "",
		writtenAt: realNow,
		base: 1,
		baseSince: realNow,
		keySet: newKeySet(),
		...begun,
	};
	await db.commit([
		head ? guarded(orm.update(backupHeads).set(begun).where(isStill(head))) : orm.insert(backupHeads).values(start),
		...portion.flatMap(({ name, columns, anew }): Step[] => {
			const kept = { columns: JSON.stringify(columns), ...(anew && { state: "COPYING_ANEW" as const, cursor: null }) };
			const row = { name, state: "COPYING_ANEW" as const, ...kept };
			return [
				...statements.watching({ name, columns }),
				orm.insert(backupTables).values(row).onConflictDoUpdate({ target: backupTables.name, set: kept }),
			];
		}),
		...gone.map(({ name }) => orm.delete(backupTables).where(eq(backupTables.name, name))),
	]);
	return true;
}

/** Whether columns were only added, so that rows that were written before still say what they said. */
const isExtended = (before: readonly BackedUpColumn[], now: readonly BackedUpColumn[]): boolean =>
	before.every((column) => now.some((other) => JSON.stringify(other) === JSON.stringify(column)));

/** Where there is no bucket any more, nothing is noted any more: a bucket that is bound later gets a copy of everything. */
async function stopWatching({ db, log }: JobServices): Promise<boolean> {
	const { orm } = db;
	const present = await db.read(orm.all<{ type: string; name: string }>(statements.tablesAndTriggers));
	const made = present.flatMap(({ type, name }) => (type === "trigger" && name.startsWith("backup_") ? [name] : []));
	await db.commit([
		...made.map(statements.notWatching),
		orm.delete(backupTables),
		orm.delete(backupHeads),
		sql.raw("delete from changed_rows"),
	]);
	log.info("the backup has ended, because no bucket is bound");
	return false;
}
