// An attempt is counted once, however many see that it is due.

import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { countAttempt } from "../../src/db/attempts";
import { Database, StaleWrite } from "../../src/db/database";
import { first } from "../../src/db/reads";
import { custodianInstructions } from "../../src/domains/current-accounts/custodian/table";

const database = () => new Database(env.DB, "first-primary");
const open = eq(custodianInstructions.status, "PENDING");
const seen = { id: "instruction", attempts: 1 };
const claim = (db: Database, of = seen) => db.commit([countAttempt(db.orm, custodianInstructions, of, { next: 60_000, open })]);
const counts = async () => {
	const db = database();
	const rows = await db.read(db.orm.select().from(custodianInstructions));
	return rows.map(({ id, attempts, nextAttemptAt }) => [id, attempts, nextAttemptAt]);
};

beforeEach(async () => {
	const db = database();
	const order = { kind: "OPEN", round: 1, facts: {}, status: "PENDING", attempts: 1, nextAttemptAt: 1, createdAt: 1 } as const;
	await db.commit([db.orm.insert(custodianInstructions).values(["instruction", "another"].map((id) => ({ ...order, id, subjectId: id })))]);
});

describe("an attempt", () => {
	it("is counted in its own row, with the time of the next one and what else changes", async () => {
		const db = database();
		await db.commit([countAttempt(db.orm, custodianInstructions, seen, { next: 60_000, open, also: { createdAt: sql`created_at + 5` } })]);
		expect(await counts()).toEqual([
			["instruction", 2, 60_000],
			["another", 1, 1],
		]);
		const row = await db.read(first(db.orm.select().from(custodianInstructions).where(eq(custodianInstructions.id, "instruction"))));
		expect(row?.createdAt).toBe(6);
	});

	it("is stale when another sweep has counted it", async () => {
		await claim(database());
		await expect(claim(database())).rejects.toBeInstanceOf(StaleWrite);
		expect((await counts())[0]).toEqual(["instruction", 2, 60_000]);
	});

	it("is stale when the row is no longer open", async () => {
		const db = database();
		await db.commit([db.orm.update(custodianInstructions).set({ status: "TAKEN" })]);
		await expect(claim(db)).rejects.toBeInstanceOf(StaleWrite);
		expect((await counts())[0]).toEqual(["instruction", 1, 1]);
	});
});
