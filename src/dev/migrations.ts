// Applies the migrations to the local D1 exactly as `wrangler d1 migrations apply DB --local` does, and keeps its table,
// so that either may continue where the other stopped. It uses the database through a Worker in Miniflare, which takes milliseconds,
// while another run of wrangler takes seconds.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { CannotStart } from "./cannot-start.ts";

/** Runs statements of one database, all or none. */
export type Batch = (statements: readonly string[]) => Promise<{ readonly results: unknown[] }[]>;

/** The Worker that does. Miniflare's own proxy of a database makes a round trip for every statement, and waits for it. */
export const BATCH_WORKER = `export default {
	async fetch(request, env) {
		const { binding, statements } = await request.json();
		try {
			return Response.json(await env[binding].batch(statements.map((statement) => env[binding].prepare(statement))));
		} catch (error) {
			return new Response(error.message, { status: 400 });
		}
	},
};`;

type Asked = (url: string, init: { method: "POST"; body: string }) => Promise<{ ok: boolean; text(): Promise<string> }>;

/** A database of that Worker. */
export function batchIn(runtime: { readonly dispatchFetch: Asked }, binding: string): Batch {
	return async (statements) => {
		const response = await runtime.dispatchFetch("http://localhost/", { method: "POST", body: JSON.stringify({ binding, statements }) });
		const text = await response.text();
		if (!response.ok) throw new Error(text);
		return JSON.parse(text) as { results: unknown[] }[];
	};
}

export interface Migrations {
	readonly directory: string;
	readonly table: string;
	/** Splits a script into statements as wrangler does; a split at semicolons would cut triggers apart. */
	readonly split: (sql: string) => string[];
}

/** The names of the migrations, in the order in which they are applied. */
export const migrationNames = (directory: string): string[] =>
	readdirSync(directory)
		.filter((name) => name.endsWith(".sql"))
		.sort();

/** The hash of the schema that a migration writes into the database; undefined when it writes none. */
export const stampIn = (script: string): string | undefined =>
	/^INSERT INTO `schema_version` .* VALUES \(\d+, '([0-9a-f]{64})'\)/m.exec(script)?.[1];

/** Whether the database was made by these very migrations, and not by those of a later or another version. */
export async function isOfThisVersion(batch: Batch, directory: string): Promise<boolean> {
	const hash = migrationNames(directory)
		.map((name) => stampIn(readFileSync(path.join(directory, name), "utf8")))
		.findLast((stamp) => stamp !== undefined);
	if (hash === undefined) return true;
	const [version] = await batch(["SELECT hash FROM schema_version ORDER BY id DESC LIMIT 1"]).catch(() => []);
	return (version?.results as { hash: string }[] | undefined)?.[0]?.hash === hash;
}

/** The database has migrations that are not among these. */
export class UnknownMigrations extends Error {}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Returns the names of the migrations it applied. Throws `UnknownMigrations` before it changes anything, or `CannotStart`. */
export async function applyMigrations(batch: Batch, migrations: Migrations): Promise<string[]> {
	const table = `"${migrations.table.replaceAll('"', '""')}"`;
	const [, applied] = await batch([
		`CREATE TABLE IF NOT EXISTS ${table}(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`,
		`SELECT name FROM ${table} ORDER BY id`,
	]);
	const names = migrationNames(migrations.directory);
	const known = new Set((applied?.results as { name: string }[] | undefined)?.map((row) => row.name));
	const unknown = [...known].filter((name) => !names.includes(name));
	if (unknown.length > 0) throw new UnknownMigrations(unknown.join(", "));
	const pending = names.filter((name) => !known.has(name));
	for (const name of pending) {
		const script = readFileSync(path.join(migrations.directory, name), "utf8");
		// One batch is one transaction: the migration and its record are stored together or not at all.
		const statements = migrations.split(`${script}\nINSERT INTO ${table} (name)\nvalues (${quoted(name)});`);
		try {
			await batch(statements);
		} catch (error) {
			throw new CannotStart(`${name} cannot be applied, and nothing of it was: ${error instanceof Error ? error.message : error}`);
		}
	}
	return pending;
}
