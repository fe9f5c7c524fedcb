// Steps of work take turns within a budget.

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { inTurns, type Step } from "../../src/wiring/turns";
import { eventually } from "../support/eventually";
import { servicesFor } from "../support/outbound";

const services = () => servicesFor({ env, ctx: { waitUntil() {} } });

/** Does this many portions, and notes each. */
const counted = (name: string, portions: number, log: string[]): Step => ({
	name,
	async run() {
		log.push(name);
		return log.filter((other) => other === name).length < portions;
	},
});

describe("work in turns", () => {
	it("gives each step one portion in turn until none has more", async () => {
		const log: string[] = [];
		await inTurns([counted("a", 3, log), counted("b", 1, log), counted("c", 2, log)], await services(), { ms: 5_000, trips: 100 });
		expect(log.join("")).toBe("abcaca");
	});

	it("gives each step its first portion even when the budget is used up", async () => {
		const log: string[] = [];
		const endless = (name: string) => counted(name, Number.POSITIVE_INFINITY, log);
		await inTurns([endless("a"), endless("b"), endless("c")], await services(), { ms: 0, trips: 0 });
		expect(log.join("")).toBe("abc");
	});

	it("ends when its round trips are used up", async () => {
		const at = await services();
		const reading: Step = {
			name: "reading",
			async run({ db }) {
				await db.read(db.orm.all(sql`select 1`));
				return true;
			},
		};
		await inTurns([reading], at, { ms: 5_000, trips: 7 });
		expect(at.db.meter.trips).toBe(7);
	});

	it("continues without a step that hangs, and gives that step no further portion", async () => {
		const log: string[] = [];
		const hanging = Promise.withResolvers<boolean>();
		const slow: Step = {
			name: "slow",
			run() {
				log.push("s");
				return hanging.promise;
			},
		};
		const ended = inTurns([slow, counted("a", 3, log)], await services(), { ms: 5_000, trips: 100 }, 20);
		await eventually(() => expect(log.join("")).toBe("saaa"));
		hanging.resolve(true);
		await ended;
		expect(log.join("")).toBe("saaa");
	});

	it("logs a step that fails and runs the others", async () => {
		const log: string[] = [];
		const error = vi.spyOn(console, "error").mockImplementation(() => {});
		const failing: Step = { name: "failing", run: () => Promise.reject(new TypeError("broken")) };
		await inTurns([failing, counted("a", 2, log)], await services(), { ms: 5_000, trips: 100 });
		expect(log.join("")).toBe("aa");
		expect(error.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([{ step: "failing", error: "TypeError" }]);
		error.mockRestore();
	});

	it("gives each portion the current time", async () => {
		const seen: number[] = [];
		const step: Step = {
			name: "late",
			async run({ now }) {
				seen.push(now);
				await scheduler.wait(5);
				return seen.length < 2;
			},
		};
		await inTurns([step], await services(), { ms: 5_000, trips: 100 });
		expect(seen[1]).toBeGreaterThan(seen[0] ?? Number.POSITIVE_INFINITY);
	});

	it("asks for what all of them read first in one trip, and lets those that find something go on in their order", async () => {
		const at = await services();
		const log: string[] = [];
		const reading = (name: string, works: boolean): Step => ({
			name,
			async run({ db }) {
				const [found] = await db.read(db.orm.all<{ one: number }>(sql`select 1 as one`));
				log.push(`${name}${found?.one}`);
				if (works) await db.read(db.orm.all(sql`select 2`));
				return false;
			},
		});
		await inTurns([reading("a", false), reading("b", false), reading("c", true)], at, { ms: 5_000, trips: 100 });
		expect([log.join(" "), at.db.meter.trips]).toEqual(["a1 b1 c1", 2]);
	});

	it("lets a step see what those before it have done, and gives it the time at which it goes on", async () => {
		const at = await services();
		const seen: { rows: number; now: number }[] = [];
		let began = 0;
		const writing: Step = {
			name: "writing",
			async run({ db, now }) {
				await db.read(db.orm.all(sql`select 1`));
				await scheduler.wait(5);
				await db.commit([sql`insert into idempotency_records (scope, fingerprint, status, expires_at) values ('s', 'f', 200, ${now})`]);
				return false;
			},
		};
		const looking: Step = {
			name: "looking",
			async run({ db, now }) {
				began ||= now;
				const [found] = await db.read(db.orm.all<{ rows: number }>(sql`select count(*) as rows from idempotency_records`));
				seen.push({ rows: found?.rows ?? 0, now });
				return false;
			},
		};
		await inTurns([looking, writing, looking], at, { ms: 5_000, trips: 100 });
		expect(seen.map(({ rows }) => rows)).toEqual([0, 1]);
		expect(seen[1]?.now).toBeGreaterThan(began);
	});

	it("fails only the step whose first read fails", async () => {
		const error = vi.spyOn(console, "error").mockImplementation(() => {});
		const log: number[] = [];
		const asking = (name: string, from: string): Step => ({
			name,
			async run({ db }) {
				log.push((await db.read(db.orm.all(sql`select 1 from ${sql.raw(from)}`))).length);
				return false;
			},
		});
		await inTurns([asking("broken", "nothing"), asking("whole", "(select 1)")], await services(), { ms: 5_000, trips: 100 });
		expect(log).toEqual([1]);
		expect(error.mock.calls.map(([line]) => JSON.parse(String(line)).step)).toEqual(["broken"]);
		error.mockRestore();
	});

	it("commits for a step that begins with a commit when its turn has come", async () => {
		const at = await services();
		const log: string[] = [];
		const writing = (name: string): Step => ({
			name,
			async run({ db, now }) {
				await db.commit([sql`insert into idempotency_records (scope, fingerprint, status, expires_at) values (${name}, 'f', 200, ${now})`]);
				log.push(name);
				return false;
			},
		});
		await inTurns([writing("a"), writing("b")], at, { ms: 5_000, trips: 100 });
		expect(log).toEqual(["a", "b"]);
		const rows = await env.DB.prepare("select count(*) as n from idempotency_records").first<number>("n");
		expect([rows, at.db.meter.trips]).toEqual([2, 2]);
	});
});
