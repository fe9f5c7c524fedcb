// The sweep of several databases. The second one of the tests is bound as SHARD_0 here.

import { applyD1Migrations, createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Place, Places } from "../../src/db/places";
import { logger } from "../../src/runtime/log";
import { sweepAll, sweepHere } from "../../src/wiring/cron";
import { Sweeper } from "../../src/wiring/sweeper";
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

/** The entry point as the platform runs it, with bindings that the test chooses. */
const sweeperOf = (bindings: Env): Sweeper => new Sweeper(createExecutionContext(), bindings);

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
	it("calls the Worker once for each database, and works in that database", async () => {
		await givenExpired(2_500);
		const called: (readonly string[])[] = [];
		const sweep: Sweeper["sweep"] = async (names, starting) => {
			called.push(names);
			await sweeperOf(two).sweep(names, starting);
		};
		await cron(two, { Sweeper: { sweep } });
		expect(called).toEqual([["DB"], ["SHARD_0"]]);
		expect(await left()).toEqual([0, 0]);
	});

	it("is reached through the Worker's own entry point", async () => {
		await givenExpired(1_500);
		await exports.Sweeper.sweep(["DB", "SHARD_7"], false);
		expect(await left()).toEqual([0, 1_500]);
	});

	it("sweeps the databases in sequence where the Worker cannot call itself", async () => {
		await givenExpired(2_500);
		await cron(two);
		expect(await left()).toEqual([0, 0]);
	});

	it("sweeps a database in the cron's own invocation when the one for the database fails", async () => {
		await givenExpired(10);
		const sweep = (names: readonly string[]) =>
			names.includes("DB") ? sweeperOf(two).sweep(names, false) : Promise.reject(new Error("too many invocations"));
		const errors = await errorsOf(() => cron(two, { Sweeper: { sweep } }));
		expect(errors).toMatchObject([{ message: "an invocation of the sweep failed", databases: "SHARD_0" }]);
		expect(await left()).toEqual([0, 0]);
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
		const errors = await errorsOf(() => sweepHere(places, { servicesIn, log, starting: false }));
		expect(errors).toMatchObject([{ message: "a database could not be swept", database: "DB" }]);
		expect(await left()).toEqual([10, 0]);
	});

	it("does not wait for a slow database before it begins with the others", async () => {
		const slow = Promise.withResolvers<void>();
		const begun: string[] = [];
		const ended = sweepAll(new Places(two).all, {
			async elsewhere([name = ""]) {
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

	it("shares at most 30 invocations among 64 databases, each swept once", async () => {
		const many = Array.from({ length: 63 }, (_, index) => [`SHARD_${index}`, env.SECOND_DB]);
		const places = new Places({ ...env, ...Object.fromEntries(many) }).all;
		const calls: (readonly string[])[] = [];
		await sweepAll(places, { elsewhere: async (names) => void calls.push(names), here: async () => {}, log });
		expect(calls).toHaveLength(30);
		expect(Math.max(...calls.map((names) => names.length))).toBe(3);
		expect(calls.flat().toSorted()).toEqual(places.map(({ name }) => name).toSorted());
	});

	it("may run twice at the same time", async () => {
		await givenExpired(2_500);
		expect(await errorsOf(() => Promise.all([cron(two), cron(two), sweeperOf(two).sweep(["SHARD_0"], true)]))).toEqual([]);
		expect(await left()).toEqual([0, 0]);
	});
});

describe("one database", () => {
	it("is swept in the cron's own invocation", async () => {
		await givenExpired(2_500);
		await cron(env, { Sweeper: { sweep: () => Promise.reject(new Error("not expected")) } });
		expect(await left()).toEqual([0, 2_500]);
	});
});
