// One read asks for several statements by name, and gets their rows by the same names.

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { Database } from "../../src/db/database";
import { first } from "../../src/db/reads";
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
