// The binding of D1, over SQLite in Node.

import type { SQLInputValue } from "node:sqlite";
import { arrival } from "./clock";
import type { Bound, Row, Rows, Sqlite } from "./sqlite";

const bytesOf = (values: readonly unknown[]): Uint8Array =>
	Uint8Array.from(
		values.map((value) => {
			if (typeof value !== "number") throw unsupported(value, "object");
			return value;
		}),
	);

function unsupported(value: unknown, type: string = typeof value): Error {
	const told = `Type '${type}' not supported for value '${String(value)}'`;
	return new Error(`D1_TYPE_ERROR: ${told}`, { cause: new Error(told) });
}

/** D1 takes booleans, lists and bytes of any kind, and no bigint. */
function bindable(value: unknown): SQLInputValue {
	if (value === null || typeof value === "string") return value;
	if (typeof value === "number") return Number.isFinite(value) ? value : null;
	if (typeof value === "boolean") return value ? 1 : 0;
	if (value instanceof ArrayBuffer) return new Uint8Array(value);
	if (value instanceof Uint8Array) return value;
	if (Array.isArray(value)) return bytesOf(value);
	if (ArrayBuffer.isView(value)) return new Uint8Array();
	throw unsupported(value);
}

/** D1 answers as JSON: bytes as lists of numbers, and what is no number as null. */
function answered(value: unknown): unknown {
	if (value instanceof Uint8Array) return [...value];
	return typeof value === "number" && !Number.isFinite(value) ? null : value;
}

/** What D1 refuses before SQLite sees it. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
	[/^\s*$/, "No SQL statements detected."],
	[/^(\s*--[^\n]*(\n|$))+\s*$/, "SQL code did not contain a statement."],
	[
		/^\s*(begin|commit|rollback|savepoint|release|end)\b/i,
		"To execute a transaction, please use the state.storage.transaction() or state.storage.transactionSync() APIs instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements. The JavaScript API is safer because it will automatically roll back on exceptions, and because it interacts correctly with Durable Objects' automatic atomic write coalescing.",
	],
	[/^\s*(attach|detach|create\s+temp(orary)?)\b/i, "not authorized: SQLITE_AUTH"],
	[
		/^\s*pragma\s+(?!(table_info|table_list|table_xinfo|index_list|index_info|index_xinfo|foreign_key_list|foreign_key_check|foreign_keys|defer_foreign_keys|quick_check|optimize|recursive_triggers|legacy_alter_table|ignore_check_constraints|case_sensitive_like)\b)/i,
		"not authorized: SQLITE_AUTH",
	],
	[/^\s*vacuum\b/i, "cannot VACUUM from within a transaction: SQLITE_ERROR"],
];

const asResult = <T>({ columns, rows, meta }: Rows): D1Result<T> => ({
	success: true,
	meta: { ...meta, served_by: "node" },
	results: rows.map((row) => {
		const result: Row = {};
		for (let index = 0; index < columns.length; index++) result[columns[index] as string] = answered(row[index]);
		return result as T;
	}),
});

type Send = (statements: readonly Bound[]) => Promise<Rows[]>;

class Statement implements Bound {
	readonly #send: Send;
	/** What workerd's statements call their text. */
	readonly statement: string;
	readonly params: readonly SQLInputValue[];

	constructor(send: Send, statement: string, params: readonly SQLInputValue[] = []) {
		this.#send = send;
		this.statement = statement;
		this.params = params;
	}

	get sql(): string {
		return this.statement;
	}

	get values(): readonly SQLInputValue[] {
		return this.params;
	}

	bind(...values: unknown[]): Statement {
		return new Statement(this.#send, this.statement, values.map(bindable));
	}

	async all<T = Row>(): Promise<D1Result<T>> {
		return asResult(await this.#rows());
	}

	async run<T = Row>(): Promise<D1Result<T>> {
		return asResult(await this.#rows());
	}

	async raw(options: { columnNames?: boolean } = {}): Promise<unknown[][]> {
		const { columns, rows } = await this.#rows();
		const answers = rows.map((row) => row.map(answered));
		return options.columnNames ? [[...columns], ...answers] : answers;
	}

	async first(column?: string): Promise<unknown> {
		const [row] = asResult<Row>(await this.#rows()).results;
		if (column === undefined || !row) return row ?? null;
		if (column in row) return row[column];
		throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`, { cause: new Error("Column not found") });
	}

	async #rows(): Promise<Rows> {
		const [rows] = await this.#send([this]);
		if (!rows) throw new Error("a batch of one has one result");
		return rows;
	}
}

const refused = (why: string) => new Error(`D1_ERROR: ${why}`, { cause: new Error(why) });

/** A database, which every session shares. */
class Database {
	readonly sqlite: Sqlite;
	readonly #trip: () => void;
	#trips = 0;

	constructor(sqlite: Sqlite, trip: () => void) {
		this.sqlite = sqlite;
		this.#trip = trip;
	}

	/** The later value is greater. */
	get bookmark(): string {
		return `00000000-${this.#trips.toString(16).padStart(8, "0")}-00000000-${"0".repeat(32)}`;
	}

	async send(statements: readonly Bound[]): Promise<Rows[]> {
		this.#trip();
		await arrival();
		this.#trips++;
		if (statements.length === 0) throw refused("No SQL statements detected.");
		for (const { sql } of statements) {
			const [, why] = REFUSED.find(([pattern]) => pattern.test(sql)) ?? [];
			if (why) throw refused(why);
		}
		return this.sqlite.batchOfRows(statements);
	}
}

class Session {
	readonly #database: Database;
	#bookmark: string | null;

	constructor(database: Database, constraint: string) {
		this.#database = database;
		this.#bookmark = constraint.startsWith("first-") ? null : constraint;
	}

	prepare(sql: string): Statement {
		return new Statement((statements) => this.#send(statements), sql);
	}

	async batch(statements: readonly Bound[]): Promise<D1Result<Row>[]> {
		return (await this.#send(statements)).map(asResult<Row>);
	}

	getBookmark(): string | null {
		return this.#bookmark;
	}

	async #send(statements: readonly Bound[]): Promise<Rows[]> {
		const answers = await this.#database.send(statements);
		const { bookmark } = this.#database;
		if (this.#bookmark === null || bookmark > this.#bookmark) this.#bookmark = bookmark;
		return answers;
	}
}

class Binding {
	readonly #database: Database;

	constructor(database: Database) {
		this.#database = database;
	}

	prepare(sql: string): Statement {
		return new Statement((statements) => this.#database.send(statements), sql);
	}

	async batch(statements: readonly Bound[]): Promise<D1Result<Row>[]> {
		return (await this.#database.send(statements)).map(asResult<Row>);
	}

	/** Each line is a statement, or several. */
	async exec(sql: string): Promise<D1ExecResult> {
		await arrival();
		const lines = sql.split("\n").filter((line) => line.trim() !== "");
		for (const [index, line] of lines.entries()) {
			try {
				this.#database.sqlite.execLine(line);
			} catch (error) {
				const why = `Error in line ${index + 1}: ${line}: ${(error as Error).message.replace("D1_ERROR: ", "")}`;
				throw new Error(`D1_EXEC_ERROR: ${why}`, { cause: new Error(why) });
			}
		}
		return { count: lines.length, duration: 0 };
	}

	withSession(constraint?: string | null): Session {
		return new Session(this.#database, constraint || "first-unconstrained");
	}
}

/** @param trip gets each round trip */
export const d1Over = (sqlite: Sqlite, trip: () => void = () => {}): D1Database =>
	new Binding(new Database(sqlite, trip)) as unknown as D1Database;
