// Columns inside SQL templates, named by their tables, so that a renamed column does not compile. In a template `${table.column}` is
// `"table"."column"`. A table under another name is `const a = alias(table, "a")`, with `from ${table} ${a}` and `${a.column}`.

import { type Column, type SQL, type SQLChunk, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";

/** The column's name alone: the target of an assignment, or of an insert. */
export const bare = (column: Column): SQLChunk => sql.identifier(toSnakeCase(column.name));

/** The names of columns alone, for the list of an insert. */
export const bareList = (...columns: readonly Column[]): SQL => sql.join(columns.map(bare), sql`, `);

/** The value that an upsert would have inserted. */
export const excluded = (column: Column): SQL => sql`excluded.${bare(column)}`;

/**
 * The expression with its columns' tables kept. Drizzle drops the tables in what a select from one table, or a RETURNING clause,
 * selects; a subquery in it would then mean its own columns.
 */
export const qualified = <T>(expression: SQL<T>): SQL<T> => sql<T>`${expression}`;
