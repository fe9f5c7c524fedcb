// Drizzle, which here only builds statements: the database runs them. One builder serves all requests of an isolate, because it remembers
// the names of columns, which a builder for each request would compute again.

import { DrizzleD1Database, SQLiteD1Session } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

export type Orm = DrizzleD1Database;

const refuse = (): never => {
	throw new Error("a statement runs only through read or commit");
};

/**
 * A statement that is awaited by itself (`await orm.insert(…)`) would miss the deferred check of the caller, the guards and the
 * idempotency record, so it throws.
 */
const alone = { bind: () => alone, run: refuse, all: refuse, raw: refuse, first: refuse };
const client = { prepare: () => alone, batch: refuse } as unknown as D1Database;

export const dialect = new SQLiteAsyncDialect({ casing: "snake_case" });

export const orm: Orm = new DrizzleD1Database("async", dialect, new SQLiteD1Session(client, dialect, undefined) as never, undefined);
