// Presents all databases under test as one, so that a test need not know where rows are: reads and updates go to every database, an
// insert goes to the database of the row's home.

import { env } from "cloudflare:workers";
import { placesOf } from "../../src/db/places";
import { homeOf, isUuid } from "../../src/shared/ids";

const places = placesOf(env);

export const databases: readonly D1Database[] = places.all.map(({ database }) => database);
/** Whether there is only one database. */
export const alone = databases.length === 1;

/** The database that holds the home of the id. */
export const databaseOf = (id: string): D1Database => places.of(homeOf(id)).database;

/** Tables that every database has a copy of. */
const COPIED = new Set(["organizations"]);

/** Tables that only the directory has. */
const OF_DIRECTORY = new Set(["names"]);

/** The columns whose ids carry the row's home. The first of them that the row has decides. */
const NAMING = ["id", "user_id", "organization_id", "delivery_id", "webhook_id"];
/** Tables in which another column decides. */
const NAMED_BY: { readonly [table: string]: string } = {
	credit_bureau_rows: "organization_id",
	journal_entries: "organization_id",
	organization_members: "organization_id",
};

function targetsOf(sql: string, params: readonly unknown[]): readonly D1Database[] {
	const [, table = "", columns = "", values = ""] = /^\s*insert into "?(\w+)"? \(([^)]*)\) values \(([^)]*)\)/i.exec(sql) ?? [];
	// All databases have the same tables and indexes, hence the same plans.
	if (/^\s*explain/i.test(sql)) return [env.DB];
	if (OF_DIRECTORY.has(table)) return [env.DB];
	// In `insert … select` the first id among the parameters carries the home.
	const named = params.find((value) => typeof value === "string" && isUuid(value));
	if (table === "" && /^\s*insert /i.test(sql) && typeof named === "string") return [databaseOf(named)];
	if (table === "" || COPIED.has(table)) return databases;
	const names = columns.split(",").map((name) => name.trim().replaceAll('"', ""));
	let bound = 0;
	const row = new Map(values.split(",").map((value, index) => [names[index], value.trim() === "?" ? params[bound++] : undefined]));
	if (table === "loan_products" && row.get("organization_id") == null) return databases;
	const naming = NAMED_BY[table];
	const id = (naming ? [naming] : NAMING).map((name) => row.get(name)).find((value) => typeof value === "string" && isUuid(value));
	return [typeof id === "string" ? databaseOf(id) : env.DB];
}

/** The rows without duplicates, for tables that every database has a copy of. */
const distinct = <Row>(sql: string, rows: readonly Row[]): Row[] =>
	/\b(organizations|loan_products|commission_models)\b/.test(sql)
		? [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]
		: [...rows];

class Everywhere {
	readonly #sql: string;
	readonly #params: readonly unknown[];

	constructor(sql: string, params: readonly unknown[] = []) {
		this.#sql = sql;
		this.#params = params;
	}

	bind(...params: unknown[]) {
		return new Everywhere(this.#sql, params);
	}

	async all<T>(): Promise<D1Result<T>> {
		const results = await Promise.all(
			targetsOf(this.#sql, this.#params).map((database) =>
				database
					.prepare(this.#sql)
					.bind(...this.#params)
					.all<T>(),
			),
		);
		const [first] = results as [D1Result<T>];
		return {
			...first,
			results: distinct(
				this.#sql,
				results.flatMap((result) => result.results),
			),
		};
	}

	run<T>() {
		return this.all<T>();
	}

	async raw(): Promise<unknown[]> {
		const rows = await Promise.all(
			targetsOf(this.#sql, this.#params).map((database) =>
				database
					.prepare(this.#sql)
					.bind(...this.#params)
					.raw(),
			),
		);
		return distinct(this.#sql, rows.flat());
	}

	/** The first row. A column that is a count or a sum is added up over all databases. */
	async first(column?: string): Promise<unknown> {
		const { results } = await this.all<Record<string, unknown>>();
		const [row] = results;
		if (column === undefined) return row ?? null;
		if (/^\s*select (count|sum)\(/i.test(this.#sql)) return results.reduce((total, each) => total + Number(each[column]), 0);
		return row?.[column] ?? null;
	}
}

const union = {
	prepare: (sql: string) => new Everywhere(sql),
	batch: (statements: readonly Everywhere[]) => Promise.all(statements.map((statement) => statement.all())),
	async exec(sql: string) {
		for (const database of databases) await database.exec(sql);
	},
};

export const everyDatabase: D1Database = alone ? env.DB : (union as unknown as D1Database);

/** Bindings of all databases, each wrapped, for example to inject faults into a request. */
export const wrapped = (wrap: (database: D1Database) => D1Database): Partial<Env> =>
	Object.fromEntries(places.all.map(({ name, database }) => [name, wrap(database)]));

type Batch = (statements: D1PreparedStatement[], run: () => Promise<D1Result[]>) => Promise<D1Result[]>;

/** The database, with every batch of a request intercepted by `batch`. */
export const withBatches = (database: D1Database, batch: Batch) =>
	({
		prepare: (query: string) => database.prepare(query),
		withSession(constraint?: string) {
			const session = database.withSession(constraint);
			return {
				prepare: (query: string) => session.prepare(query),
				batch: (statements: D1PreparedStatement[]) => batch(statements, () => session.batch(statements)),
				getBookmark: () => session.getBookmark(),
			};
		},
	}) as unknown as D1Database;

/** Bindings of all databases that record which of them a request writes to. */
export function recordingWrites(): { vars: Partial<Env>; written: () => string[] } {
	const seen = new Set<string>();
	const vars = places.all.map(({ name, database }) => {
		const recording = withBatches(database, async (_, run) => {
			const results = await run();
			if (results.some(({ meta }) => meta.rows_written > 0)) seen.add(name);
			return results;
		});
		return [name, recording];
	});
	return { vars: Object.fromEntries(vars) as Partial<Env>, written: () => [...seen].sort() };
}

/** Bindings of the named databases that refuse writes, as if the process ended before it wrote there. */
export function refusingWrites(named: readonly string[]): Partial<Env> {
	const vars = places.all
		.filter(({ name }) => named.includes(name))
		.map(({ name, database }) => {
			const isWrite = (statement: D1PreparedStatement) =>
				!/^\s*(select|with)/i.test((statement as unknown as { statement: string }).statement);
			const readOnly = withBatches(database, async (statements, run) => {
				if (statements.some(isWrite)) throw new Error("the process has ended");
				return run();
			});
			return [name, readOnly];
		});
	return Object.fromEntries(vars) as Partial<Env>;
}
