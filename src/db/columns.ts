// Columns inside SQL templates, named by their tables, so that a renamed column does not compile. In a template `${table.column}` is
// `"table"."column"`. A table under another name is `const account = alias(creditAccounts, "account")`, with `from ${creditAccounts} ${account}` and `${account.column}`.

import { type Column, getTableColumns, type SQL, type SQLChunk, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** The column's name alone: the target of an assignment, or of an insert. */
export const bare = (column: Column): SQLChunk => sql.identifier(toSnakeCase(column.name));

/** The names of columns alone, for the list of an insert. */
export const bareList = (...columns: readonly Column[]): SQL => sql.join(columns.map(bare), sql`, `);

type Value = SQL | string | number | boolean | null;

/** The assignments of an UPDATE, or of an upsert. The values go to D1 as they are: no column's own conversion applies. */
export const assign = <T extends SQLiteTable>(table: T, values: { readonly [C in keyof T["_"]["columns"]]?: Value }): SQL =>
	sql.join(
		Object.entries(values).map(([name, value]) => sql`${bare(getTableColumns(table)[name] as Column)} = ${value}`),
		sql`, `,
	);

/** The value that an upsert would have inserted. */
export const excluded = (column: Column): SQL => sql`excluded.${bare(column)}`;

/**
 * The expression with its columns' tables kept. Drizzle drops the tables in what a select from one table, or a RETURNING clause,
 * selects; a subquery in it would then mean its own columns.
 */
export const qualified = <T>(expression: SQL<T> | Column): SQL<T> => sql<T>`${sql`${expression}`}`;

/** However many values there are, it is one parameter. */
export const isOneOf = (column: Column, values: readonly string[]): SQL =>
	sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;
