// A sweep's backup that another sweep overtakes, between any two of its round trips, changes nothing more.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { unlessStale } from "../../src/db/stale";
import { DAY_MS } from "../../src/shared/time";
import { backUp } from "../../src/wiring/backup";
import { backedUp, chain, emptyBucket, migrated } from "../support/backups";
import { givenLoan } from "../support/credit";
import { givenUser } from "../support/factories";
import { beforeTrip, runDueWork } from "../support/loans";

beforeEach(emptyBucket);

const TABLES = ["backup_heads", "backup_tables", "backup_keys", "changed_rows"];

/** What a backup keeps in the database, and the triggers by which it learns of changes. Files of keys are written ahead. */
async function kept(): Promise<unknown[]> {
	const rows = await env.DB.batch([
		...TABLES.map((table) => env.DB.prepare(`select * from ${table}`)),
		env.DB.prepare("select name from sqlite_schema where type = 'trigger' and name like 'backup%'"),
	]);
	return rows.map(({ results }) => results);
}

/**
 * One step of a sweep, before whose nth round trip another sweep begins a file. Returns what was kept then, and what was kept afterwards;
 * undefined for a step of fewer round trips.
 */
async function overtakenBefore(nth: number, aheadMs: number): Promise<{ then: unknown[]; afterwards: unknown[] } | undefined> {
	let then: unknown[] | undefined;
	const overtaking = beforeTrip(nth, async () => {
		await env.DB.prepare("update backup_heads set generation = generation + 1").run();
		then = await kept();
	});
	const step = { ...overtaking, BACKUP: env.BUCKET };
	await runDueWork((services) => unlessStale(() => backUp({ ...services, realNow: services.realNow + aheadMs })), step);
	return then && { then, afterwards: await kept() };
}

it.each([
	{ that: "writes what has changed, of a person for whom it has no key", arrange: () => givenUser(), aheadMs: 0, trips: 4 },
	{ that: "begins to copy all rows again, after a week", arrange: async () => {}, aheadMs: 8 * DAY_MS, trips: 2 },
	{ that: "looks for tables after a migration", arrange: () => migrated("users"), aheadMs: 0, trips: 4 },
])("a sweep that $that changes nothing once another has begun a file", async ({ arrange, aheadMs, trips }) => {
	await givenLoan();
	await backedUp();
	await arrange();
	// Its first round trip reads how far the backup is.
	let nth = 2;
	for (; ; nth++) {
		const found = await overtakenBefore(nth, aheadMs);
		if (!found) break;
		expect([nth, found.afterwards]).toEqual([nth, found.then]);
	}
	expect(nth).toBeGreaterThan(trips);
	await backedUp(undefined, aheadMs);
	expect((await chain()).at(-1)?.opening.whole).toBe(true);
});
