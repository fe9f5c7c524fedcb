// A call reads while it asks for its turn. With anything that happens to identical calls meanwhile, they have one effect and one answer.

import { describe, expect, it, vi } from "vitest";
import { idempotencyRecords } from "../../../src/db/idempotency.table";
import { first } from "../../../src/db/reads";
import { organizations } from "../../../src/domains/organizations/table";
import type { Claim } from "../../../src/http/idempotency/idempotency-keys";
import type { Services } from "../../../src/runtime/services";
import { ApiError } from "../../../src/shared/errors";
import { withBatches, wrapped } from "../../support/databases";
import { evict } from "../../support/durable-objects";
import { db } from "../../support/factories";
import { creating, insert, loseObjectOfProbe, objectOfProbe, replayed, sendTo } from "../../support/idempotency";
import { testEnv } from "../../support/storage";

type Asked = { claim(scope: string, fingerprint: string): Promise<Claim & Partial<Disposable>> };

/** An object that is asked by `ask` instead of by the call itself. */
const objectThat = (ask: (keys: Asked, ...named: Parameters<Asked["claim"]>) => Promise<unknown>): Partial<Env> => ({
	IDEMPOTENCY_KEYS: {
		getByName: (name: string) => ({
			claim: (...named: Parameters<Asked["claim"]>) => ask(testEnv.IDEMPOTENCY_KEYS.getByName(name) as never, ...named),
		}),
	} as unknown as Env["IDEMPOTENCY_KEYS"],
});

/** Bindings by which the first read of a call waits no longer than it takes, and `then` follows it. */
const afterFirstRead = (then: () => Promise<unknown>): Partial<Env> => {
	let isFirst = true;
	return wrapped((database) =>
		withBatches(database, async (_, run) => {
			const results = await run();
			if (isFirst) {
				isFirst = false;
				await then();
			}
			return results;
		}),
	);
};

const findAny = ({ db: { orm } }: Services) => first(orm.select().from(organizations).limit(1));

/** Creates an organization where there is none, and is refused where there is one. */
const creatingFirst = (ran: (found: boolean) => void = () => {}) =>
	creating(async (services, { name }) => {
		const found = (await services.db.read(findAny(services))) !== undefined;
		ran(found);
		if (found) throw new ApiError("INVALID_STATE", { description: "there is one" });
		return services.commit([insert(services, name)], { id: services.newId() });
	});

describe("a call with an idempotency key", () => {
	it("reads again when another run of its key has ended since it read, and answers what that one did", async () => {
		const ran: boolean[] = [];
		const op = creatingFirst((found) => ran.push(found));
		const read = Promise.withResolvers<void>();
		const ended = Promise.withResolvers<void>();
		const late = objectThat(async (keys, ...named) => {
			await ended.promise;
			return keys.claim(...named);
		});
		const second = sendTo(op, "a", "k", { ...late, ...afterFirstRead(async () => read.resolve()) });
		await read.promise;
		const answer = await sendTo(op);
		ended.resolve();
		expect(await second).toMatchObject({ status: 200, body: answer.body });
		expect(replayed(await second)).toBe(true);
		expect(ran).toEqual([false]);
		expect(await db.select().from(organizations)).toHaveLength(1);
	});

	it("is not refused by what it read before an identical call committed, even where the object has forgotten that call", async () => {
		await db.insert(organizations).values({ id: "x", slug: "x", name: "x", createdAt: 0 });
		const op = creatingFirst();
		const read = Promise.withResolvers<void>();
		const ended = Promise.withResolvers<void>();
		const late = objectThat(async (keys, ...named) => {
			await ended.promise;
			return keys.claim(...named);
		});
		const second = sendTo(op, "a", "k", { ...late, ...afterFirstRead(async () => read.resolve()) });
		await read.promise;
		await db.delete(organizations);
		const answer = await sendTo(op);
		expect(answer).toMatchObject({ status: 200 });
		await evict(await objectOfProbe());
		ended.resolve();
		expect(await second).toMatchObject({ status: 200, body: answer.body });
		// The refusal was kept nowhere either.
		expect(await sendTo(op)).toMatchObject({ status: 200, body: answer.body });
	});

	it("commits nothing before its turn, not even what it commits regardless of its answer or without a read", async () => {
		const refusing = objectThat(async () => ({ kind: "in-progress", [Symbol.dispose]() {} }));
		const regardless = creating(async (services, { name }) => {
			await services.commitRegardless([insert(services, `${name}-regardless`)]);
			return { id: name };
		});
		const atOnce = creating((services, { name }) => services.commit([insert(services, name)], { id: name }));
		for (const op of [regardless, atOnce])
			expect(await sendTo(op, "a", "k", refusing)).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_IN_PROGRESS" } });
		expect(await db.select().from(organizations)).toEqual([]);
		expect(await db.select().from(idempotencyRecords)).toEqual([]);
	});

	it("fails with its read without waiting for its turn, and gives the turn back once it comes", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const op = creatingFirst();
		const answered = Promise.withResolvers<void>();
		const slow = objectThat(async (keys, ...named) => {
			await answered.promise;
			return keys.claim(...named);
		});
		const failing = wrapped((database) =>
			withBatches(database, async () => {
				// The answer does not wait for this, but the work that continues after it does.
				setTimeout(answered.resolve, 0);
				throw new Error("D1_ERROR: no such column");
			}),
		);
		expect(await sendTo(op, "a", "k", { ...slow, ...failing })).toMatchObject({ status: 500 });
		expect(await sendTo(op, "b")).toMatchObject({ status: 200 });
	});

	it("continues when its object is lost while it reads", async () => {
		const op = creatingFirst();
		let asked = 0;
		const losing = objectThat(async (keys, ...named) => {
			const claim = keys.claim(...named);
			if (asked++ === 0) {
				await claim.catch(() => {});
				await loseObjectOfProbe();
				throw new Error("the object was reset");
			}
			return claim;
		});
		const answer = await sendTo(op, "a", "k", losing);
		expect(answer).toMatchObject({ status: 200 });
		expect(await sendTo(op)).toMatchObject({ status: 200, body: answer.body });
		expect(asked).toBe(2);
	});
});
