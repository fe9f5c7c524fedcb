// UNIQUE indexes and primary keys, named by their Drizzle columns instead of by the text of SQLite's messages.

import { getTableName } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { UniqueViolation } from "./database";

/** All columns of one UNIQUE index or primary key, in its order. */
export type UniqueColumns = readonly [SQLiteColumn, ...SQLiteColumn[]];

/** Whether the error is the refusal of this index. Throws when the table has no such index. */
export const violates = (error: unknown, columns: UniqueColumns): error is UniqueViolation =>
	indexNamed(columns) === (error instanceof UniqueViolation ? error.columns : undefined);

/** The index as SQLite's messages name it (`table.a, table.b`). Throws when the table has no such index. */
export function indexNamed(columns: UniqueColumns): string {
	const name = sqliteName(columns);
	if (!indexesOf(columns[0].table as SQLiteTable).has(name)) throw new Error(`no UNIQUE index or primary key is on ${name}`);
	return name;
}

const sqliteName = (columns: readonly SQLiteColumn[]): string =>
	columns.map(({ name, table }) => `${getTableName(table)}.${toSnakeCase(name)}`).join(", ");

const known = new WeakMap<SQLiteTable, ReadonlySet<string>>();

function indexesOf(table: SQLiteTable): ReadonlySet<string> {
	const found = known.get(table);
	if (found) return found;
	const { columns, indexes, primaryKeys, uniqueConstraints } = getTableConfig(table);
	const named = new Set([
		...columns.filter(({ primary, isUnique }) => primary || isUnique).map((column) => sqliteName([column])),
		...[...primaryKeys, ...uniqueConstraints].map((key) => sqliteName(key.columns)),
		...indexes.filter(({ config }) => config.unique).map(({ config }) => sqliteName(config.columns as SQLiteColumn[])),
	]);
	known.set(table, named);
	return named;
}
