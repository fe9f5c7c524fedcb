// Removes rows that are past their time, portion by portion, so that no single statement holds the database for long.

import { lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Orm, Statement } from "./database";

/** Rows removed by one statement. */
const PORTION = 1_000;

/** The statements that remove the oldest `limit` rows of a kind; the last of them removes the rows that are counted. */
export type Expired = (limit: number) => readonly Statement[];

export type Age = { key: readonly [SQLiteColumn, ...SQLiteColumn[]]; by: SQLiteColumn; before: number | string; only?: SQL };

/** The keys of the oldest rows. `by` needs an index that starts with it. */
export const oldest = (table: SQLiteTable, { key, by, before, only }: Age, limit: number): SQL =>
	sql`(select ${sql.join([...key], sql`, `)} from ${table} where ${lte(by, before)}${only && sql` and ${only}`} order by ${by} limit ${limit})`;

/** The rows of a table that are from `before` or earlier, by the column `by`. */
export const expired =
	(orm: Orm, table: SQLiteTable, age: Age): Expired =>
	(limit) => [orm.delete(table).where(sql`(${sql.join([...age.key], sql`, `)}) in ${oldest(table, age, limit)}`)];

/** Removes a portion of each of these kinds. Returns whether more may be left. */
export async function purge(db: Database, kinds: readonly Expired[]): Promise<boolean> {
	let more = false;
	for (const kind of kinds) {
		const results = await db.commit(kind(PORTION));
		const last = results.at(-1) as D1Result | undefined;
		more ||= (last?.meta.changes ?? 0) >= PORTION;
	}
	return more;
}
