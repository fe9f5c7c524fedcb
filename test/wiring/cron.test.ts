// The sweep of several databases. The second one of the tests is bound as SHARD_0 here.

import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Place, Places } from "../../src/db/places";
import { logger } from "../../src/runtime/log";
import { sweepAll, sweepHere } from "../../src/wiring/cron";
import { cron } from "../support/cron";
import { servicesFor } from "../support/outbound";

const two = { ...env, SHARD_0: env.SECOND_DB, SHARD_1: undefined } as unknown as Env;
const databases = [env.DB, env.SECOND_DB];
const log = logger({});

beforeEach(async () => {
	await applyD1Migrations(env.SECOND_DB, env.TEST_MIGRATIONS);
});

/** Rows that the sweep removes, in each database. */
async function givenExpired(rows: number): Promise<void> {
	for (const database of databases)
		await database
			.prepare(
				`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
				insert into idempotency_records (scope, fingerprint, status, expires_at) select 'scope ' || n, 'f', 200, n from numbers`,
			)
			.bind(rows)
			.run();
}

/** The expired rows of each database that are left; undefined where they cannot be read. */
const left = () =>
	Promise.all(databases.map((database) => database.prepare("select count(*) as n from idempotency_records").first<number>("n")));

/** Objects that do this for the database of a name. */
const objectsThat = (poke: (name: string) => Promise<void>) => ({ getByName: (name: string) => ({ poke: () => poke(name) }) });

/** What was logged as an error while this ran. */
async function errorsOf(work: () => Promise<unknown>): Promise<{ [name: string]: unknown }[]> {
	const spy = vi.spyOn(console, "error").mockImplementation(() => {});
	try {
		await work();
		return spy.mock.calls.map(([line]) => JSON.parse(String(line)));
	} finally {
		spy.mockRestore();
	}
}

describe("the sweep of several databases", () => {
	it("pokes the object of each database once, and does nothing itself", async () => {
		await givenExpired(10);
		const poked: string[] = [];
		await cron(
			two,
			objectsThat(async (name) => void poked.push(name)),
		);
		expect(poked).toEqual(["DB", "SHARD_0"]);
		expect(await left()).toEqual([10, 10]);
	});

	it("sweeps the databases in sequence where there are no objects", async () => {
		await givenExpired(2_500);
		await cron(two);
		expect(await left()).toEqual([0, 0]);
	});

	it("sweeps a database in the cron's own invocation when the object of the database fails", async () => {
		await givenExpired(10);
		const broken = objectsThat(async (name) => {
			if (name === "SHARD_0") throw new Error("overloaded");
		});
		const errors = await errorsOf(() => cron(two, broken));
		expect(errors).toMatchObject([{ message: "the object of a sweep failed", database: "SHARD_0" }]);
		expect(await left()).toEqual([10, 0]);
	});

	it.each(["DB", "SHARD_0"])("sweeps the other database when a step fails in %s", async (broken) => {
		await givenExpired(10);
		await two[broken as "DB"].exec("drop table otp_challenges");
		const errors = await errorsOf(() => cron(two));
		expect(errors).toMatchObject([{ message: "a step of due work failed", step: "otp.purge" }]);
		expect(await left()).toEqual([0, 0]);
	});

	it("sweeps the other databases when one cannot be opened", async () => {
		await givenExpired(10);
		const places = new Places(two).all;
		const servicesIn = (place: Place) =>
			place.name === "DB" ? Promise.reject(new Error("out of reach")) : servicesFor({ env: two, ctx: { waitUntil() {} }, place });
		const errors = await errorsOf(() => sweepHere(places, { servicesIn, log }));
		expect(errors).toMatchObject([{ message: "a database could not be swept", database: "DB" }]);
		expect(await left()).toEqual([10, 0]);
	});

	it("does not wait for a slow database before it begins with the others", async () => {
		const slow = Promise.withResolvers<void>();
		const begun: string[] = [];
		const ended = sweepAll(new Places(two).all, {
			async poke({ name }) {
				begun.push(name);
				if (name === "DB") await slow.promise;
			},
			here: () => Promise.reject(new Error("not expected")),
			log,
		});
		expect(begun).toEqual(["DB", "SHARD_0"]);
		slow.resolve();
		await ended;
	});

	it("may run twice at the same time", async () => {
		await givenExpired(2_500);
		expect(await errorsOf(() => Promise.all([cron(two), cron(two), cron(two)]))).toEqual([]);
		expect(await left()).toEqual([0, 0]);
	});
});
