// The test database, with a count of the batches that requests send to it.

import { env } from "cloudflare:workers";

export function countingDb(): { DB: D1Database; batches: () => number } {
	let batches = 0;
	const counting = {
		prepare: (query: string) => env.DB.prepare(query),
		withSession(constraint?: string) {
			const session = env.DB.withSession(constraint);
			return {
				prepare: (query: string) => session.prepare(query),
				batch: (statements: D1PreparedStatement[]) => {
					batches++;
					return session.batch(statements);
				},
				getBookmark: () => session.getBookmark(),
			};
		},
	};
	return { DB: counting as unknown as D1Database, batches: () => batches };
}
