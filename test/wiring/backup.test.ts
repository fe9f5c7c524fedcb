// The backup of a database: after anything that happens, its files together say what the database holds.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { columnsOf, isBackedUp, keyOf, lineOf, type ReadRow, rowsAfter } from "../../src/db/backup";
import { Database } from "../../src/db/database";
import { fromHex } from "../../src/shared/bytes";
import { DAY_MS } from "../../src/shared/time";
import { backUp } from "../../src/wiring/backup";
import { backedUp, chain, emptyBucket, type File, migrated, replayed } from "../support/backups";
import { givenLoan, pay } from "../support/credit";
import { runDueWork } from "../support/loans";

beforeEach(emptyBucket);

/** The same as the database says. */
async function held(): Promise<Map<string, Map<string, string>>> {
	const db = new Database(env.DB, "first-primary");
	const { results } = await env.DB.prepare("select name from sqlite_schema where type = 'table'").all<{ name: string }>();
	const tables = new Map<string, Map<string, string>>();
	for (const { name } of results.filter(({ name: table }) => isBackedUp(table))) {
		const infos = await db.read(db.orm.all<{ name: string; type: string; pk: number }>(columnsOf(name)));
		const table = { name, columns: infos.map(({ name: column, type, pk }) => ({ name: column, blob: /blob/i.test(type), key: pk })) };
		expect(keyOf(table).length, name).toBeGreaterThan(0);
		expect(keyOf(table).length, name).toBeLessThanOrEqual(4);
		const rows = await db.read(db.orm.all<ReadRow>(rowsAfter(table, { after: undefined, limit: 100_000 })));
		tables.set(name, new Map(rows.map((row) => [row.key, JSON.stringify(JSON.parse(lineOf(row) ?? "[]"))])));
	}
	return tables;
}

/** The files are a chain, and make the database as it is. */
async function expectSame(): Promise<File[]> {
	const files = await chain();
	expect(files.at(-1)?.opening.whole).toBe(true);
	const from = files.findIndex(({ opening }) => opening.number === files.at(-1)?.opening.base);
	for (const [index, { opening, name, hash }] of files.entries()) {
		expect(opening.number).toBe(index + 1);
		expect(opening.previous).toBe(files[index - 1]?.hash ?? "");
		expect(name).toContain(hash.slice(0, 16));
	}
	const [said, is] = [await replayed(files.slice(from)), await held()];
	for (const [table, rows] of is) expect(said.get(table) ?? new Map(), table).toEqual(rows);
	return files;
}

const noted = async (): Promise<number> => (await env.DB.prepare("select count(*) as n from changed_rows").first<number>("n")) ?? -1;

it("has every row, and from then on those that change", async () => {
	const loan = await givenLoan();
	await backedUp();
	const first = await expectSame();
	await pay(loan, 100);
	await env.DB.prepare("delete from rate_windows").run();
	await backedUp();
	const files = await expectSame();
	expect(files.length).toBe(first.length + 1);
	const said = files.at(-1)?.lines.join("\n") ?? "";
	expect(said).toContain('{"table":"payments"');
	expect(said).not.toContain('{"table":"organizations"');
	expect(await noted()).toBe(0);
});

it("writes nothing while nothing changes, and a row once however often it changes", async () => {
	const { accountId } = await givenLoan();
	await backedUp();
	const before = (await chain()).length;
	await backedUp();
	expect((await chain()).length).toBe(before);
	for (let time = 0; time < 3; time++) await env.DB.prepare("update credit_accounts set updated_at = updated_at + 1").run();
	expect(await noted()).toBe(1);
	await backedUp();
	const [, ...rows] = (await expectSame()).at(-1)?.lines ?? [];
	expect(rows).toHaveLength(1);
	expect(rows[0]).toContain(accountId);
});

