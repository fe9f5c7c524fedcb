// What a Durable Object keeps, and in which order it works. Runs in workerd, and in Node over what stands there for them.

import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { evict, inObject, runAlarm } from "../support/durable-objects";
import { eventually } from "../support/eventually";

const objects = env.DELIVERY_RETRIES;
const own = () => objects.getByName(crypto.randomUUID());
const MINUTE = 60_000;

describe("an object", () => {
	it("is the same for the same name, has its id, and another for another name", async () => {
		const name = crypto.randomUUID();
		const [one, again, other] = [objects.getByName(name), objects.get(objects.idFromName(name)), own()];
		expect(one.id.toString()).toMatch(/^[0-9a-f]{64}$/);
		expect([one.id.toString(), again.id.equals(one.id), other.id.equals(one.id)]).toEqual([again.id.toString(), true, false]);
		expect(objects.idFromString(one.id.toString()).equals(one.id)).toBe(true);
		const instances = [one, again, other].map((stub) => inObject(stub, (_, instance) => instance));
		const [first, second, third] = await Promise.all(instances);
		expect([first === second, first === third]).toEqual([true, false]);
	});

	it("exists once it was called, and not because its name was used", async () => {
		const count = async () => (await listDurableObjectIds(objects as never)).length;
		const before = await count();
		const stub = own();
		expect(await count()).toBe(before);
		await stub.take(0);
		expect(await count()).toBe(before + 1);
	});

	it("lets other calls in while one awaits", async () => {
		const stub = own();
		await stub.take(0);
		const seen: string[] = [];
		const go = Promise.withResolvers<void>();
		const calls = ["a", "b", "c"].map((name) =>
			inObject(stub, async () => {
				seen.push(`${name} begins`);
				if (name === "a") await go.promise;
				seen.push(`${name} ends`);
				if (name === "c") go.resolve();
			}),
		);
		await Promise.all(calls);
		// What the test brings into the object comes in any order; that calls of an object's own methods begin in theirs is the next test.
		expect(seen.toSorted()).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
		expect(seen.indexOf("a ends")).toBeGreaterThan(seen.indexOf("c ends"));
	});

	it("permits the first of many calls that are made at once", async () => {
		const stub = own();
		const permits = await Promise.all(Array.from({ length: 5 }, () => stub.take(1_000)));
		expect(permits.map(({ taken }) => taken)).toEqual([true, false, false, false, false]);
	});

	it("answers with copies, and is given copies", async () => {
		const stub = own();
		const { taken, ...rest } = await stub.take(0);
		expect([taken, Object.keys(rest)]).toEqual([true, []]);
		const lists = await inObject(stub, ({ storage }) => {
			const list = ["a"];
			storage.kv.put("list", list);
			list.push("b");
			return [list, storage.kv.get("list")];
		});
		expect(lists).toEqual([["a", "b"], ["a"]]);
	});

	it("has no other methods than those of its class", async () => {
		await expect((own() as unknown as { nothing(): Promise<void> }).nothing()).rejects.toThrow(/nothing/);
	});

	it("throws to its caller what it throws, and works on", async () => {
		const stub = own();
		await stub.take(0);
		const { prototype, take } = await inObject(stub, (_, instance) => {
			const prototype = Object.getPrototypeOf(instance) as { take: (now: number) => unknown };
			return { prototype, take: prototype.take };
		});
		prototype.take = () => {
			throw new RangeError("out of range");
		};
		const error = await stub.take(0).catch((thrown: unknown) => thrown);
		prototype.take = take as typeof prototype.take;
		expect(error).toBeInstanceOf(RangeError);
		expect((error as Error).message).toBe("out of range");
		expect(await stub.take(MINUTE)).toMatchObject({ taken: true });
	});
});

describe("an object that is lost", () => {
	it("by an eviction keeps what it has stored, and nothing else", async () => {
		const stub = own();
		const before = await inObject(stub, ({ storage }, instance) => {
			storage.kv.put("kept", [1]);
			return instance;
		});
		await evict(stub);
		const [kept, after] = await inObject(stub, ({ storage }, instance) => [storage.kv.get("kept"), instance]);
		expect([kept, after === before]).toEqual([[1], false]);
	});

	it("by its own doing fails the calls that are under way, and for good the stub of its caller", async () => {
		const name = crypto.randomUUID();
		const stub = objects.getByName(name);
		const waiting = inObject(stub, () => new Promise<void>(() => {}));
		const failed = waiting.catch((error: Error) => error.message);
		await inObject(stub, (state) => state.abort("lost on purpose")).catch(() => {});
		expect(await failed).toMatch(/lost on purpose/);
		await expect(stub.take(0)).rejects.toThrow("lost on purpose");
		expect(await objects.getByName(name).take(0)).toEqual({ taken: true });
	});
});

