// What the health check answers, and that it needs no credentials.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { schemaVersion } from "../../src/db/schema-version.table";
import { SCHEMA_VERSIONS } from "../../src/db/schema-versions";
import { SERVICE_VERSION } from "../../src/runtime/version";
import { forgetAll } from "../../src/shared/cache";
import { isOlderSchema, OWN_MIGRATION, SCHEMA_HASH } from "../../src/wiring/health.operations";
import { moveClock } from "../support/clock";
import { databases, everyDatabase } from "../support/databases";
import { db } from "../support/factories";
import { servePath } from "../support/serve";
import { meteredBindings } from "../support/statements";

const health = async () => {
	const response = await servePath("/healthz");
	return [response.status, await response.json()];
};
const UNAVAILABLE = [503, expect.objectContaining({ code: "SERVICE_UNAVAILABLE" })];

describe("/healthz", () => {
	const logged = vi.fn();
	beforeEach(() => {
		logged.mockClear();
		vi.spyOn(console, "error").mockImplementation(logged);
	});
	const told = (what: RegExp) => logged.mock.calls.filter(([line]) => what.test(String(line))).length;
	const OLDER = /the database is older .* apply the migrations/;
	const OTHER = /the schema of another version .*npm run reset/;
	const remedies = () => told(OLDER) + told(OTHER);

	it("is ok while the database has the schema of this version", async () => {
		expect(await db.select().from(schemaVersion)).toContainEqual({ id: OWN_MIGRATION, hash: SCHEMA_HASH });
		const said = {
			now: expect.any(String),
			version: SERVICE_VERSION,
			schema: SCHEMA_HASH.slice(0, 12),
			oldest_overdue_seconds: 0,
			storage_percent: 0,
		};
		expect(await health()).toEqual([200, { status: "ok", release: null, ...said }]);
		const deployed = await servePath("/healthz", {}, { RELEASE: "0.1.0+0123456789.20261122T123456Z" });
		expect(await deployed.json()).toMatchObject({ release: "0.1.0+0123456789.20261122T123456Z" });
		expect(remedies()).toBe(0);
	});

	it("is ok after later migrations, as when the service is rolled back", async () => {
		for (const later of [1, 2])
			await everyDatabase.exec(`insert into schema_version (id, hash) values (${OWN_MIGRATION + later}, '${"f".repeat(64)}')`);
		expect(await health()).toEqual([200, expect.objectContaining({ schema: SCHEMA_HASH.slice(0, 12) })]);
		expect(remedies()).toBe(0);
	});

	it("reports the service's clock, also between two checks", async () => {
		const clock = async () => Date.parse((await servePath("/healthz").then((response) => response.json<{ now: string }>())).now);
		const before = await clock();
		await moveClock(86_400_000);
		expect((await clock()) - before).toBeGreaterThanOrEqual(86_400_000);
	});

	it("is 503 and logs the remedy when the database has the schema of another version", async () => {
		await everyDatabase.exec(`update schema_version set hash = '${"0".repeat(64)}'`);
		expect(await health()).toEqual(UNAVAILABLE);
		expect(told(OTHER)).toBe(databases.length);
		expect(remedies()).toBe(databases.length);
	});

	it("knows a database that lacks its last migrations from one of another version", () => {
		const [first = "", ...later] = Object.values(SCHEMA_VERSIONS);
		expect(isOlderSchema(null)).toBe(true);
		expect([first, ...later].map(isOlderSchema)).toEqual([...later.map(() => true), false]);
		expect(isOlderSchema("0".repeat(64))).toBe(false);
		expect(OWN_MIGRATION).toBe(Object.keys(SCHEMA_VERSIONS).length - 1);
	});

	it("is 503 and logs the remedy when the database has no version, or lacks a table", async () => {
		await everyDatabase.exec("drop table schema_version");
		expect(await health()).toEqual(UNAVAILABLE);
		forgetAll();
		await everyDatabase.exec("drop table webhook_deliveries");
		expect(await health()).toEqual(UNAVAILABLE);
		expect(told(OLDER)).toBe(2 * databases.length);
	});

	it("asks D1 once in five seconds, however often it is called", async () => {
		const { vars, meter } = meteredBindings();
		const get = async () => (await servePath("/healthz", {}, vars)).status;
		expect(await get()).toBe(200);
		const { trips } = meter;
		for (let i = 0; i < 20; i++) expect(await get()).toBe(200);
		expect(meter.trips).toBe(trips);
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_000 });
		expect(await get()).toBe(200);
		vi.useRealTimers();
		expect(meter.trips).toBe(trips + databases.length);
	});

	it("is 503 without a remedy when D1 does not answer", async () => {
		const down = {
			...env.DB,
			withSession: () => ({
				...env.DB.withSession(),
				prepare: (sql: string) => everyDatabase.prepare(sql),
				batch: () => Promise.reject(new Error("D1_ERROR: down")),
				getBookmark: () => null,
			}),
		};
		const response = await servePath("/healthz", {}, { DB: Object.assign(Object.create(env.DB), down) });
		expect(response.status).toBe(503);
		expect(remedies()).toBe(0);
	});
});
