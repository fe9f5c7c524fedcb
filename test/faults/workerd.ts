// The platform of plans in workerd, over the real bindings. D1 has no savepoints, so what a plan did is taken back row by row.

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { databases } from "../support/databases";
import { testEnv } from "../support/storage";
import { runOn } from "./platform";

type Row = Record<string, unknown>;

/** Each plan has objects of its own: their names begin with how many plans there were. */
let taken = 0;
const named = new Map<string, DurableObjectStub>();
const ownObjects = (binding: string) => ({
	getByName(name: string) {
		const stub = (testEnv[binding as keyof Env] as unknown as DurableObjectNamespace).getByName(`${taken} ${name}`);
		named.set(`${binding} ${name}`, stub);
		return stub;
	},
});

async function rowsOf(database: D1Database): Promise<Map<string, Row[]>> {
	const { results } = await database
		.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'")
		.all<{ name: string }>();
	const tables = results.map(({ name }) => name);
	const answers = await database.batch<Row>(tables.map((name) => database.prepare(`select * from "${name}"`)));
	return new Map(answers.map(({ results }, index) => [tables[index] ?? "", results]));
}

/** Makes the tables that differ what they were. Their triggers, which refuse deletes or write other rows, are away meanwhile. */
async function restore(database: D1Database, before: ReadonlyMap<string, readonly Row[]>): Promise<void> {
	const after = await rowsOf(database);
	const changed = [...before].filter(([name, rows]) => JSON.stringify(rows) !== JSON.stringify(after.get(name)));
	if (changed.length === 0) return;
	const { results: triggers } = await database
		.prepare("select name, tbl_name as \"table\", sql from sqlite_master where type = 'trigger'")
		.all<{ name: string; table: string; sql: string }>();
	const away = triggers.filter(({ table }) => changed.some(([name]) => name === table));
	const inserts = changed.flatMap(([name, rows]) =>
		rows.map((row) =>
			database
				.prepare(`insert into "${name}" (${Object.keys(row).map((column) => `"${column}"`)}) values (${Object.keys(row).map(() => "?")})`)
				.bind(...Object.values(row).map((value) => (Array.isArray(value) ? Uint8Array.from(value as number[]) : value))),
		),
	);
	await database.batch([
		...away.map(({ name }) => database.prepare(`drop trigger "${name}"`)),
		...changed.map(([name]) => database.prepare(`delete from "${name}"`)),
		...inserts,
		...away.map(({ sql }) => database.prepare(sql)),
	]);
}

runOn({
	env: { ...testEnv, IDEMPOTENCY_KEYS: ownObjects("IDEMPOTENCY_KEYS"), DELIVERY_RETRIES: ownObjects("DELIVERY_RETRIES") } as unknown as Env,
	setTime: (at) => void vi.setSystemTime(at),
	quiet: () => scheduler.wait(5),
	async evict(binding, name) {
		const stub = named.get(`${binding} ${name}`);
		if (stub) await evictDurableObject(stub);
	},
	// Compared in Node.
	stored: async () => [],
	async ring(now) {
		for (const stub of named.values()) {
			const at = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
			if (at !== null && at <= now) await runDurableObjectAlarm(stub);
		}
	},
	async takenBack(work) {
		taken++;
		const before = await Promise.all(databases.map(rowsOf));
		try {
			return await work();
		} finally {
			for (const [index, database] of databases.entries()) await restore(database, before[index] ?? new Map());
			named.clear();
			taken++;
		}
	},
});