describe("the storage of an object", () => {
	it("keeps values by their keys, in the order of the keys", async () => {
		const stub = own();
		const seen = await inObject(stub, async ({ storage }) => {
			for (const key of ["b", "a", "c"]) storage.kv.put(key, { key });
			const deleted = [storage.kv.delete("c"), storage.kv.delete("c")];
			const list = [...storage.kv.list()].map(([key]) => key);
			return {
				deleted,
				list,
				one: await storage.get("a"),
				none: storage.kv.get("d") ?? null,
				some: [...(await storage.list({ prefix: "b" })).keys()],
			};
		});
		expect(seen).toEqual({ deleted: [true, false], list: ["a", "b"], one: { key: "a" }, none: null, some: ["b"] });
	});

	it("has tables of its own, whose rows are read once, and refuses as SQLite does", async () => {
		const stub = own();
		await inObject(stub, ({ storage: { sql } }) => {
			sql.exec("create table t (id integer primary key, name text not null unique) strict");
			expect(sql.exec("insert into t (name) values (?), (?) returning id", "a", "b").toArray()).toEqual([{ id: 1 }, { id: 2 }]);
			expect(sql.exec("select name from t where id = ?", 2).one()).toEqual({ name: "b" });
			expect(() => sql.exec("select name from t").one()).toThrow(/exactly one result/);
			expect(() => sql.exec("select name from t where id = 9").one()).toThrow(/exactly one result/);
			expect(() => sql.exec("insert into t (name) values ('a')")).toThrow(/UNIQUE constraint failed: t.name/);
			const cursor = sql.exec("select id, name from t order by id");
			expect(cursor.columnNames).toEqual(["id", "name"]);
			expect([...cursor.raw()]).toEqual([
				[1, "a"],
				[2, "b"],
			]);
			expect(cursor.toArray()).toEqual([]);
		});
		await evict(stub);
		expect(await inObject(stub, ({ storage: { sql } }) => sql.exec("select count(*) as n from t").one())).toEqual({ n: 2 });
	});

	it("takes a transaction back that throws", async () => {
		const stub = own();
		await inObject(stub, ({ storage }) => {
			storage.sql.exec("create table t (id)");
			const work = () =>
				storage.transactionSync(() => {
					storage.sql.exec("insert into t values (1)");
					throw new Error("no");
				});
			expect(work).toThrow("no");
			expect(storage.sql.exec("select count(*) as n from t").one()).toEqual({ n: 0 });
		});
	});

	it("is empty once all is deleted, the alarm too", async () => {
		const stub = own();
		await inObject(stub, async ({ storage }) => {
			storage.kv.put("a", 1);
			storage.sql.exec("create table t (id)");
			await storage.setAlarm(Date.now() + MINUTE);
			await storage.deleteAll();
			expect([...storage.kv.list()]).toEqual([]);
			expect(storage.sql.exec("select name from sqlite_master where name = 't'").toArray()).toEqual([]);
			expect(await storage.getAlarm()).toBeNull();
		});
	});
});

describe("an alarm", () => {
	it("is the last that was set, is gone while it runs, and outlives the object's memory", async () => {
		const stub = own();
		expect(await runAlarm(stub)).toBe(false);
		await stub.take(0);
		const at = Date.now() + MINUTE;
		await inObject(stub, ({ storage }) => storage.setAlarm(at));
		await evict(stub);
		expect(await inObject(stub, ({ storage }) => storage.getAlarm())).toBe(at);
		expect(await runAlarm(stub)).toBe(true);
		expect(await inObject(stub, async ({ storage }) => [await storage.getAlarm(), storage.kv.get("takenAt") ?? null])).toEqual([
			null,
			null,
		]);
		expect(await runAlarm(stub)).toBe(false);
	});

	it("runs by itself when it is due, and not once it was deleted", async () => {
		const [due, deleted] = [own(), own()];
		for (const stub of [due, deleted]) await stub.take(0);
		await inObject(deleted, ({ storage }) => storage.deleteAlarm());
		await inObject(due, ({ storage }) => storage.setAlarm(Date.now() + 1));
		const taken = (stub: typeof due) => inObject(stub, ({ storage }) => storage.kv.get("takenAt") ?? null);
		await eventually(async () => expect(await taken(due)).toBeNull());
		expect(await taken(deleted)).toBe(0);
	});
});

describe("a stub of what stays in an object", () => {
	it("calls it there, and ends it when it is disposed of, after the calls before", async () => {
		const keys = env.IDEMPOTENCY_KEYS.getByName(crypto.randomUUID());
		const claimed = await keys.claim("scope", "print");
		if (claimed.kind !== "run") throw new Error("the key is free");
		const waiting = keys.claim("scope", "print");
		// Begins after the call before it.
		expect(await keys.claim("scope", "another print")).toMatchObject({ kind: "reused" });
		await claimed.run.endRecorded({ status: 201, body: "{}" });
		expect(await waiting).toMatchObject({ kind: "replay", answer: { status: 201, body: "{}" } });
		(claimed as unknown as Disposable)[Symbol.dispose]();

		const dropped = await keys.claim("other", "print");
		const next = keys.claim("other", "print");
		(dropped as unknown as Disposable)[Symbol.dispose]();
		expect((await next).kind).toBe("run");
	});
});
