// Drizzle over D1. The dialect is shared by all requests of an isolate, because it remembers what the columns of tables are called:
// made again for each request, it would work the names out again.

import { DrizzleD1Database, SQLiteD1Session } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

export type Orm = DrizzleD1Database;
/** What Drizzle uses of a D1 database. */
export type Client = { prepare(sql: string): unknown; batch?(statements: never[]): Promise<unknown> };

const dialect = new SQLiteAsyncDialect({ casing: "snake_case" });

export const ormOver = (client: Client): Orm =>
	new DrizzleD1Database("async", dialect, new SQLiteD1Session(client as unknown as D1Database, dialect, undefined), undefined);
