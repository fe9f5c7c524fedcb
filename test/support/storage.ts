// Empties databases and Durable Objects between tests. To make every table again for each test would take half of a suite's time,
// so only rows are deleted, unless a test has changed a table.

import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { databases } from "./databases";

type SchemaObject = { type: string; name: string; tbl_name: string; sql: string };

/** What the migration writes. */
const KEPT = ["d1_migrations", "schema_version"];
/** D1 selects at most 100 columns. */
const MAX_COLUMNS = 90;

/** The schema of each database, and the rows that are kept, as they are after the migration. */
const migrated = new WeakMap<D1Database, string>();

async function look(database: D1Database): Promise<{ objects: SchemaObject[]; fingerprint: string }> {
	const { results: objects } = await database
		.prepare("select type, name, tbl_name, sql from sqlite_master where name not like '\\_cf%' escape '\\' order by type, name")
		.all<SchemaObject>();
	const isMigrated = objects.some(({ name }) => name === "schema_version");
	const version = isMigrated ? await database.prepare("select * from schema_version").all() : undefined;
	return { objects, fingerprint: JSON.stringify([objects, version?.results]) };
}

/** Which of the tables have rows. */
export async function withRows(database: D1Database, tables: readonly string[]): Promise<string[]> {
	const used: string[] = [];
	for (let from = 0; from < tables.length; from += MAX_COLUMNS) {
		const columns = tables.slice(from, from + MAX_COLUMNS).map((name) => `exists(select 1 from "${name}") as "${name}"`);
		const row = await database.prepare(`select ${columns.join()}`).first<Record<string, number>>();
		used.push(...Object.entries(row ?? {}).flatMap(([name, some]) => (some ? [name] : [])));
	}
	return used;
}

/** Deletes every row. false: this is not the schema of the migration. */
async function emptied(database: D1Database): Promise<boolean> {
	const { objects, fingerprint } = await look(database);
	if (fingerprint !== migrated.get(database)) return false;
	const tables = objects.filter(({ type, name }) => type === "table" && !name.startsWith("sqlite_") && !KEPT.includes(name));
	const used = await withRows(
		database,
		tables.map(({ name }) => name),
	);
	if (used.length === 0) return true;
	// Rows of append-only tables cannot be deleted while their triggers are there.
	const triggers = objects.filter(({ type, tbl_name, sql }) => type === "trigger" && used.includes(tbl_name) && /\bdelete on\b/i.test(sql));
	await database.batch(
		[
			...triggers.map(({ name }) => `drop trigger "${name}"`),
			...used.map((name) => `delete from "${name}"`),
			...triggers.map(({ sql }) => sql),
		].map((sql) => database.prepare(sql)),
	);
	return true;
}

let test = 0;
/** A namespace in which each test has objects of its own: the name of a test before is another name. */
const ownObjects = <T extends Rpc.DurableObjectBranded | undefined>(namespace: DurableObjectNamespace<T>): DurableObjectNamespace<T> =>
	new Proxy(namespace, {
		get(target, member) {
			const value = Reflect.get(target, member) as unknown;
			if (member === "getByName") return (name: string) => target.getByName(`${test} ${name}`);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});

/** The bindings as requests get them. */
export const testEnv: Env = {
	...env,
	IDEMPOTENCY_KEYS: ownObjects(env.IDEMPOTENCY_KEYS),
	DELIVERY_RETRIES: ownObjects(env.DELIVERY_RETRIES),
};

/** The database of tests that need a second one beside the layout. */
const all = [...databases, env.SECOND_DB];

export async function emptyStorage(): Promise<void> {
	test++;
	const done = await Promise.all(all.map(emptied));
	if (done.every((each) => each)) return;
	await reset();
	for (const database of all) {
		await applyD1Migrations(database, env.TEST_MIGRATIONS);
		migrated.set(database, (await look(database)).fingerprint);
	}
}
