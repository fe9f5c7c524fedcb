// A commit applies all of its writes or none, and says which rule refused it; pages go on from their cursors.

import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Database, effect, StaleWrite, UniqueViolation } from "../../src/db/database";
import { guarded, orStaleUnless } from "../../src/db/guards";
import { keyset, type Position } from "../../src/db/keyset";
import { names as directoryNames } from "../../src/db/names.table";
import { first } from "../../src/db/reads";
import { organizations } from "../../src/domains/organizations/table";
import { anyone } from "../../src/http/callers/access";
import { mount } from "../../src/http/mount";
import { operation } from "../../src/http/operation";
import { callerLookup } from "../../src/wiring/caller-lookup";
import { servicesFor } from "../../src/wiring/services";
import { expectRows } from "../support/rows";

const db = drizzle(env.DB, { casing: "snake_case" });
const session = () => new Database(env.DB, "first-primary");
const row = (id: string, slug = id, createdAt = 0) => ({ id, slug, name: "before", createdAt });
const names = async () => (await db.select().from(organizations)).map(({ name }) => name);

const rename = (at: Pick<Database, "orm">, from: string, to: string) => [
	guarded(
		at.orm
			.update(organizations)
			.set({ name: to })
			.where(and(eq(organizations.id, "a"), eq(organizations.name, from))),
	),
];

describe("a commit", () => {
	it("writes nothing at all when what was read has changed", async () => {
		await db.insert(organizations).values(row("a"));
		const at = session();
		await expect(at.commit([...rename(at, "other", "after"), at.orm.insert(organizations).values(row("b"))])).rejects.toThrow(StaleWrite);
		expect(await names()).toEqual(["before"]);
		await at.commit([...rename(at, "before", "after"), at.orm.insert(organizations).values(row("b"))]);
		expect((await names()).toSorted()).toEqual(["after", "before"]);
	});

	it("returns the rows of each RETURNING statement, and hands each effect its own", async () => {
		const at = session();
		const told: unknown[] = [];
		const insert = (id: string) => at.orm.insert(organizations).values(row(id)).returning({ id: organizations.id });
		const [first, , , second] = await at.commit([
			insert("a"),
			effect([insert("b"), orStaleUnless(sql`changes() = 1`), insert("c")], (results) => told.push(results[0], results[2])),
			guarded(insert("d"), (rows) => told.push(rows)),
			insert("e"),
		]);
		expect([first, second, told]).toEqual([[{ id: "a" }], [{ id: "e" }], [[{ id: "b" }], [{ id: "c" }], [{ id: "d" }]]]);
	});

	it("and a read are the only ways to run a statement", async () => {
		const at = session();
		const insert = at.orm.insert(organizations).values(row("a"));
		const alone = [
			() => insert,
			() => insert.returning(),
			() => at.orm.run(sql`delete from organizations`),
			() => at.orm.select().from(organizations).get(),
			() => at.orm.all(sql`select 1`),
		];
		for (const run of alone) {
			const error = await Promise.resolve(run()).then(
				() => undefined,
				(reason: unknown) => reason,
			);
			expect(error).toMatchObject({ cause: new Error("a statement runs only through read or commit") });
		}
		expect(await names()).toEqual([]);
		await at.commit([insert]);
		expect(await at.read(at.orm.select({ id: organizations.id }).from(organizations))).toEqual([{ id: "a" }]);
	});

	it("is stale unless every condition within it is true, and null is not", async () => {
		const at = session();
		const insert = at.orm.insert(organizations).values(row("a"));
		for (const condition of [sql`false`, sql`null`, sql`(select name from organizations where id = 'b') = 'before'`]) {
			await expect(at.commit([insert, orStaleUnless(condition)])).rejects.toThrow(StaleWrite);
		}
		expect(await names()).toEqual([]);
		await at.commit([insert, orStaleUnless(sql`(select name from organizations where id = 'a') = 'before'`)]);
		expect(await names()).toEqual(["before"]);
	});

	it("is stale when a guarded write changes more than one row", async () => {
		await db.insert(organizations).values([row("a"), row("b")]);
		const at = session();
		await expect(at.commit([guarded(at.orm.update(organizations).set({ name: "after" }))])).rejects.toThrow(StaleWrite);
		expect(await names()).toEqual(["before", "before"]);
	});

	it("names the index that refused it", async () => {
		const at = session();
		const name = { kind: "SLUG", value: "a", id: "a", createdAt: 0 } as const;
		await db.insert(directoryNames).values(name);
		const refused = await at.commit([at.orm.insert(directoryNames).values({ ...name, id: "b" })]).catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(UniqueViolation);
		expect(refused).toMatchObject({ columns: "names.kind, names.value" });
	});

	it("is one round trip, and so is a read of several statements", async () => {
		const at = session();
		await at.commit([at.orm.insert(organizations).values(row("a")), at.orm.insert(organizations).values(row("b"))]);
		const { all, one } = await at.read({
			all: at.orm.select().from(organizations),
			one: at.orm.select().from(organizations).limit(1),
		});
		expect([all.length, one.length, at.meter.trips]).toEqual([2, 1, 2]);
		expectRows(at.meter.rowsWritten).atLeast(1);
	});

	it("that is stale makes its operation run once more, and then answers 409", async () => {
		const seen: string[] = [];
		const operationThat = (overtakenTimes: number) =>
			operation({
				id: `rename${overtakenTimes}`,
				method: "POST",
				path: `/v1/rename/${overtakenTimes}`,
				summary: "Rename",
				access: anyone,
				request: {},
				response: z.object({ name: z.string() }),
				async handle(_, services) {
					const found = await services.db.read(first(services.db.orm.select().from(organizations)));
					seen.push(found?.name ?? "");
					if (seen.length <= overtakenTimes) await db.update(organizations).set({ name: `overtaken ${seen.length}` });
					return services.commit(rename(services.db, found?.name ?? "", "after"), { name: "after" });
				},
			});
		const { app, add } = mount({ servicesFor, callerLookup });
		add([operationThat(1), operationThat(2)]);
		const post = (path: string) =>
			app.request(path, { method: "POST" }, env, { waitUntil() {}, passThroughOnException() {}, props: {} } as never);

		await db.insert(organizations).values(row("a"));
		expect((await post("/v1/rename/1")).status).toBe(200);
		expect(seen).toEqual(["before", "overtaken 1"]);

		seen.length = 0;
		const refused = await post("/v1/rename/2");
		expect([refused.status, await refused.json()]).toMatchObject([409, { code: "INVALID_STATE" }]);
		expect(seen).toHaveLength(2);
	});
});

