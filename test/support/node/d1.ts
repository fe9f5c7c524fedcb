// The binding of D1, over SQLite in Node.

import type { SQLInputValue } from "node:sqlite";
import type { Bound, Row, Sqlite } from "./sqlite";

/** D1 takes booleans and bytes of any kind, SQLite here takes neither. */
function bindable(value: unknown): SQLInputValue {
	if (typeof value === "boolean") return value ? 1 : 0;
	if (value instanceof ArrayBuffer) return new Uint8Array(value);
	if (Array.isArray(value)) return Uint8Array.from(value as number[]);
	if (value === undefined) throw new Error("D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'");
	return value as SQLInputValue;
}

/** D1 answers bytes as an array of numbers. */
const answered = (row: Row): Row =>
	Object.values(row).some((value) => value instanceof Uint8Array)
		? Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]))
		: row;

class Prepared implements Bound {
	readonly sql: string;
	readonly values: readonly SQLInputValue[];
	readonly #sqlite: Sqlite;

	constructor(sqlite: Sqlite, sql: string, values: readonly SQLInputValue[] = []) {
		this.#sqlite = sqlite;
		this.sql = sql;
		this.values = values;
	}

	/** What workerd's statements call their text. */
	get statement(): string {
		return this.sql;
	}

	bind(...values: unknown[]): Prepared {
		return new Prepared(this.#sqlite, this.sql, values.map(bindable));
	}

	async all(): Promise<D1Result<Row>> {
		const [result] = this.#sqlite.batch([this]);
		if (!result) throw new Error("a batch of one has one result");
		return { ...result, results: result.results.map(answered) };
	}

	run(): Promise<D1Result<Row>> {
		return this.all();
	}

	async raw(): Promise<unknown[][]> {
		return (await this.all()).results.map((row) => Object.values(row));
	}

	async first(column?: string): Promise<unknown> {
		const [row] = (await this.all()).results;
		return column === undefined ? (row ?? null) : (row?.[column] ?? null);
	}
}

/** @param tick is told of each round trip */
export function d1Over(sqlite: Sqlite, tick: () => void): D1Database {
	const database = {
		prepare: (sql: string) => new Prepared(sqlite, sql),
		async batch(statements: readonly Prepared[]) {
			tick();
			return sqlite.batch(statements).map((result) => ({ ...result, results: result.results.map(answered) }));
		},
		async exec(sql: string) {
			sqlite.exec(sql);
			return { count: 1, duration: 0 };
		},
		getBookmark: () => null,
		withSession: () => database,
	};
	return database as unknown as D1Database;
}
