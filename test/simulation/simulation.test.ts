// Random histories of accounts in two databases. A failure prints the seed of its history, and how to run it again.

import { describe, expect, it } from "vitest";
import { BROKEN_DESIGNS } from "./designs";
import { live } from "./history";

const RUNS = Number(process.env.SIMULATION_RUNS ?? 5);
const SEED = Number(process.env.SIMULATION_SEED ?? 1);
/** A broken design must be caught within this many histories. */
const MOST_RUNS = 200;

describe("a random history of accounts in two databases", () => {
	it("loses no money, does nothing twice, leaves nothing stuck and pays exact interest", { timeout: 24 * 3_600_000 }, async () => {
		const totals = { transfers: 0, movements: 0, interest: 0, closures: 0 };
		for (let seed = SEED; seed < SEED + RUNS; seed++) {
			const { broken, statistics } = await live(seed);
			expect(broken, `npm run simulate -- --runs 1 --seed ${seed}`).toEqual([]);
			for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += statistics[name];
		}
		console.log(JSON.stringify({ runs: RUNS, seed: SEED, ...totals }));
	});

	it("is the same for the same seed", { tags: ["thorough"] }, async () => {
		expect(await live(SEED)).toEqual(await live(SEED));
	});
});

describe("a broken design", { tags: ["thorough"] }, () => {
	it.each(Object.entries(BROKEN_DESIGNS))("that %s is caught", { timeout: 600_000 }, async (_, design) => {
		let broken: readonly string[] = [];
		const { from } = design;
		for (let seed = from; seed < from + MOST_RUNS && broken.length === 0; seed++) broken = (await live(seed, design)).broken;
		expect(broken.join("\n")).toMatch(design.breaks);
	});
});
