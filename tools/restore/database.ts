// Makes a database of the files of a backup: the tables by the migrations of their time, then row by row what the files say.

import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { CannotStart } from "../../src/dev/cannot-start.ts";
import { migrationNames } from "../../src/dev/migrations.ts";
import { type Chain, linesOf } from "./chain.ts";
import type { Files } from "./files.ts";
import { type KeyFile, Keys, openedRow, type Value } from "./keys.ts";

export type Made = { readonly at: string; readonly files: number; readonly bytes: number; readonly lines: number; readonly ms: number };

/** Before the rows of a table. */
export type Heading = {
	readonly table: string;
	readonly columns: readonly string[];
	readonly blobs: readonly string[];
	readonly key: readonly string[];
	readonly sealed?: readonly (readonly string[])[];
	readonly removed?: true;
	readonly anew?: true;
};

const quoted = (name: string): string => `"${name}"`;

/** A value as the service writes it where JSON has no way to mark a blob. */
export function opened(value: Value | bigint): SQLInputValue {
	if (typeof value !== "string") return value;
	return value.startsWith("x") ? Buffer.from(value.slice(1), "hex") : value.slice(1);
}

/** Numbers of more digits than JavaScript has exactly are read as such. */
const exactly = (line: string): (Value | bigint)[] =>
	JSON.parse(line, (_, value: unknown, { source }: { source?: string } = {}) =>
		typeof value === "number" && source !== undefined && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
	);
export const parsed = (line: string): (Value | bigint)[] => (/\d{16}/.test(line) ? exactly(line) : (JSON.parse(line) as Value[]));

/** Puts the rows of one table into the database. */
class Table {
	readonly #put: StatementSync | undefined;
	readonly #database: DatabaseSync;
	readonly #heading: Heading;
	readonly #removals = new Map<number, StatementSync>();
	readonly #places: readonly number[];
	readonly #blobs: readonly boolean[];
	readonly isThere: boolean;

	constructor(database: DatabaseSync, heading: Heading) {
		const { table, columns, blobs } = heading;
		this.#database = database;
		this.#heading = heading;
		const present = new Set(
			database
				.prepare("select name from pragma_table_info(?)")
				.all(table)
				.map(({ name }) => String(name)),
		);
		this.#places = columns.flatMap((column, place) => (present.has(column) ? [place] : []));
		this.#blobs = columns.map((column) => blobs.includes(column));
		this.isThere = present.size > 0;
		// A later migration has removed it.
		if (!this.isThere) return;
		const names = this.#places.map((place) => quoted(columns[place] ?? "")).join(", ");
		this.#put = database.prepare(`insert or replace into ${quoted(table)} (${names}) values (${this.#places.map(() => "?").join(", ")})`);
	}

	/** Empties the table if the file has all its rows again. */
	begin(): void {
		const { table, anew } = this.#heading;
		if (anew && this.isThere) this.#database.exec(`delete from ${quoted(table)}`);
	}

	/** Puts a row; where nothing is left of it without a person who was erased, there is none. */
	async put(line: string, keys: Keys): Promise<() => void> {
		const { columns, key, sealed } = this.#heading;
		const values = parsed(line);
		const row = sealed ? await openedRow(values, this.#heading, keys) : values;
		if (row) return () => this.#putRow(row);
		const id = key.map((name) => values[columns.indexOf(name)] ?? null);
		return () => this.#remove(id.includes(null) ? [] : id);
	}

	#putRow(values: readonly (Value | bigint)[]): void {
		this.#put?.run(...this.#places.map((place) => (this.#blobs[place] ? opened(values[place] ?? null) : (values[place] ?? null))));
	}

	/** The row with this key, or all whose keys begin so. */
	remove(line: string): void {
		const { gone } = JSON.parse(line) as { gone: Value[] };
		this.#remove(gone.slice(0, this.#heading.key.length).map(opened));
	}

