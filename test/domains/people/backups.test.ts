// Files of a backup: nobody can read in them who was erased, and all others can still be restored.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { BACKED_UP_PERSONAL } from "../../../src/domains/people/backed-up.store";
import { eraseUser, getErasure } from "../../../src/domains/people/erasure.operations";
import { workOnErasures } from "../../../src/domains/people/job";
import { PLACES } from "../../../src/domains/people/places.store";
import { MINUTE_MS } from "../../../src/shared/time";
import { backedUp, chain, emptyBucket, type File, readBytes, replayed, unzipped } from "../../support/backups";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { runDueWork } from "../../support/loans";
import { givenLifeOfEvents, MAIL, NUMBER, PLANTED } from "./life";
import { textOf } from "./searching";

beforeEach(emptyBucket);

const BACKUP = env.BUCKET;

const work = (bucket: R2Bucket = BACKUP) =>
	runDueWork(
		async (services) => {
			while (await workOnErasures(services));
		},
		{ BACKUP: bucket },
	);

const stateOf = async (userId: string) => expectOk(await call(getErasure, { as: await operatorToken(), path: { userId } })).status;

async function erased(userId: string): Promise<void> {
	expectOk(await call(eraseUser, { as: await operatorToken(), path: { userId } }));
	await moveClock(MINUTE_MS);
}

/** Which of the texts can be read, with everything in the bucket and MASTER_KEY. */
async function readable(texts: readonly string[]): Promise<string[]> {
	const said: string[] = [];
	for (const { key } of (await env.BUCKET.list()).objects) said.push((await unzipped(await readBytes(key))).toLowerCase());
	const files = await chain();
	for (let last = 1; last <= files.length; last++) said.push(...(await opened(files.slice(0, last))));
	return texts.filter((text) => said.some((one) => one.includes(text.toLowerCase())));
}

/** What a restore of the files would make, sealed texts opened. */
const opened = async (files: readonly File[]): Promise<string[]> =>
	Promise.all(
		[...(await replayed(files)).values()].flatMap((rows) =>
			rows
				.values()
				.map((line) => textOf(Object.fromEntries((JSON.parse(line) as unknown[]).entries())))
				.toArray(),
		),
	);

/** Places of an erasure of which files have ids, digests and numbers of times alone. */
const IMPERSONAL = ["names", "sessions", "notification_preferences", "credit_profiles", "merchant_grants", "payee_quotas", "pushes"];

it("seals every place of an erasure that says more than ids", () => {
	const places = new Set(PLACES.map(({ table }) => getTableName(table)));
	expect([...places.difference(new Set(Object.keys(BACKED_UP_PERSONAL)))].sort()).toEqual(IMPERSONAL.sort());
});

it("has nothing of who was erased in any file, and all others", { timeout: 60_000 }, async () => {
	const { userId } = await givenLifeOfEvents();
	await backedUp();
	expect(await readable(PLANTED)).toEqual(PLANTED);
	const clear = (await chain())
		.flatMap(({ lines }) => lines)
		.join()
		.toLowerCase();
	expect(PLANTED.filter((text) => clear.includes(text))).toEqual([]);
	// What has ended before is no longer in the database, but in files.
	await env.DB.prepare("delete from messages").run();
	await env.DB.prepare("delete from otp_challenges").run();
	await backedUp();
	await erased(userId);
	await work();
	await work();
	expect(await stateOf(userId)).toBe("DONE");
	expect(await readable(PLANTED)).toEqual([]);
	await backedUp();
	expect(await readable([...PLANTED, "733444555"])).toEqual(["733444555"]);
});

it("is over only once the bucket has taken the key files without the person", async () => {
	const { id: organizationId } = await givenOrganization();
	const { id: userId } = await givenUser({ organizationId, mobileNumber: NUMBER, email: MAIL });
	await backedUp();
	await erased(userId);
	const wrong = vi.spyOn(console, "error").mockImplementation(() => {});
	await work({ put: async () => Promise.reject(new Error("locked")) } as unknown as R2Bucket);
	expect(wrong.mock.calls.join()).toContain("an erasure waits for the bucket of the backup");
	wrong.mockRestore();
	expect(await stateOf(userId)).toBe("RUNNING");
	expect(await readable(["711223344"])).toEqual(["711223344"]);
	await moveClock(10 * MINUTE_MS);
	await work();
	await work();
	expect(await stateOf(userId)).toBe("DONE");
	expect(await readable(["711223344", MAIL])).toEqual([]);
});

it("seals nothing of who was erased under new keys, when a file was begun before and ends afterwards", async () => {
	const { id: organizationId } = await givenOrganization();
	const { id: userId } = await givenUser({ organizationId, mobileNumber: NUMBER, email: MAIL });
	let isErased = false;
	await backedUp(async (name, bytes) => {
		if (!isErased) {
			isErased = true;
			await erased(userId);
			await work();
			await work();
		}
		await env.BUCKET.put(name, bytes);
	});
	await backedUp();
	expect(await stateOf(userId)).toBe("DONE");
	// What was written too late is written again.
	expect(await readable(["711223344", MAIL])).toEqual([]);
});
