// Prebuilt statements mean the same as those built again at each use.

import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { expect, it } from "vitest";
import { build } from "../../src/db/built";
import { Database } from "../../src/db/database";
import { hole, insertOf, prebuilt } from "../../src/db/prebuilt";
import { first } from "../../src/db/reads";
import { appSettings } from "../../src/domains/app-settings/table";
import { organizations } from "../../src/domains/organizations/table";

const db = drizzle(env.DB, { casing: "snake_case" });
const session = () => new Database(env.DB, "first-primary");
const { placeholder } = sql;

const findById = prebuilt((orm) =>
	orm
		.select()
		.from(organizations)
		.where(eq(organizations.id, placeholder("id"))),
);

it("a database runs a prebuilt select with other values each time, in one read with other statements", async () => {
	await db.insert(organizations).values(["a", "b"].map((id) => ({ id, slug: id, name: `name of ${id}`, createdAt: 1 })));
	const at = session();
	const { one, all, second, none } = await at.read({
		one: first(findById({ id: "a" })),
		all: at.orm.select({ id: organizations.id }).from(organizations).orderBy(organizations.id),
		second: first(findById({ id: "b" })),
		none: findById({ id: "c" }),
	});
	expect(one).toEqual({ id: "a", slug: "a", name: "name of a", createdAt: 1, status: "ACTIVE", updatedAt: 0 });
	expect([all, second?.name, none]).toEqual([[{ id: "a" }, { id: "b" }], "name of b", []]);
	expect(at.meter.trips).toBe(1);
});

it("encodes values as their columns do", async () => {
	const settings = { links: {} } as never;
	const insert = prebuilt((orm) =>
		orm.insert(appSettings).values({ id: 1, version: placeholder("version"), settings: placeholder("settings"), updatedAt: 2 }),
	);
	await session().commit([insert({ version: 3, settings })]);
	expect(await db.select().from(appSettings)).toEqual([{ id: 1, version: 3, settings, updatedAt: 2 }]);
});

it("fills its holes with other SQL at each use, and binds the values of both in their order", async () => {
	await db.insert(organizations).values(["a", "b", "c"].map((id) => ({ id, slug: `slug-${id}`, name: "one name", createdAt: 1 })));
	const find = prebuilt((orm) =>
		orm
			.select({ id: organizations.id })
			.from(organizations)
			.where(sql`name = ${placeholder("name")} and id in ${hole("ids")} and slug <> ${placeholder("not")} and id in ${hole("ids")}`)
			.orderBy(organizations.id),
	);
	const both = sql`(select ${"a"} union select ${"b"})`;
	expect(
		await session().read([
			find({ name: "one name", ids: both, not: "slug-?" }),
			find({ name: "one name", ids: both, not: "slug-a" }),
			find({ name: "one name", ids: sql`(select 'c')`, not: "" }),
			find({ name: "other", ids: both, not: "" }),
		]),
	).toEqual([[{ id: "a" }, { id: "b" }], [{ id: "b" }], [{ id: "c" }], []]);
	expect(() => find({ name: "one name", ids: "a", not: "" })).toThrow("filled with SQL");
});

it("inserts a row of every column, encoded as the columns are", async () => {
	const row = { id: 1, version: 3, settings: { links: {} } as never, updatedAt: 2 };
	await session().commit([insertOf(appSettings)(row)]);
	expect(await db.select().from(appSettings)).toEqual([row]);
});

it("throws when a value is missing", () => {
	expect(() => findById({ name: "a" })).toThrow("needs a value for id");
});

it("sends no spaces that indent a template, and texts in quotes as they are", async () => {
	const select = prebuilt((orm) =>
		orm.all<{ text: string; given: string }>(sql`
			select 'two
	lines' as "text",
				${placeholder("given")} as "given"`),
	);
	const statement = select({ given: "a  b" });
	expect((statement as unknown as { sql: string }).sql).toBe(`select 'two\n\tlines' as "text", ? as "given"`);
	expect(await session().read(statement)).toEqual([{ text: "two\n\tlines", given: "a  b" }]);
});

it("a LIMIT whose number is a parameter stands in an expression, so that SQLite plans once for all numbers", async () => {
	await db.insert(organizations).values(["a", "b", "c"].map((id) => ({ id, slug: id, name: id, createdAt: 1 })));
	const some = prebuilt((orm) => orm.all<{ id: string }>(sql`select id from ${organizations} order by id limit ${placeholder("most")}`));
	expect((some({ most: 2 }) as unknown as { sql: string }).sql).toMatch(/ limit \+\?$/);
	const at = session();
	expect(await at.read(some({ most: 2 }))).toEqual([{ id: "a" }, { id: "b" }]);
	expect(build(at.orm.select({ id: organizations.id }).from(organizations).limit(1)).sql).toMatch(/ limit \+\?$/);
	expect(await at.read(at.orm.select({ id: organizations.id }).from(organizations).orderBy(organizations.id).limit(1))).toEqual([
		{ id: "a" },
	]);
});
