// One read asks for several statements by name, and gets their rows by the same names.

import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { Database } from "../../src/db/database";
import { fact, first, loose } from "../../src/db/reads";
import { organizations } from "../../src/domains/organizations/table";

const session = () => new Database(env.DB, "first-primary");
const named = ({ orm }: Database, id: string) =>
	orm.select({ id: organizations.id, name: organizations.name }).from(organizations).where(eq(organizations.id, id));

beforeEach(async () => {
	const at = session();
	await at.commit(["a", "b", "c"].map((id) => at.orm.insert(organizations).values({ id, slug: id, name: id.toUpperCase(), createdAt: 0 })));
});

describe("a read", () => {
	it("answers the rows of each statement by its name, in one round trip", async () => {
		const at = session();
		const answer = await at.read({ payer: first(named(at, "a")), payees: named(at, "b") });
		expect(answer).toEqual({ payer: { id: "a", name: "A" }, payees: [{ id: "b", name: "B" }] });
		expectTypeOf(answer).toEqualTypeOf<{ payer: { id: string; name: string } | undefined; payees: { id: string; name: string }[] }>();
		expect(at.meter).toMatchObject({ trips: 1, statements: 2 });
	});

	it("answers undefined for the first row of a statement that finds none, and where nothing was asked", async () => {
		const at = session();
		const none = undefined as ReturnType<typeof named> | undefined;
		expect(await at.read({ missing: first(named(at, "x")), none, rows: named(at, "c") })).toEqual({
			missing: undefined,
			none: undefined,
			rows: [{ id: "c", name: "C" }],
		});
		expect(at.meter).toMatchObject({ trips: 1, statements: 2 });
	});

	it("answers records and lists within it in their shape", async () => {
		const at = session();
		const pair = { one: first(named(at, "b")), other: first(named(at, "a")) };
		const answer = await at.read({ ends: pair, all: ["c", "a"].map((id) => named(at, id)) });
		expect(answer).toEqual({
			ends: { one: { id: "b", name: "B" }, other: { id: "a", name: "A" } },
			all: [[{ id: "c", name: "C" }], [{ id: "a", name: "A" }]],
		});
		expectTypeOf(answer.all).toEqualTypeOf<{ id: string; name: string }[][]>();
	});

	it("hands its own rows to each, after those of a deferred check", async () => {
		const at = session();
		const checked: unknown[] = [];
		at.deferCheck({ statements: [named(at, "c")], accept: (results) => checked.push(...results) });
		expect(await at.read(first(named(at, "a")))).toEqual({ id: "a", name: "A" });
		expect(checked).toEqual([[{ id: "c", name: "C" }]]);
		expect(at.meter).toMatchObject({ trips: 1, statements: 2 });
	});
});

describe("a fact", () => {
	const called = (at: Database, id: string) =>
		fact(named(at, id), { unchanged: ({ name }) => sql`exists (select 1 from organizations where id = ${id} and name = ${name})` });
	const rename = ({ orm }: Database, id: string) => orm.update(organizations).set({ name: "Z" }).where(eq(organizations.id, id));
	/** Whether each condition holds that the commit must demand. */
	const conditions = async (at: Database) => {
		const facts = at.takeFacts();
		if (facts.length === 0) return [];
		const columns = sql.join(
			facts.map((condition, index) => sql`${condition} as ${sql.identifier(`c${index}`)}`),
			sql`, `,
		);
		const [row] = await at.read({ rows: at.orm.all<object>(sql`select ${columns}`) }).then(({ rows }) => rows);
		return Object.values(row ?? {});
	};

	it("is read as the first row, and is a condition of the commit", async () => {
		const at = session();
		at.keepFacts();
		const answer = await at.read({ payer: called(at, "a"), payee: called(at, "b") });
		expect(answer).toEqual({ payer: { id: "a", name: "A" }, payee: { id: "b", name: "B" } });
		expectTypeOf(answer.payer).toEqualTypeOf<{ id: string; name: string } | undefined>();
		await session().commit([rename(at, "b")]);
		expect(await conditions(at)).toEqual([1, 0]);
		expect(at.takeFacts()).toEqual([]);
	});

	it("that is read again counts as it was read last", async () => {
		const at = session();
		at.keepFacts();
		await at.read({ payer: called(at, "a") });
		await session().commit([rename(at, "a")]);
		await at.read({ again: called(at, "a") });
		expect(await conditions(at)).toEqual([1]);
	});

	it("that is loose, or finds no row, is no condition", async () => {
		const at = session();
		at.keepFacts();
		expect(await at.read({ payer: loose(called(at, "a")), missing: called(at, "x") })).toEqual({
			payer: { id: "a", name: "A" },
			missing: undefined,
		});
		expect(at.takeFacts()).toEqual([]);
	});

	it("is refused outside the home of an operation, whose commit alone can demand it", async () => {
		const at = session();
		await expect(at.read({ payer: called(at, "a") })).rejects.toThrow(/`loose` reads others/);
		expect(await at.read({ payer: loose(called(at, "a")) })).toEqual({ payer: { id: "a", name: "A" } });
	});
});
