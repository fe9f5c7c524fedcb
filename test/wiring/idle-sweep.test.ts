// What a sweep costs in each database when nothing is due.

import { expect, it } from "vitest";
import { sweep } from "../../src/wiring/cron";
import { givenLoan, pay } from "../support/credit";
import { runDueWork } from "../support/loans";

/** The trips of a sweep, in each database. */
async function tripsOfSweep(): Promise<number[]> {
	const trips: number[] = [];
	await runDueWork(async (services) => {
		const { meter } = services.db;
		const before = meter.trips;
		await sweep(services);
		trips.push(meter.trips - before);
	});
	return trips;
}

it("asks for all kinds of work in one trip, and takes two more to verify the audit trail again", async () => {
	for (const trips of await tripsOfSweep()) expect(trips).toBe(1);
	await pay(await givenLoan(), 100);
	// An event that has just happened is due, and then nothing is.
	await tripsOfSweep();
	for (const trips of await tripsOfSweep()) expect(trips).toBeLessThanOrEqual(3);
});