it("forgets no change that comes while a file is written", async () => {
	await givenLoan();
	await backedUp();
	await env.DB.prepare("update users set locale = 'First'").run();
	await backedUp(async (name, bytes) => {
		await env.DB.prepare("update users set locale = 'Second'").run();
		await env.BUCKET.put(name, bytes);
	});
	expect((await chain()).at(-1)?.lines.join()).toContain("First");
	expect(await noted()).toBe(1);
	await backedUp();
	expect((await expectSame()).at(-1)?.lines.join()).toContain("Second");
});

it.each(["before", "after"])("a backup continues after it was killed %s its file was written", async (when) => {
	await givenLoan();
	await backedUp();
	const wrong = vi.spyOn(console, "error").mockImplementation(() => {});
	await env.DB.prepare("update users set locale = 'First'").run();
	const killed = backedUp(async (name, bytes) => {
		if (when === "after") await env.BUCKET.put(name, bytes);
		throw new Error("killed");
	});
	await expect(killed).rejects.toThrow("killed");
	await env.DB.prepare("update organizations set name = 'Later'").run();
	await backedUp();
	wrong.mockRestore();
	await expectSame();
});

it("keeps one chain when two sweeps write at once", async () => {
	await givenLoan();
	await backedUp();
	await env.DB.prepare("update users set locale = 'First'").run();
	await Promise.all([backedUp(), backedUp()]);
	await expectSame();
});

it("leaves the rest to another sweep that has begun a file meanwhile", async () => {
	await givenLoan();
	await backedUp();
	await env.DB.prepare("update users set locale = 'First'").run();
	let files = 0;
	await backedUp(async (name, bytes) => {
		files++;
		// As another sweep does when it begins a file.
		await env.DB.prepare("update backup_heads set generation = generation + 1").run();
		await env.BUCKET.put(name, bytes);
	});
	expect(files).toBe(1);
	await backedUp();
	await expectSame();
});

it("copies all rows again after a week, and needs no file from before", async () => {
	await givenLoan();
	await backedUp();
	const before = (await chain()).length;
	await backedUp(undefined, 8 * DAY_MS);
	await env.DB.prepare("update users set locale = 'First'").run();
	await backedUp();
	expect((await expectSame()).at(-1)?.opening.base).toBe(before + 1);
});

it("copies a table again whose changes were not noted for a time, and then notes them", async () => {
	await givenLoan();
	await backedUp();
	await migrated("rate_windows");
	await env.DB.prepare("delete from rate_windows").run();
	// And a table to which it has added a column.
	await env.DB.prepare("update backup_tables set columns = json_remove(columns, '$[#-1]') where name = 'users'").run();
	const before = (await chain()).length;
	await backedUp();
	await env.DB.prepare("update users set locale = 'First'").run();
	await backedUp();
	const said = (await expectSame()).slice(before).flatMap(({ lines }) => lines);
	expect(said.filter((line) => line.includes('"anew":true'))).toEqual([expect.stringContaining('"rate_windows"')]);
});

it("ends where no bucket is bound any more", async () => {
	await givenLoan();
	await backedUp();
	await runDueWork(async (services) => expect(await backUp(services)).toBe(false));
	const { results } = await env.DB.prepare("select name from sqlite_schema where type = 'trigger' and name like 'backup%'").all();
	expect(results).toEqual([]);
	await env.DB.prepare("update users set locale = 'First'").run();
	expect(await noted()).toBe(0);
});

it("keeps blobs and numbers exactly", async () => {
	const webhook = fromHex("00ff7f80000102030405060708090a0b");
	await backedUp();
	await env.DB.prepare(
		"insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at) values (?1, ?1, ?1, ?1, 'x', 9007199254740991, 1, 1)",
	)
		.bind(webhook)
		.run();
	await backedUp();
	const files = await expectSame();
	expect(files.at(-1)?.lines.join()).toContain('"x00FF7F80000102030405060708090A0B"');
	expect(files.at(-1)?.lines.join()).toContain("9007199254740991");
});