describe("a keyset page", () => {
	const page = async (window: { after?: Position; before?: Position }, order: "newest" | "oldest" = "newest") => {
		const at = session();
		const { statement, page } = keyset(
			(orm) => orm.select().from(organizations).$dynamic(),
			{ at: organizations.createdAt, id: organizations.id, of: ({ createdAt, id }) => [createdAt, id], order },
			{ size: 3, ...window },
		);
		const found = await at.read(statement);
		const { rows, next, prev } = page(found);
		return { ids: rows.map(({ id }) => id).join(""), next, prev };
	};

	it("goes both ways over equal instants without losing or repeating a row", async () => {
		for (const [index, id] of [..."abcdefg"].entries()) await db.insert(organizations).values(row(id, id, Math.floor(index / 3)));
		const first = await page({});
		expect([first.ids, first.prev]).toEqual(["gfe", null]);
		const second = await page({ after: first.next ?? [0, ""] });
		expect(second.ids).toBe("dcb");
		const third = await page({ after: second.next ?? [0, ""] });
		expect([third.ids, third.next]).toEqual(["a", null]);
		const back = await page({ before: third.prev ?? [0, ""] });
		expect(back.ids).toBe("dcb");
		const front = await page({ before: back.prev ?? [0, ""] });
		expect([front.ids, front.prev]).toEqual(["gfe", null]);
		expect((await page({}, "oldest")).ids).toBe("abc");
	});
});
