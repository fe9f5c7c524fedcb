// What D1 takes as values, and in which shape it answers. Runs in workerd, and in Node over what stands there for D1.

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const database = env.SECOND_DB;
const comesBack = async (value: unknown) => database.prepare("select ? as value, typeof(?1) as type").bind(value).first();

describe("a value comes back", () => {
	it.each([
		["null", null, null, "null"],
		["true as a number", true, 1, "real"],
		["false as a number", false, 0, "real"],
		["an integer, which is a real without a column that makes it one", 1, 1, "real"],
		["a fraction", 1.5, 1.5, "real"],
		["the largest safe integer", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "real"],
		["what is no number as null", Number.NaN, null, "null"],
		["what is infinite as null", Number.POSITIVE_INFINITY, null, "null"],
		["a text", "naïve 💶", "naïve 💶", "text"],
		["bytes as a list", new Uint8Array([1, 2]), [1, 2], "blob"],
		["a buffer as a list", new Uint8Array([1, 2]).buffer, [1, 2], "blob"],
		["a list of bytes", [1, 2], [1, 2], "blob"],
	])("%s", async (_, sent, value, type) => {
		expect(await comesBack(sent)).toEqual({ value, type });
	});

	it.each([
		["undefined", undefined, "Type 'undefined' not supported for value 'undefined'"],
		["an object", { a: 1 }, "Type 'object' not supported for value '[object Object]'"],
		["a list of something else", ["x"], "Type 'object' not supported for value 'x'"],
		["a bigint", 5n, "Type 'bigint' not supported for value '5'"],
		["a date", new Date(Number.NaN), "Type 'object' not supported for value 'Invalid Date'"],
	])("not, where it is %s", async (_, sent, words) => {
		const bind = async () => comesBack(sent);
		await expect(bind()).rejects.toMatchObject({ message: `D1_TYPE_ERROR: ${words}` });
	});
});

describe("an answer", () => {
	beforeEach(async () => {
		await database.batch(
			["create table items (id integer primary key, name text)", "create table plain (id text primary key) without rowid"].map((sql) =>
				database.prepare(sql),
			),
		);
	});
	afterEach(async () => {
		await database.batch(["drop table items", "drop table plain"].map((sql) => database.prepare(sql)));
	});

	it("of all and of run is the rows, that it succeeded, and what it cost", async () => {
		for (const method of ["all", "run"] as const) {
			const answer = await database.prepare("insert into items (name) values ('a'), ('b') returning id > 0 as made, name")[method]();
			expect(answer).toMatchObject({ success: true, meta: { changes: 2, changed_db: true, duration: expect.any(Number) } });
			expect(answer.results).toStrictEqual([
				{ made: 1, name: "a" },
				{ made: 1, name: "b" },
			]);
			expect(Object.keys(answer).sort()).toEqual(["meta", "results", "success"]);
		}
	});

	it("of first is a row, a column of it, or null", async () => {
		const first = (sql: string, column?: string) => database.prepare(sql).first(column as string);
		expect(await first("select 1 as a, 2 as b")).toStrictEqual({ a: 1, b: 2 });
		expect(await first("select 1 as a, 2 as b", "b")).toBe(2);
		expect(await first("select 1 as a where 0")).toBeNull();
		expect(await first("select 1 as a where 0", "a")).toBeNull();
		await expect(first("select 1 as a", "b")).rejects.toThrow("D1_COLUMN_NOTFOUND: Column not found (b)");
	});

	it("of raw is lists, where columns of the same name stay apart, and the names first on demand", async () => {
		const statement = database.prepare("select 1 as a, 2 as a, x'0102' as bytes");
		expect(await statement.raw()).toEqual([[1, 2, [1, 2]]]);
		expect(await statement.raw({ columnNames: true })).toEqual([
			["a", "a", "bytes"],
			[1, 2, [1, 2]],
		]);
		expect(await database.prepare("select 1 as a where 0").raw({ columnNames: true })).toEqual([["a"]]);
		expect((await statement.all()).results).toEqual([{ a: 2, bytes: [1, 2] }]);
	});

	it("says how many rows were changed, also by triggers, and the last rowid", async () => {
		const metaOf = async (sql: string) => {
			const { changes, changed_db, last_row_id } = (await database.prepare(sql).run()).meta;
			return [changes, changed_db, last_row_id];
		};
		expect(await metaOf("insert into items (id) values (5), (6), (7)")).toEqual([3, true, 7]);
		expect(await metaOf("update items set name = 'x' where id = 99")).toEqual([0, false, 7]);
		expect(await metaOf("insert into items (id, name) values (7, 'y') on conflict do update set name = 'y'")).toEqual([1, true, 7]);
		expect(await metaOf("insert into items (id) values (7) on conflict do nothing")).toEqual([0, false, 7]);
		expect(await metaOf("insert into plain values ('a')")).toEqual([1, true, 7]);
		expect(await metaOf("with n as (select 9 as id) insert into items (id) select id from n")).toEqual([1, true, 9]);
		await database
			.prepare("create trigger copied after insert on items begin insert into plain values (new.id), (new.id || '-'); end")
			.run();
		expect((await metaOf("insert into items (id) values (10)"))[0]).toBe(3);
		expect((await metaOf("select * from items")).slice(0, 2)).toEqual([0, false]);
		expect((await metaOf("delete from items"))[0]).toBe(5);
	});

	it("grows with what is stored", async () => {
		const size = async () => (await database.prepare("select 1").all()).meta.size_after ?? 0;
		const before = await size();
		await database.prepare("insert into items (name) values (?)").bind("x".repeat(100_000)).run();
		expect(await size()).toBeGreaterThanOrEqual(before + 90_000);
	});

	it("numbers as JavaScript has them", async () => {
		expect(await database.prepare("select 3.0 as a, 1 / 2 as b, 1 / 2.0 as c, 9e999 as d, true as e").first()).toEqual({
			...{ a: 3, b: 0, c: 0.5, d: null, e: 1 },
		});
	});

	it("comes from a statement as often as it is asked, and a bound copy leaves the statement as it was", async () => {
		const statement = database.prepare("select ? as value");
		const [one, two] = [statement.bind(1), statement.bind(2)];
		expect([await one.first("value"), await two.first("value"), await one.first("value")]).toEqual([1, 2, 1]);
		await expect(statement.all()).rejects.toThrow("Wrong number of parameter bindings");
	});
});

describe("a session", () => {
	it("has a bookmark once it was used, which grows and is a text of four numbers", async () => {
		const session = database.withSession();
		expect(session.getBookmark()).toBeNull();
		await session.batch([session.prepare("select 1")]);
		const first = session.getBookmark() ?? "";
		expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/);
		await session.prepare("select 1").run();
		expect((session.getBookmark() ?? "") > first).toBe(true);
	});

	it("begins with the bookmark that it is given, or with none", async () => {
		for (const constraint of ["first-primary", "first-unconstrained"] as const)
			expect(database.withSession(constraint).getBookmark()).toBeNull();
		const session = database.withSession("ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff");
		expect(session.getBookmark()).toBe("ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff");
		expect(await session.prepare("select 1 as one").first("one")).toBe(1);
		expect(session.getBookmark()).toBe("ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff");
	});

	it("takes statements of the database too, and sees what it has written", async () => {
		const session = database.withSession("first-primary");
		const results = await session.batch([database.prepare("select 1 as a"), session.prepare("select 2 as a")]);
		expect(results.flatMap(({ results }) => results)).toEqual([{ a: 1 }, { a: 2 }]);
	});
});
