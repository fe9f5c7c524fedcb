// Empties databases and Durable Objects between tests. Only rows are deleted, unless a test has changed the schema: to migrate again for
// each test would take half of the suite's time.

import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { databases } from "./databases";
import { inNode } from "./runtime";
import { sent, watchDatabases } from "./sent";

/** Tables whose rows the migration writes. */
export const KEPT = ["d1_migrations", "schema_version"];
/** D1 selects at most 100 columns. */
const MAX_COLUMNS = 90;
const NOT_OF_D1 = "name not like '\\_cf%' escape '\\'";

/** Changes with the schema and the recorded version. It is read where a test has sent something that may change them. */
const FINGERPRINT = `select count(*) as objects, sum(length(name)) as names, sum(length(sql)) as texts,
	(select group_concat(hash) from schema_version) as version from sqlite_master where ${NOT_OF_D1}`;

/** A row that no migration writes. While it is there, rows of append-only tables can be deleted. */
const EMPTYING = { begins: "insert into d1_migrations (id, name) values (0, 'emptying')", ends: "delete from d1_migrations where id = 0" };
const NOT_WHILE_EMPTYING = "not exists (select 1 from d1_migrations where id = 0)";

/** What every database has after the migration. */
type Migrated = { fingerprint: string; tables: readonly string[] };
let migrated: Migrated | undefined;

type SchemaObject = { type: string; name: string; sql: string };

const objectsOf = async (database: D1Database): Promise<SchemaObject[]> =>
	(await database.prepare(`select type, name, sql from sqlite_master where ${NOT_OF_D1} and name not like 'sqlite_%'`).all<SchemaObject>())
		.results;

async function migrate(database: D1Database): Promise<void> {
	await applyD1Migrations(database, env.TEST_MIGRATIONS);
	// To drop the triggers for each deletion would change the schema, and SQLite would prepare every statement of every test again.
	const preventing = (await objectsOf(database)).filter(({ type, sql }) => type === "trigger" && /\bdelete on\b/i.test(sql));
	await database.batch(
		preventing.flatMap(({ name, sql }) => [database.prepare(`drop trigger "${name}"`), database.prepare(unlessEmptying(sql))]),
	);
}

/** The trigger, so that it lets rows go while the database is emptied. */
function unlessEmptying(trigger: string): string {
	const [whole, head, condition = "true", body] = /^(.*? delete on \S+)(?: when (.*?))? (begin .*)$/is.exec(trigger) ?? [];
	if (whole === undefined) throw new Error(`what prevents deletes cannot be read: ${trigger}`);
	return `${head} when ${NOT_WHILE_EMPTYING} and (${condition}) ${body}`;
}

/** Statements whose columns say which tables have rows. */
const occupancy = (database: D1Database, tables: readonly string[]): D1PreparedStatement[] =>
	Array.from({ length: Math.ceil(tables.length / MAX_COLUMNS) }, (_, index) => {
		const some = tables.slice(index * MAX_COLUMNS, (index + 1) * MAX_COLUMNS);
		return database.prepare(`select ${some.map((name) => `exists(select 1 from "${name}") as "${name}"`).join()}`);
	});

const namesIn = (answers: readonly D1Result<Record<string, unknown>>[]): string[] =>
	answers.flatMap(({ results: [row = {}] }) => Object.entries(row).flatMap(([name, some]) => (some ? [name] : [])));

/** The tables that had rows when a database was last looked at: most likely those that have some now. */
const occupied = new WeakMap<D1Database, readonly string[]>();

/**
 * The tables that have rows, without those that the migration fills, and in the same trip the answers to other statements, which come
 * first.
 */
export async function withRows(database: D1Database, ...first: D1PreparedStatement[]) {
	const answers = await database.batch<Record<string, unknown>>([...first, ...occupancy(database, migrated?.tables ?? [])]);
	const used = namesIn(answers.slice(first.length));
	occupied.set(database, used);
	return { used, answers: answers.slice(0, first.length) };
}

/** The rows of all tables that have some, and of `besides`. */
export async function rowsOf(database: D1Database, besides: readonly string[]): Promise<Map<string, Record<string, unknown>[]>> {
	const rows = new Map<string, Record<string, unknown>[]>();
	let names = [...besides, ...(occupied.get(database) ?? [])];
	while (names.length > 0) {
		const { used, answers } = await withRows(database, ...names.map((name) => database.prepare(`select * from "${name}"`)));
		for (const [index, name] of names.entries()) rows.set(name, answers[index]?.results ?? []);
		names = used.filter((name) => !rows.has(name));
	}
	return rows;
}

/** For what tests do that take a table away. */
export function unlessTableIsMissing(error: Error): undefined {
	if (!/no such table/.test(error.message)) throw error;
}

/** Deletes every row. Returns false if the schema is not that of the migration. */
async function emptied(database: D1Database): Promise<boolean> {
	if (!migrated) return false;
	const fingerprint = sent.schemas > found.schemas ? [FINGERPRINT] : [];
	for (;;) {
		const known = occupied.get(database) ?? [];
		const emptying = [EMPTYING.begins, ...known.map((name) => `delete from "${name}"`), EMPTYING.ends];
		const statements = [...(known.length > 0 ? emptying : []), ...fingerprint].map((sql) => database.prepare(sql));
		const looked = await withRows(database, ...statements).catch(unlessTableIsMissing);
		if (!looked || (fingerprint.length > 0 && JSON.stringify(looked.answers.at(-1)?.results[0]) !== migrated.fingerprint)) return false;
		if (looked.used.length === 0) return true;
	}
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
	// A test that wants them says so.
	SWEEPS: undefined,
};

/** The second database that some tests bind, and whether something was sent to it since it was emptied: most tests do without it. */
const second = { database: env.SECOND_DB, isTouched: true };

function watchSecond(): void {
	for (const member of ["prepare", "batch", "exec", "withSession"] as const) {
		const send = second.database[member].bind(second.database) as (...args: unknown[]) => unknown;
		Object.defineProperty(second.database, member, {
			value: (...args: unknown[]) => {
				second.isTouched = true;
				return send(...args);
			},
		});
	}
}

/** What had been sent when every database was last found empty, with the schema of the migration. */
let found = { ...sent };

/** Whether nothing was sent since every database was last found empty, so that there is nothing to look at. */
export const isUntouched = (): boolean => migrated !== undefined && sent.trips === found.trips;

export async function emptyStorage(): Promise<void> {
	if (test++ === 0) {
		watchDatabases();
		watchSecond();
	}
	if (isUntouched()) return;
	// Node takes back what was written, which is less work than to delete it.
	if (inNode) await reset();
	else await emptyTouched();
	migrated ??= await whatIsMigrated();
	second.isTouched = false;
	found = { ...sent };
}

async function emptyTouched(): Promise<void> {
	const touched = second.isTouched ? [...databases, second.database] : databases;
	const done = await Promise.all(touched.map(emptied));
	if (done.every((each) => each)) return;
	await reset();
	for (const database of [...databases, second.database]) await migrate(database);
	migrated = undefined;
}

async function whatIsMigrated(): Promise<Migrated> {
	const fingerprint = JSON.stringify(await env.DB.prepare(FINGERPRINT).first());
	const tables = (await objectsOf(env.DB)).filter(({ type, name }) => type === "table" && !KEPT.includes(name)).map(({ name }) => name);
	return { fingerprint, tables };
}
