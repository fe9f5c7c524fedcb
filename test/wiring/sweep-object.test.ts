// The object that sweeps a database each minute, by its own alarm and by the cron.

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../src/shared/time";
import { cron } from "../support/cron";
import { evict, inObject, runAlarm } from "../support/durable-objects";

const sweeps = env.SWEEPS as NonNullable<Env["SWEEPS"]>;
let object: ReturnType<typeof sweeps.getByName>;
let tests = 0;
beforeEach(() => {
	// The objects of other tests may live on.
	object = sweeps.getByName(`sweep ${++tests}`);
});
afterEach(() => inObject(object, ({ storage }) => storage.deleteAll()));

/** Something that the next sweep removes. */
const giveWork = () =>
	env.DB.prepare("insert or ignore into idempotency_records (scope, fingerprint, status, expires_at) values ('s', 'f', 200, 1)").run();
const isWorkLeft = async () => ((await env.DB.prepare("select count(*) as n from idempotency_records").first<number>("n")) ?? 0) > 0;
const nextAlarm = () => inObject(object, ({ storage }) => storage.getAlarm());

it("the first poke sweeps the database and sets the alarm of the next minute", async () => {
	await giveWork();
	const before = Date.now();
	await object.poke("DB");
	expect(await isWorkLeft()).toBe(false);
	const at = (await nextAlarm()) ?? 0;
	expect(at).toBeGreaterThanOrEqual(before + MINUTE_MS);
	expect(at).toBeLessThanOrEqual(Date.now() + MINUTE_MS);
});

it("without the cron each alarm sweeps, and sets the next one", async () => {
	await object.poke("DB");
	for (let minute = 0; minute < 3; minute++) {
		await giveWork();
		expect(await runAlarm(object)).toBe(true);
		expect([await isWorkLeft(), (await nextAlarm()) !== null]).toEqual([false, true]);
	}
});

it("an object that is killed continues by its alarm, and by the next poke", async () => {
	await object.poke("DB");
	for (const wake of [() => runAlarm(object), () => object.poke("DB")]) {
		await giveWork();
		await evict(object);
		await wake();
		expect([await isWorkLeft(), (await nextAlarm()) !== null]).toEqual([false, true]);
	}
});

it("a poke that comes soon after a sweep adds none, and a later one does although the alarm did not come", async () => {
	await object.poke("DB");
	await giveWork();
	await object.poke("DB");
	expect(await isWorkLeft()).toBe(true);
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MINUTE_MS });
	await inObject(object, ({ storage }) => storage.deleteAlarm());
	await object.poke("DB");
	expect([await isWorkLeft(), (await nextAlarm()) !== null]).toEqual([false, true]);
});

it("pokes that come together are one sweep", async () => {
	await object.poke("DB");
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MINUTE_MS });
	// Each sweep logs the one step that fails.
	await env.DB.exec("drop table otp_challenges");
	const logged = vi.spyOn(console, "error").mockImplementation(() => {});
	await Promise.all([object.poke("DB"), object.poke("DB"), object.poke("DB")]);
	expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)).step)).toEqual(["otp.purge"]);
});

it("the object of a database that is bound no longer forgets everything", async () => {
	await object.poke("SHARD_63");
	expect(await nextAlarm()).toBeNull();
});

it("is what the cron pokes, made in the region of its database", async () => {
	await giveWork();
	const made: unknown[][] = [];
	const getByName = (...named: unknown[]) => {
		made.push(named);
		return object;
	};
	await cron({ ...env, PLACES: JSON.stringify([{ binding: "DB", region: "weur" }]) }, { getByName });
	expect(await isWorkLeft()).toBe(false);
	expect(made).toContainEqual(["DB", { locationHint: "weur" }]);
});
