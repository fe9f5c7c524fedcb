// One file of a backup: the rows that have changed since the last one, and a portion of those that are copied, at one instant.

import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { BackedUpColumn, BackedUpTable, Key, ReadRow } from "../db/backup";
import { changedRowsOf, countNoted, forgetChanged, keyOf, lineOf, rowsAfter } from "../db/backup";
import { backupHeads, backupTables, changedRows } from "../db/backup.table";
import { StaleWrite } from "../db/database";
import { guarded } from "../db/guards";
import { BACKED_UP_PERSONAL } from "../domains/people/backed-up.store";
import { forgetOldKeys, gzip } from "../runtime/backup-keys";
import type { Backup } from "../runtime/ports";
import type { JobServices } from "../runtime/services";
import { toHex } from "../shared/bytes";
import type { Keyring } from "../shared/keyring";
import { toTimestamp } from "../shared/time";
import { type Head, isStill } from "./backup-head";
import { sealed, type Unsealed, unsealed } from "./backup-sealing";

/** Rows of a file that are copied, and rows of it that have changed; in each case at least so many of a table. */
const ROWS = 3_000;
const ROWS_OF_A_TABLE = 100;
const TABLES_COPIED_AT_ONCE = 12;
/** Of tables with rows of some 300 kB, because a file is made in memory. */
const ROWS_OF_LARGE: Readonly<Record<string, number>> = { issued_statements: 20 };

type Kept = typeof backupTables.$inferSelect;

/**
 * The tables that had changes the last time, by the database's home. They are read again with those that have some now, because a commit in
 * between may change them, and only a file that leaves no change out can be restored.
 */
const lastChanged = new Map<number, ReadonlySet<string>>();

/** The file, and how far the database is written with it. */
type Written = {
	readonly lines: readonly (string | Unsealed)[];
	/** Whether every change until now is in it. */
	readonly leavesNone: boolean;
	readonly changed: readonly Through[];
	readonly copied: readonly (Through & { readonly isAll: boolean })[];
};
type Through = { readonly table: BackedUpTable; readonly through: Key | undefined };

/**
 * Returns whether a further one would have something to write. It leaves the rest to another sweep that has begun a file meanwhile: two that
 * both went on would make each other's files void in turn, and neither would end. An erasure that destroys keys meanwhile looks the same: the
 * file is void, and the changes are in that of the next sweep, a minute later.
 */
