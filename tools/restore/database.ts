// Makes a database of the files of a backup: the tables by the migrations of their time, then row by row what the files say.

import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { CannotStart } from "../../src/dev/cannot-start.ts";
import { migrationNames } from "../../src/dev/migrations.ts";
import { type Chain, linesOf } from "./chain.ts";
import type { Files } from "./files.ts";

export type Made = { readonly at: string; readonly files: number; readonly bytes: number; readonly lines: number; readonly ms: number };

type Value = string | number | null;
type Heading = {
	readonly table: string;
	readonly columns: readonly string[];
	readonly blobs: readonly string[];
	readonly key: readonly string[];
	readonly anew?: true;
};

const quoted = (name: string): string => `"${name}"`;

/** A value as the service has written it where JSON could not tell texts from blobs. */
function opened(value: Value | bigint): SQLInputValue {
	if (typeof value !== "string") return value;
	return value.startsWith("x") ? Buffer.from(value.slice(1), "hex") : value.slice(1);
}

/** Numbers of more digits than JavaScript has exactly are read as such. */
const exactly = (line: string): (Value | bigint)[] =>
	JSON.parse(line, (_, value: unknown, { source }: { source?: string } = {}) =>
		typeof value === "number" && source !== undefined && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
	);
const parsed = (line: string): (Value | bigint)[] => (/\d{16}/.test(line) ? exactly(line) : (JSON.parse(line) as Value[]));

/** Puts the rows of one table into the database. */
class Table {
	readonly #put: StatementSync | undefined;
	readonly #remove: StatementSync | undefined;
	readonly #places: readonly number[];
	readonly #blobs: readonly boolean[];
	readonly #keys: number;

	constructor(database: DatabaseSync, { table, columns, blobs, key, anew }: Heading) {
		const present = new Set(
			database
				.prepare("select name from pragma_table_info(?)")
				.all(table)
				.map(({ name }) => String(name)),
		);
		this.#places = columns.flatMap((column, place) => (present.has(column) ? [place] : []));
		this.#blobs = columns.map((column) => blobs.includes(column));
		this.#keys = key.length;
		// A later migration has removed it.
		if (present.size === 0) return;
		if (anew) database.exec(`delete from ${quoted(table)}`);
		const names = this.#places.map((place) => quoted(columns[place] ?? "")).join(", ");
		this.#put = database.prepare(`insert or replace into ${quoted(table)} (${names}) values (${this.#places.map(() => "?").join(", ")})`);
		this.#remove = database.prepare(`delete from ${quoted(table)} where ${key.map((name) => `${quoted(name)} = ?`).join(" and ")}`);
	}

	put(line: string): void {
		const values = parsed(line);
		this.#put?.run(...this.#places.map((place) => (this.#blobs[place] ? opened(values[place] ?? null) : (values[place] ?? null))));
	}

	remove(line: string): void {
		const { gone } = JSON.parse(line) as { gone: Value[] };
		this.#remove?.run(...gone.slice(0, this.#keys).map(opened));
	}
}

/** Makes the file anew. Throws `CannotStart` where the files are not whole, or what they make is not what the tables demand. */
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
		migrate(database, migrations, opening.migration);
		const later = takeOut(database);
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
			for (const line of one.lines) {
				if (line.startsWith("[")) table?.put(line);
				else if (line.startsWith('{"gone"')) table?.remove(line);
				else table = new Table(database, JSON.parse(line) as Heading);
			}
			database.exec("commit");
		}
		for (const statement of later) database.exec(statement);
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
