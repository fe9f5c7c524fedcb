// Simulates a process that dies in the middle of its work.

import { withBatches, wrapped } from "./databases";
import { SECOND } from "./two-homes";

/** Bindings of all databases that fail from the given round trip on, before or after it has taken effect, as if the process had died. */
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
	const second = Object.entries(SECOND).map(([name, database]) => [name, dying(database as unknown as D1Database)]);
	return {
		vars: { ...Object.fromEntries(second), ...wrapped(dying) } as Partial<Env>,
		died: () => trips >= trip,
	};
}

export type Death = ReturnType<typeof dyingAt>;

/** Plays the story with a death at its first trip, then with one at its second, until none comes any more. Returns how many have. */
export async function dyingAtEach(when: "before" | "after", play: (death: Death) => Promise<unknown>): Promise<number> {
	for (let trip = 1; ; trip++) {
		const death = dyingAt(trip, when);
		await play(death);
		if (!death.died()) return trip - 1;
	}
}
