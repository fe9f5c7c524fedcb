// Statements in the form that D1 takes, and the conversion of D1's answers into rows.

import { is, SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { PreparedQuery } from "drizzle-orm/session";
import { dialect } from "./orm";

/** A statement of Drizzle. */
export type Statement = BatchItem<"sqlite">;

export type Built = {
	readonly sql: string;
	readonly params: readonly unknown[];
	readonly mapResult: (result: D1Result) => unknown;
};

/** What a statement of Drizzle is: a builder, or one of plain SQL, which needs no preparation. */
type Preparable = { prepare(): PreparedQuery } | PreparedQuery;

/**
 * SQLite plans by the value of a LIMIT that is a parameter, and so compiles the statement again at each use, which takes ten times as long as
 * running it. It does not look into an expression.
 */
const plannedOnce = (text: string): string => text.replaceAll(/\blimit \?/gi, "limit +?");

/** The text of plain SQL, and what its parameters are. */
export function queryOf(step: SQL): Pick<Built, "sql" | "params"> {
	const { sql, params } = dialect.sqlToQuery(step);
	return { sql: plannedOnce(sql), params };
}

export function build(step: Statement | SQL): Built {
	if (is(step, SQL)) return { ...queryOf(step), mapResult: (result) => result };
	const statement = step as unknown as Preparable;
	const prepared = "prepare" in statement ? statement.prepare() : statement;
	const { sql, params } = prepared.getQuery();
	return { sql: plannedOnce(sql), params, mapResult: (result) => prepared.mapResult(result, true) };
}
