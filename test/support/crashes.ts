// Simulates a process that dies in the middle of its work.

import { env } from "cloudflare:workers";
import { withBatches } from "./databases";
import { SECOND } from "./two-homes";

/** Bindings of the two databases that fail from the given round trip on, before or after it has taken effect, as if the process had died. */
export function dyingAt(trip: number, when: "before" | "after") {
	let trips = 0;
	const dying = (database: D1Database): D1Database =>
		withBatches(database, async (_, run) => {
			trips++;
			if (trips > trip || (trips === trip && when === "before")) throw new Error("the process has died");
			const results = await run();
			if (trips === trip) throw new Error("the process has died");
			return results;
		});
	const bindings = { DB: env.DB, ...SECOND } as unknown as Record<string, D1Database>;
	return {
		vars: Object.fromEntries(Object.entries(bindings).map(([name, database]) => [name, dying(database)])),
		died: () => trips >= trip,
	};
}
