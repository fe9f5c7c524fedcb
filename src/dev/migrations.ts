// Applies the migrations to the local D1 as `wrangler d1 migrations apply DB --local` does, with the same table of applied
// migrations, so that the two can be mixed. It goes through Miniflare: milliseconds, where a second wrangler takes seconds.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The part of D1 used here, because Miniflare's and the Worker's D1 types differ. */
export interface MigratedDatabase<Statement> {
	prepare(sql: string): Statement;
	batch(statements: Statement[]): Promise<{ results: unknown[] }[]>;
}

export interface Migrations {
	readonly directory: string;
	readonly table: string;
	/** Splits a script into statements as wrangler does; a split at semicolons would cut triggers apart. */
	readonly split: (sql: string) => string[];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Returns the names of the migrations it applied. */
export async function applyMigrations<Statement>(database: MigratedDatabase<Statement>, migrations: Migrations): Promise<string[]> {
	const table = `"${migrations.table.replaceAll('"', '""')}"`;
	const [, applied] = await database.batch([
		database.prepare(`CREATE TABLE IF NOT EXISTS ${table}(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`),
		database.prepare(`SELECT name FROM ${table} ORDER BY id`),
	]);
	const known = new Set((applied?.results as { name: string }[] | undefined)?.map((row) => row.name));
	const pending = readdirSync(migrations.directory)
		.filter((name) => name.endsWith(".sql") && !known.has(name))
		.sort();
	for (const name of pending) {
		const script = readFileSync(path.join(migrations.directory, name), "utf8");
		// One batch is one transaction: the migration and its record are stored together or not at all.
		const statements = migrations.split(`${script}\nINSERT INTO ${table} (name)\nvalues (${quoted(name)});`);
		await database.batch(statements.map((statement) => database.prepare(statement)));
	}
	return pending;
}
