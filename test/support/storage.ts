// Empties databases and Durable Objects between tests. Only rows are deleted, unless a test has changed the schema: to migrate again for
// each test would take half of the suite's time.

import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { databases } from "./databases";

/** Tables whose rows the migration writes. */
export const KEPT = ["d1_migrations", "schema_version"];
/** D1 selects at most 100 columns. */
const MAX_COLUMNS = 90;
const NOT_OF_D1 = "name not like '\\_cf%' escape '\\'";

/** Changes with the schema and the recorded version. It is short, because it is read before each test. */
const FINGERPRINT = `select count(*) as objects, sum(length(name)) as names, sum(length(sql)) as texts,
	(select group_concat(hash) from schema_version) as version from sqlite_master where ${NOT_OF_D1}`;

/** What every database has after the migration. */
type Migrated = {
	fingerprint: string;
	tables: readonly string[];
	/** The triggers that prevent deletes. */
	triggers: readonly { name: string; table: string; sql: string }[];
};
let migrated: Migrated | undefined;

async function look(database: D1Database): Promise<Migrated> {
	const fingerprint = JSON.stringify(await database.prepare(FINGERPRINT).first());
	const { results: objects } = await database
		.prepare(`select type, name, tbl_name as "table", sql from sqlite_master where ${NOT_OF_D1} and name not like 'sqlite_%'`)
		.all<{ type: string; name: string; table: string; sql: string }>();
	return {
		fingerprint,
		tables: objects.filter(({ type, name }) => type === "table" && !KEPT.includes(name)).map(({ name }) => name),
		triggers: objects.filter(({ type, sql }) => type === "trigger" && /\bdelete on\b/i.test(sql)),
	};
}

/** Statements whose columns tell which tables have rows. */
const occupancy = (database: D1Database, tables: readonly string[]): D1PreparedStatement[] =>
	Array.from({ length: Math.ceil(tables.length / MAX_COLUMNS) }, (_, index) => {
		const some = tables.slice(index * MAX_COLUMNS, (index + 1) * MAX_COLUMNS);
		return database.prepare(`select ${some.map((name) => `exists(select 1 from "${name}") as "${name}"`).join()}`);
	});

const namesIn = (answers: readonly D1Result<Record<string, unknown>>[]): string[] =>
	answers.flatMap(({ results: [row = {}] }) => Object.entries(row).flatMap(([name, some]) => (some ? [name] : [])));

/** The tables that have rows, without those that the migration fills. */
export const withRows = async (database: D1Database): Promise<string[]> =>
	namesIn(await database.batch<Record<string, unknown>>(occupancy(database, migrated?.tables ?? [])));

/** Deletes every row. Returns false, and deletes nothing, if the schema is not that of the migration. */
async function emptied(database: D1Database): Promise<boolean> {
	if (!migrated) return false;
	const { fingerprint, tables, triggers } = migrated;
	const looked = await database
		.batch<Record<string, unknown>>([database.prepare(FINGERPRINT), ...occupancy(database, tables)])
		.catch((error: Error) => {
			if (/no such table/.test(error.message)) return undefined;
			throw error;
		});
	const [found, ...answers] = looked ?? [];
	if (JSON.stringify(found?.results[0]) !== fingerprint) return false;
	const used = namesIn(answers);
	if (used.length === 0) return true;
	// The triggers of append-only tables are dropped for the deletes, and created again.
	const hindering = triggers.filter(({ table }) => used.includes(table));
	await database.batch(
		[
			...hindering.map(({ name }) => `drop trigger "${name}"`),
			...used.map((name) => `delete from "${name}"`),
			...hindering.map(({ sql }) => sql),
		].map((sql) => database.prepare(sql)),
	);
	return true;
}

let test = 0;
/** A namespace in which each test has its own objects, because names are prefixed with the number of the test. */
const ownObjects = <N extends { getByName(name: string): unknown }>(namespace: N): N =>
	new Proxy(namespace, {
		get(target, member) {
			const value = Reflect.get(target, member) as unknown;
			if (member === "getByName") return (name: string) => target.getByName(`${test} ${name}`);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});

/** The bindings that requests get. */
export const testEnv: Env = {
	...env,
	IDEMPOTENCY_KEYS: ownObjects(env.IDEMPOTENCY_KEYS),
	DELIVERY_RETRIES: ownObjects(env.DELIVERY_RETRIES),
};

/** All databases under test, and the one that some tests bind as a second. */
const all = [...databases, env.SECOND_DB];

export async function emptyStorage(): Promise<void> {
	test++;
	const done = await Promise.all(all.map(emptied));
	if (done.every((each) => each)) return;
	await reset();
	for (const database of all) await applyD1Migrations(database, env.TEST_MIGRATIONS);
	migrated = await look(env.DB);
}
