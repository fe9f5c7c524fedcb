// The different values of a column, found by skipping from one to the next in an index.

import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { ALWAYS } from "./prebuilt";

/**
 * For a WITH clause: rows `${name}` with the column, the last of which is null. Reads one row of each value, if an index begins with the
 * column and holds just the rows that the condition selects.
 *
 * @param condition on the rows `t` of the table
 */
export function distinct(name: string, table: SQLiteTable, column: string, condition = ALWAYS): SQL {
	const [rows, value] = [sql.raw(name), sql.raw(column)];
	return sql`recursive ${rows}(${value}) as (
		select min(t.${value}) from ${table} t where ${condition}
		union all
		select (select min(t.${value}) from ${table} t where ${condition} and t.${value} > ${rows}.${value})
		from ${rows} where ${rows}.${value} is not null)`;
}
