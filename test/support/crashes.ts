// A process that dies in the middle of its work.

import { env } from "cloudflare:workers";
import { SECOND } from "./two-homes";

/** The two databases, which fail at one round trip and at all that follow: the process has died. */
export function dyingAt(trip: number, when: "before" | "after") {
	let trips = 0;
	const dying = (database: D1Database): D1Database =>
		({
			prepare: (query: string) => database.prepare(query),
			withSession(constraint?: string) {
				const session = database.withSession(constraint);
				return {
					prepare: (query: string) => session.prepare(query),
					getBookmark: () => session.getBookmark(),
					async batch(statements: D1PreparedStatement[]) {
						trips++;
						if (trips > trip || (trips === trip && when === "before")) throw new Error("the process has died");
						const results = await session.batch(statements);
						if (trips === trip) throw new Error("the process has died");
						return results;
					},
				};
			},
		}) as unknown as D1Database;
	const bindings = { DB: env.DB, ...SECOND } as unknown as Record<string, D1Database>;
	return {
		vars: Object.fromEntries(Object.entries(bindings).map(([name, database]) => [name, dying(database)])),
		died: () => trips >= trip,
	};
}
