// Removes rows that are past their time, portion by portion, so that no single statement holds the database for long.

import { lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Orm, Statement } from "./database";

/** Rows removed by one statement, of kinds that name no portion of their own. */
const PORTION = 1_000;

/**
 * The statements that remove the oldest `limit` rows of a kind; the last of them removes the rows that are counted. `any`: finds a row if there
 * are some to remove, so that a purge with nothing to do writes nothing. `portion`: fewer rows, where each of them costs more than its removal.
 */
export type Expired = ((limit: number) => readonly Statement[]) & { readonly any?: Statement; readonly portion?: number };

/** A kind of rows of which `any` finds one. */
export const unlessNone = (any: Statement, remove: (limit: number) => readonly Statement[], portion = PORTION): Expired =>
	Object.assign(remove, { any, portion });

export type Age = { key: readonly [SQLiteColumn, ...SQLiteColumn[]]; by: SQLiteColumn; before: number | string; only?: SQL | undefined };

/** The keys of the oldest rows. `by` needs an index that starts with it. */
export const oldest = (table: SQLiteTable, { key, by, before, only }: Age, limit: number): SQL =>
	sql`(select ${sql.join([...key], sql`, `)} from ${table} where ${isPast({ by, before, only })} order by ${by} limit ${limit})`;

const isPast = ({ by, before, only }: Pick<Age, "by" | "before" | "only">): SQL => sql`${lte(by, before)}${only && sql` and ${only}`}`;

/** The rows of a table that are from `before` or earlier, by the column `by`. */
export const expired = (orm: Orm, table: SQLiteTable, age: Age): Expired =>
	unlessNone(orm.all(sql`select 1 from ${table} where ${isPast(age)} order by ${age.by} limit 1`), (limit) => [
		orm.delete(table).where(sql`(${sql.join([...age.key], sql`, `)}) in ${oldest(table, age, limit)}`),
	]);

/** Removes a portion of each of these kinds. Returns whether more may be left. */
export async function purge(db: Database, kinds: readonly Expired[]): Promise<boolean> {
	return remove(db, await notEmpty(db, kinds));
}

/** The kinds of which there are rows to remove, found in one round trip. */
export const notEmpty = async (db: Database, kinds: readonly Expired[]): Promise<Expired[]> => ofFound(kinds, await db.read(asked(kinds)));

/** What is read to find these kinds. */
export const asked = (kinds: readonly Expired[]): (Statement | undefined)[] => kinds.map(({ any }) => any);

/** The kinds that such a read has found, and those that are not asked for. */
export const ofFound = (kinds: readonly Expired[], found: readonly unknown[]): Expired[] =>
	kinds.filter(({ any }, index) => any === undefined || (found[index] as readonly unknown[]).length > 0);

/** Removes a portion of each, without asking whether there is any. Returns whether more may be left. */
export async function remove(db: Database, kinds: readonly Expired[]): Promise<boolean> {
	let more = false;
	for (const kind of kinds) {
		const { portion = PORTION } = kind;
		const results = await db.commit(kind(portion));
		const last = results.at(-1) as D1Result | undefined;
		more ||= (last?.meta.changes ?? 0) >= portion;
	}
	return more;
}
