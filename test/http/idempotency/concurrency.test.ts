// Identical calls at once have one effect, with and without the lock.

import { describe, expect, it, vi } from "vitest";
import { names } from "../../../src/db/names.table";
import { organizations } from "../../../src/domains/organizations/table";
import { ApiError, badInput } from "../../../src/shared/errors";
import { evict } from "../../support/durable-objects";
import { db } from "../../support/factories";
import { create, creating, insert, loseObjectOfProbe, objectOf, replayed, reused, sendTo } from "../../support/idempotency";
import { expectErrorsInNode } from "../../support/log";
import { testEnv } from "../../support/storage";

describe("an idempotency key", () => {
	it("lets one effect happen even when the lock is lost", async () => {
		expectErrorsInNode("the object of an idempotency key was lost during a run");
		const first = await create();
		await evict(await objectOf());
		// Only the record is left: its primary key refuses the second commit, and the first answer is read back.
		await db.delete(organizations);
		await db.delete(names);
		const second = await create();
		expect(second.text).toBe(first.text);
		expect(await db.select().from(organizations)).toEqual([]);
	});

	it("is bound to a committed record even after a failure", async () => {
		let failing = true;
		const op = creating(async (services, { name }) => {
			const answer = await services.commit([insert(services, name)], { id: name });
			if (failing) throw new Error("after the commit");
			return answer;
		});
		vi.spyOn(console, "error").mockImplementation(() => {});
		expect(await sendTo(op)).toMatchObject({ status: 500 });
		failing = false;
		expect(await sendTo(op, "b")).toMatchObject(reused);
		const replay = await sendTo(op);
		expect(replay).toMatchObject({ status: 200, body: { id: "a" } });
		expect(replayed(replay)).toBe(true);
	});

	it("answers normally when its Durable Object is lost during a run, and replays a commit", async () => {
		let runs = 0;
		const op = creating(async (services, { name }) => {
			runs++;
			await loseObjectOfProbe(name === "refused" ? "another" : "k");
			if (name === "refused") throw badInput("name", "is refused", "NOT_ALLOWED");
			return services.commit([insert(services, name)], { id: name });
		});
		vi.spyOn(console, "error").mockImplementation(() => {});
		expect(await sendTo(op)).toMatchObject({ status: 200, body: { id: "a" } });
		const replay = await sendTo(op);
		expect(replay).toMatchObject({ status: 200, body: { id: "a" } });
		expect(replayed(replay)).toBe(true);

		runs = 0;
		for (let i = 1; i <= 2; i++) {
			expect(await sendTo(op, "refused", "another")).toMatchObject({ status: 400 });
			expect(runs).toBe(i);
		}
	});

	it("lets one of 20 identical calls run, and gives all the same answer", async () => {
		const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
		expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
		expect(answers.filter(replayed)).toHaveLength(19);
		expect(await db.select().from(organizations)).toHaveLength(1);
	});

	it("lets 20 identical calls have one effect without any lock, and gives all the same answer", async () => {
		const unlocked = { getByName: () => testEnv.IDEMPOTENCY_KEYS.getByName(crypto.randomUUID()) } as unknown as Env["IDEMPOTENCY_KEYS"];
		const op = creating((services, { name }) => services.commit([insert(services, name)], { id: services.newId() }));
		const answers = await Promise.all(Array.from({ length: 20 }, () => sendTo(op, "a", "k", { IDEMPOTENCY_KEYS: unlocked })));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
		expect(answers.filter(replayed)).toHaveLength(19);
	});

	it("has one effect and one answer where the object cannot be reached at all, and says so in the log", async () => {
		const lines = vi.spyOn(console, "error").mockReturnValue();
		const unreachable = {
			getByName: () => ({
				claim: async () => {
					throw new Error("Network connection lost.");
				},
			}),
		} as unknown as Env["IDEMPOTENCY_KEYS"];
		const op = creating((services, { name }) => services.commit([insert(services, name)], { id: services.newId() }));
		const answers = await Promise.all(Array.from({ length: 5 }, () => sendTo(op, "a", "k", { IDEMPOTENCY_KEYS: unreachable })));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
		expect(lines.mock.calls.filter(([line]) => String(line).includes("continues without its object"))).toHaveLength(5);
	});

	it("gives a waiting call the refusal of the first, and refuses another body immediately", async () => {
		const { promise: goOn, resolve } = Promise.withResolvers<void>();
		const { promise: started, resolve: start } = Promise.withResolvers<void>();
		let runs = 0;
		const op = creating(async (services) => {
			await services.db.runDeferredCheck();
			runs++;
			start();
			await goOn;
			throw new ApiError("INVALID_STATE", { description: "no" });
		});
		const first = sendTo(op);
		await started;
		const waiting = sendTo(op);
		expect(await sendTo(op, "b")).toMatchObject(reused);
		resolve();
		expect(await Promise.all([first, waiting])).toMatchObject([{ status: 409 }, { status: 409, body: (await first).body }]);
		expect(replayed(await waiting)).toBe(true);
		expect(runs).toBe(1);
	});
});
