// How SQLite finds the rows of a statement. Plans depend on tables and indexes alone, which all databases share.

import { env } from "cloudflare:workers";
import type { Query } from "drizzle-orm";
import { type Read, statementsOf } from "../../src/db/reads";
import type { Step } from "./plan-faults";

/** Methods of Drizzle's statements that their common type does not declare: builders have `toSQL`, raw statements `getQuery`. */
type Readable = { toSQL(): Pick<Query, "sql" | "params"> } | { getQuery(): Query };

/** The steps of the query's plan. */
export async function stepsOf(query: string, ...params: readonly unknown[]): Promise<Step[]> {
	const { results } = await env.DB.prepare(`explain query plan ${query}`)
		.bind(...params)
		.all<Step>();
	return results;
}

/** The steps of the query's plan, in SQLite's words. */
export const planOf = async (query: string, ...params: readonly unknown[]): Promise<string[]> =>
	(await stepsOf(query, ...params)).map(({ detail }) => detail);

/** The steps of the plans of statements or named reads, one after the other. */
export async function plansOf(...reads: readonly Read[]): Promise<string[]> {
	const plans = statementsOf(reads).map((statement) => {
		const readable = statement as unknown as Readable;
		const { sql, params } = "toSQL" in readable ? readable.toSQL() : readable.getQuery();
		return planOf(sql, ...params);
	});
	return (await Promise.all(plans)).flat();
}
