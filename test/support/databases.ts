// All databases of the layout under test as one: reads and changes go to each, a new row to that of its home. So a test that looks at
// rows does not say where they are.

import { env } from "cloudflare:workers";
import { placesOf } from "../../src/db/places";
import { homeOf, isUuid } from "../../src/shared/ids";

const places = placesOf(env);

export const databases: readonly D1Database[] = places.all.map(({ database }) => database);
/** Whether one database holds everything. */
export const alone = databases.length === 1;

/** The database of an id's home. */
export const databaseOf = (id: string): D1Database => places.of(homeOf(id)).database;

/** What every database has a copy of. */
const COPIED = new Set(["organizations"]);

/** What only the directory has. */
const OF_DIRECTORY = new Set(["names"]);

/** The organization's copies of what has its home elsewhere. */
const OF_ORGANIZATION = new Set(["organization_members"]);

/** The columns whose value names the row's home, the first that the row has. */
const NAMING = ["id", "user_id", "organization_id", "delivery_id", "webhook_id"];

function targetsOf(sql: string, params: readonly unknown[]): readonly D1Database[] {
	const [, table = "", columns = "", values = ""] = /^\s*insert into "?(\w+)"? \(([^)]*)\) values \(([^)]*)\)/i.exec(sql) ?? [];
	// The layouts have the same tables and indexes.
	if (/^\s*explain/i.test(sql)) return [env.DB];
	if (OF_DIRECTORY.has(table)) return [env.DB];
	if (table === "" || COPIED.has(table)) return databases;
	const names = columns.split(",").map((name) => name.trim().replaceAll('"', ""));
	let bound = 0;
	const row = new Map(values.split(",").map((value, index) => [names[index], value.trim() === "?" ? params[bound++] : undefined]));
	if (table === "loan_products" && row.get("organization_id") == null) return databases;
	const id = (OF_ORGANIZATION.has(table) ? ["organization_id"] : NAMING).map((name) => row.get(name)).find((value) => typeof value === "string" && isUuid(value));
	return [typeof id === "string" ? databaseOf(id) : env.DB];
}

/** Copies count once. */
const distinct = <Row>(sql: string, rows: readonly Row[]): Row[] =>
	/\b(organizations|loan_products)\b/.test(sql) ? [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()] : [...rows];

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
		const results: D1Result<T>[] = [];
		for (const database of targetsOf(this.#sql, this.#params)) {
			results.push(
				await database
					.prepare(this.#sql)
					.bind(...this.#params)
					.all<T>(),
			);
		}
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

	/** A count or a sum is added up; otherwise the first row. */
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
	async batch(statements: readonly Everywhere[]) {
		const results: unknown[] = [];
		for (const statement of statements) results.push(await statement.all());
		return results;
	},
	async exec(sql: string) {
		for (const database of databases) await database.exec(sql);
	},
};

export const everyDatabase: D1Database = alone ? env.DB : (union as unknown as D1Database);

/** The bindings of all databases, each wrapped, for requests that shall meet a database with a fault. */
export const wrapped = (wrap: (database: D1Database) => D1Database): Partial<Env> =>
	Object.fromEntries(places.all.map(({ name, database }) => [name, wrap(database)]));
