// What D1 fails with for a moment: it is asked again, and a commit that may have been done is not done twice.

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { auditRows } from "../../src/db/audit.table";
import { Database } from "../../src/db/database";
import { orStaleUnless } from "../../src/db/guards";
import { DatabaseUnavailable, failureIn, Landed, waitBy } from "../../src/db/transient";

const LOST = "D1_ERROR: Network connection lost.";
const OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";

type Failing = { readonly message: string; readonly done: boolean };
let pauses: number[];
beforeEach(() => {
	pauses = [];
	waitBy(async (ms) => void pauses.push(ms));
});

afterEach(() => waitBy());

/** A database whose first batches fail like this, one after the other. */
function failing(...failures: Failing[]): Database {
	const left = [...failures];
	const withSession = () => {
		const session = env.DB.withSession();
		return {
			prepare: (text: string) => session.prepare(text),
			async batch(statements: D1PreparedStatement[]) {
				const failure = left.shift();
				if (!failure) return session.batch(statements);
				if (failure.done) await session.batch(statements);
				throw new Error(failure.message);
			},
			getBookmark: () => null,
		};
	};
	return new Database({ withSession } as unknown as D1Database, "first-primary");
}

const insert = (name: string) => sql`insert into names (kind, value, id, created_at) values ('ORGANIZATION', ${name}, ${name}, 0)`;
const count = async () => (await env.DB.prepare("select count(*) as n from names where kind = 'ORGANIZATION'").first<{ n: number }>())?.n;

it("of D1's words the four that pass are known, and nothing else", () => {
	expect(failureIn(LOST)).toBe("LOST");
	expect(failureIn("D1_ERROR: D1 DB storage caused object to be reset.")).toBe("LOST");
	expect(failureIn("D1_ERROR: D1 DB reset because its code was updated.")).toBe("LOST");
	expect(failureIn(OVERLOADED)).toBe("OVERLOADED");
	expect(failureIn("D1_ERROR: UNIQUE constraint failed: names.kind, names.value")).toBe("OTHER");
});

it("a read is tried three times, twice as long apart each time", async () => {
	const lost = { message: LOST, done: false };
	const db = failing(lost, lost);
	expect(await db.read(db.orm.all(sql`select 1 as one`) as never)).toHaveLength(1);
	expect(pauses).toHaveLength(2);
	for (const [index, ms] of pauses.entries()) {
		expect(ms).toBeGreaterThanOrEqual(50 * 2 ** index);
		expect(ms).toBeLessThanOrEqual(75 * 2 ** index);
	}
	const down = failing(lost, lost, lost);
	await expect(down.read(down.orm.all(sql`select 1 as one`) as never)).rejects.toThrow(DatabaseUnavailable);
});

it("a commit that nothing would stop a second time is not repeated after it may have been done, and is while D1 takes nothing", async () => {
	const lost = failing({ message: LOST, done: true });
	await expect(lost.commit([insert("a")])).rejects.toThrow(DatabaseUnavailable);
	expect(await count()).toBe(1);
	await failing({ message: OVERLOADED, done: false }).commit([insert("b")]);
	expect(await count()).toBe(2);
});

it("a guarded commit is repeated, and meets its own guard where it was done", async () => {
	const guardedInsert = (name: string) => [orStaleUnless(sql`not exists (select 1 from names where value = ${name})`), insert(name)];
	await failing({ message: LOST, done: false }).commit(guardedInsert("a"));
	await expect(failing({ message: LOST, done: true }).commit(guardedInsert("b"))).rejects.toThrow("stale write");
	expect(await count()).toBe(2);
});

it("a commit with a mark says that it was done, and a commit that is refused in its own right is refused", async () => {
	const id = crypto.randomUUID();
	const row = sql`insert into audit_rows (stream, sequence, id, operation, actor_kind, actor_id, target, changes, request_id, created_at)
		values ('s', 1, ${id}, 'o', 'OPERATOR', 'a', '{}', '{}', 'r', 0)`;
	const marked = { statements: [row], mark: { table: auditRows, id } };
	await expect(failing({ message: LOST, done: true }).commit([insert("a"), marked])).rejects.toThrow(Landed);
	const other = { statements: [], mark: { table: auditRows, id: crypto.randomUUID() } };
	await expect(failing({ message: LOST, done: false }).commit([insert("a"), other])).rejects.toThrow("unique violation");
	expect(await count()).toBe(1);
});
