// How D1 finds the rows of a statement.

import { env } from "cloudflare:workers";
import type { Query } from "drizzle-orm";

type Statement = { toSQL(): Pick<Query, "sql" | "params"> } | { getQuery(): Query };

/** The steps of the statements' query plans, in D1's words. */
export async function planOf(...statements: readonly Statement[]): Promise<string[]> {
	const steps: string[] = [];
	for (const statement of statements) {
		const query = "toSQL" in statement ? statement.toSQL() : statement.getQuery();
		const { results } = await env.DB.prepare(`explain query plan ${query.sql}`)
			.bind(...query.params)
			.all<{ detail: string }>();
		steps.push(...results.map(({ detail }) => detail));
	}
	return steps;
}
