// A table to select from by one of its indexes, where SQLite would choose another.

import { getTableName, Subquery, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

export const indexedBy = (table: SQLiteTable, index: string): Subquery =>
	new Subquery(sql`select * from ${table} indexed by ${sql.identifier(index)}`, {}, getTableName(table));