	#remove(id: readonly SQLInputValue[]): void {
		if (!this.isThere || id.length === 0) return;
		const { table, key } = this.#heading;
		const names = key.slice(0, id.length);
		const statement =
			this.#removals.get(id.length) ??
			this.#database.prepare(`delete from ${quoted(table)} where ${names.map((name) => `${quoted(name)} = ?`).join(" and ")}`);
		this.#removals.set(id.length, statement);
		statement.run(...id);
	}
}

/** The key files of the database in the bucket. */
export const keyFile = async (files: Files, name: string): Promise<KeyFile> => {
	try {
		return JSON.parse(gunzipSync(await files.read(name)).toString()) as KeyFile;
	} catch (error) {
		throw new CannotStart(`The key file ${name} is missing or damaged: ${error instanceof Error ? error.message : error}`);
	}
};

/** Makes the file again. Throws `CannotStart` where the files are not whole, or what they make is not what the tables demand. */
export async function makeDatabase(
	files: Files,
	{ names, opening }: Chain,
	{ file, migrations }: { readonly file: string; readonly migrations: string },
): Promise<Made> {
	const began = Date.now();
	rmSync(file, { force: true });
	const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
	try {
		database.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -200000");
		database.exec("begin");
		migrate(database, migrations, opening.migration);
		const later = takeOut(database);
		database.exec("commit");
		const keys = new Keys((name) => keyFile(files, `keys/${opening.database}/${name}.json.gz`));
		let previous: string | undefined;
		let bytes = 0;
		let count = 0;
		for (const name of names) {
			const one = await linesOf(files, name);
			if (previous !== undefined && one.opening.previous !== previous)
				throw new CannotStart(`${name} does not follow the file before it: that has been exchanged.`);
			previous = one.hash;
			bytes += one.bytes;
			count += one.lines.length;
			database.exec("begin");
			let table: Table | undefined;
			const steps = one.lines.map((line): Promise<() => void> | (() => void) => {
				if (line.startsWith("[")) return table?.put(line, keys) ?? (() => {});
				if (!line.startsWith('{"gone"')) table = new Table(database, JSON.parse(line) as Heading);
				const of = table;
				return line.startsWith('{"gone"') ? () => of?.remove(line) : () => of?.begin();
			});
			for (const step of await Promise.all(steps)) step();
			database.exec("commit");
		}
		database.exec(["begin", ...later, "commit"].join(";\n"));
		const faults = [...database.prepare("pragma integrity_check(5)").all(), ...database.prepare("pragma foreign_key_check").all()];
		if (JSON.stringify(faults) !== '[{"integrity_check":"ok"}]')
			throw new CannotStart(`What was made is damaged: ${JSON.stringify(faults)}`);
		return { at: opening.at, files: names.length, bytes, lines: count, ms: Date.now() - began };
	} finally {
		database.close();
	}
}

/** The tables as they were, and as wrangler notes which migrations a database has. */
function migrate(database: DatabaseSync, directory: string, last: number): void {
	const names = migrationNames(directory).filter((name) => Number.parseInt(name, 10) <= last);
	if (Number.parseInt(names.at(-1) ?? "", 10) !== last)
		throw new CannotStart(
			`The backup has migration ${last}, which this checkout lacks: restore with the version that wrote it, or a later one.`,
		);
	for (const name of names) database.exec(readFileSync(path.join(directory, name), "utf8"));
	database.exec(`create table d1_migrations(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`);
	for (const name of names) database.prepare("insert into d1_migrations (name) values (?)").run(name);
}

/** Takes triggers and indexes out, which would refuse rows or slow them down, and empties the tables. Returns what puts them back. */
function takeOut(database: DatabaseSync): string[] {
	const made = database.prepare("select type, name, sql from sqlite_schema where type in ('trigger', 'index') and sql is not null").all();
	for (const { type, name } of made) database.exec(`drop ${type} ${quoted(String(name))}`);
	const tables = database.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all();
	for (const { name } of tables)
		if (!["schema_version", "d1_migrations"].includes(String(name))) database.exec(`delete from ${quoted(String(name))}`);
	const order = ({ type }: { readonly type?: unknown }) => (type === "index" ? 0 : 1);
	return made.sort((one, other) => order(one) - order(other)).map(({ sql }) => String(sql));
}
