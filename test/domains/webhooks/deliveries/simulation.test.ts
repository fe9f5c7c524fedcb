// A short run; `npm run simulate:webhooks` adds five long ones (`SIMULATE`: how many), from other seeds each time. `SIMULATION_SEED` repeats
// a long one.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { describe, it } from "vitest";
import { allowErrors } from "../../../support/log";
import { Simulation } from "../../../support/simulation";

const seed = Number(env.SIMULATION_SEED || 0);
const runs = Number(env.SIMULATE || 0);
const drawn = Array.from({ length: runs }, () => Math.floor(Math.random() * 2 ** 31));
const longer = seed > 0 ? [seed] : drawn;

describe("a week of webhooks", () => {
	it.each([1])("loses and repeats nothing, and obeys every change: a short run from seed %i", { timeout: 180_000 }, async (short) => {
		allowErrors("deliveries could not be archived");
		await new Simulation({ seed: short, endpoints: 12, days: 7, events: 20 }).run();
	});

	it.each(longer)(
		"loses and repeats nothing, and obeys every change: a hundred endpoints, seed %i",
		{ timeout: 1_800_000 },
		async (drawnSeed) => {
			await new Simulation({ seed: drawnSeed, endpoints: 100, days: 7, events: 120 }).run();
		},
	);
});
