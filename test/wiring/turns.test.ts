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

	it("goes on without a step that hangs, and gives that step no further portion", async () => {
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
});
