// The different values of a column, found by skipping from one to the next in an index.

import { type Column, type SQL, sql } from "drizzle-orm";
import { bare } from "./columns";
import { ALWAYS } from "./prebuilt";

/**
 * For a WITH clause: rows `${name}` with the column, the last of which is null. Reads one row of each value, if an index begins with the
 * column and holds just the rows that the condition selects.
 *
 * @param condition on the rows of the column's table
 */
export function distinct(name: string, column: Column, condition = ALWAYS): SQL {
	const [rows, value, { table }] = [sql.raw(name), bare(column), column];
	return sql`recursive ${rows}(${value}) as (
		select min(${column}) from ${table} where ${condition}
		union all
		select (select min(${column}) from ${table} where ${condition} and ${column} > ${rows}.${value})
		from ${rows} where ${rows}.${value} is not null)`;
}