export async function writeFile(services: JobServices, backup: Backup, head: Head): Promise<boolean> {
	const { db, home, databases, config, realNow } = services;
	const { orm } = db;
	const noted = sql<number>`exists (select 1 from ${changedRows} where ${changedRows.relation} = ${sql`${backupTables}.${sql.identifier("name")}`})`;
	const tables = await db.read(
		orm
			.select({
				name: backupTables.name,
				columns: backupTables.columns,
				state: backupTables.state,
				cursor: backupTables.cursor,
				noted: noted.as("noted"),
			})
			.from(backupTables)
			.orderBy(asc(backupTables.name)),
	);
	const before = lastChanged.get(home);
	const changing = tables.filter((table) => table.noted !== 0 || before?.has(table.name));
	lastChanged.set(home, new Set(tables.flatMap((table) => (table.noted === 0 ? [] : [table.name]))));
	const copying = tables.filter(({ state }) => state !== "WATCHED");
	const written = await readRows(db, config.keyring, head, { changing, copying: copying.slice(0, TABLES_COPIED_AT_ONCE) });
	if (!written) return false;
	// After the reads: a file has nothing of a later instant than it says.
	const at = Date.now();
	const begun = { ...head, generation: head.generation + 1 };
	const lines = await sealed(services, backup, begun, written.lines);
	if (!lines) return false;
	const left = copying.filter(({ name }) => !written.copied.some(({ table, isAll }) => isAll && table.name === name));
	const isCopied = head.nextBase !== null && left.length === 0;
	const opening = {
		format: 2,
		database: databases.nameOf(home),
		number: head.number + 1,
		previous: head.hash,
		at: toTimestamp(at),
		migration: head.migration,
		base: (isCopied && head.nextBase) || head.base,
		whole: written.leavesNone && left.every(({ state }) => state === "COPYING"),
	};
	const bytes = await gzip([opening, ...lines].map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
	const hash = toHex(await crypto.subtle.digest("SHA-256", bytes));
	await backup.write(nameOf(opening, hash), bytes);
	const { number, base } = opening;
	const copied = isCopied && { base, baseSince: head.nextBaseSince ?? at, nextBase: null, nextBaseSince: null };
	const { generation } = head;
	const commit = db.commit([
		guarded(
			orm
				.update(backupHeads)
				.set({ number, hash, writtenAt: at, ...copied })
				.where(isStill(begun)),
		),
		...written.changed.flatMap(({ table, through }) => (through ? [forgetChanged(table, { generation, through })] : [])),
		...written.copied.map(({ table, through, isAll }) =>
			orm
				.update(backupTables)
				.set(isAll ? { state: "WATCHED", cursor: null } : { cursor: JSON.stringify(through) })
				.where(eq(backupTables.name, table.name)),
		),
		...forgetOldKeys(orm, realNow),
	]);
	if ((await unlessStale(commit)) === undefined) return false;
	return !written.leavesNone || left.length > 0;
}

/** The time comes first, so that the bucket lists files in their order. */
const nameOf = (
	{ database, at, number, previous }: { database: string; at: string; number: number; previous: string },
	hash: string,
): string => `${database}/${at.replaceAll(":", "-")}_${number}_${previous.slice(0, 16) || "first"}_${hash.slice(0, 16)}.ndjson.gz`;

type Wanted = { readonly changing: readonly Kept[]; readonly copying: readonly Kept[] };

/**
 * Reads in one transaction, so that it is the database at one instant; what changes later is noted under the next generation. Undefined where
 * another file has been begun meanwhile.
 */
async function readRows(db: JobServices["db"], keyring: Keyring, head: Head, { changing, copying }: Wanted): Promise<Written | undefined> {
	const { generation } = head;
	const limitOf = (kept: Kept, tables: readonly Kept[]) =>
		ROWS_OF_LARGE[kept.name] ?? Math.max(ROWS_OF_A_TABLE, Math.floor(ROWS / Math.max(tables.length, 1)));
	const asked = [
		...changing.map((kept) => ({ kept, table: tableOf(kept), limit: limitOf(kept, changing), copies: false })),
		...copying.map((kept) => ({ kept, table: tableOf(kept), limit: limitOf(kept, copying), copies: true })),
	];
	const selects = asked.map(({ kept, table, limit, copies }): SQL => {
		const after = kept.cursor === null ? undefined : (JSON.parse(kept.cursor) as Key);
		return copies ? rowsAfter(table, { after, limit }) : changedRowsOf(table, { generation, limit });
	});
	const most = ROWS + changing.length * ROWS_OF_A_TABLE + 1;
	const begun = guarded(
		db.orm
			.update(backupHeads)
			.set({ generation: generation + 1 })
			.where(isStill(head)),
	);
	const results = await unlessStale(db.commit([begun, countNoted(most), ...selects]));
	if (!results) return undefined;
	const [, counted, ...found] = results as unknown as readonly [unknown, D1Result<{ n: number }>, ...D1Result<ReadRow>[]];
	const lines: (string | Unsealed | Promise<Unsealed>)[] = [];
	const parts = asked.map(({ kept, table, limit, copies }, index) => {
		const rows = found[index]?.results ?? [];
		const anew = copies && kept.state === "COPYING_ANEW" && kept.cursor === null;
		if (rows.length > 0 || anew) lines.push(JSON.stringify(headingOf(table, anew)));
		// In a table whose rows are listed, a noted key answers several rows, or none.
		const listed = !copies && table.personal?.listed === true;
		let noted = 0;
		rows.forEach((row, at) => {
			const before = rows[at - 1];
			const isNext = before?.key !== row.key || before.generation !== row.generation;
			if (isNext) noted++;
			const line = lineOf(row);
			if (line === undefined || (listed && isNext)) lines.push(`{"gone":${listed ? JSON.stringify(firstOf(row.key)) : row.key}}`);
			if (line !== undefined) lines.push(table.personal ? unsealed(line, row, table.personal.groups, keyring) : line);
		});
		const key = rows.at(-1)?.key;
		return {
			table,
			copies,
			count: listed ? noted : rows.length,
			isAll: rows.length < limit,
			through: key === undefined ? undefined : (JSON.parse(key) as Key),
		};
	});
	const changed = parts.filter(({ copies }) => !copies);
	const count = changed.reduce((sum, one) => sum + one.count, 0);
	return {
		lines: await Promise.all(lines),
		leavesNone: count === counted.results[0]?.n,
		changed,
		copied: parts.filter(({ copies }) => copies),
	};
}

/** Undefined where another sweep of the database was first. */
async function unlessStale<T>(commit: Promise<T>): Promise<T | undefined> {
	try {
		return await commit;
	} catch (error) {
		if (error instanceof StaleWrite) return undefined;
		throw error;
	}
}

/** A table's name before its rows. `anew`: what was said of its rows before is void. */
const headingOf = (table: BackedUpTable, anew: boolean) => ({
	table: table.name,
	columns: table.columns.map(({ name }) => name),
	blobs: table.columns.flatMap(({ name, blob }) => (blob ? [name] : [])),
	key: keyOf(table).map(({ name }) => name),
	...(table.personal && { sealed: table.personal.groups.map((group) => group.columns), removed: table.personal.removed }),
	...(anew && { anew }),
});

export const columnsOf = ({ columns }: Pick<Kept, "columns">): BackedUpColumn[] => JSON.parse(columns) as BackedUpColumn[];
const tableOf = (kept: Kept): BackedUpTable => ({ name: kept.name, columns: columnsOf(kept), personal: BACKED_UP_PERSONAL[kept.name] });
const firstOf = (key: string): unknown[] => (JSON.parse(key) as unknown[]).slice(0, 1);
