// Keeps tables and migrations in step. The last migration writes a hash of all migrations into the database, and the Worker
// has the same hash in `src/db/schema-hash.ts`, so that a database of another version is recognized.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { migrationNames, stampedHash } from "./migrations.ts";
import { WITHOUT_ROWID } from "./without-rowid.ts";

const BREAKPOINT = "\n--> statement-breakpoint\n";
const STAMP = /\n--> statement-breakpoint\nINSERT INTO `schema_version` .*\n?$/;

const read = (...names: string[]): string => readFileSync(path.join(...names), "utf8");

const migrationsOf = (checkout: string): string => path.join(checkout, "migrations");
const hashFileOf = (checkout: string): string => path.join(checkout, "src/db/schema-hash.ts");

/** The hash of all migrations, without the statement that writes it. */
function hashOf(checkout: string): string {
	const hash = createHash("sha256");
	for (const name of migrationNames(migrationsOf(checkout)))
		hash.update(`${name}\n${read(migrationsOf(checkout), name).replace(STAMP, "")}\n`);
	return hash.digest("hex");
}

/** Before release 1.0.0 there is one migration, which may be replaced; from then on migrations are only added. */
const isReleased = (version: string): boolean => Number(version.split(".")[0]) >= 1;

const versionOf = (checkout: string): string => (JSON.parse(read(checkout, "package.json")) as { version: string }).version;

/** Writes the migration from the schema that `out` holds to the one of the tables. */
function generate(checkout: string, out: string, name: string, stdio: "inherit" | "pipe"): void {
	const kit = path.join(path.dirname(createRequire(import.meta.url).resolve("drizzle-kit")), "bin.cjs");
	const config = path.join(out, "drizzle.config.json");
	writeFileSync(config, JSON.stringify({ ...settings(checkout), out: path.relative(checkout, out) }));
	try {
		execFileSync(process.execPath, [kit, "generate", "--config", path.relative(checkout, config), "--name", name], {
			cwd: checkout,
			stdio,
		});
	} finally {
		rmSync(config);
	}
}

/** The project's own settings, for a run of drizzle-kit that writes elsewhere. */
const settings = (checkout: string) => JSON.parse(read(checkout, "drizzle.config.json")) as Record<string, unknown>;

/** The triggers in the `*.triggers.sql` files beside the tables. drizzle-kit knows no triggers, so the migration gets them afterwards. */
function triggersOf(checkout: string): string[] {
	const files = globSync("src/**/*.triggers.sql", { cwd: checkout }).sort();
	return files.flatMap((file) => triggersIn(read(checkout, file)));
}

/** Each trigger is one line. */
const triggersIn = (script: string): string[] => script.split("\n").filter((line) => line.startsWith("CREATE TRIGGER "));

const migratedTriggers = (migrations: string): string[] => migrationNames(migrations).flatMap((name) => triggersIn(read(migrations, name)));

type Snapshot = { tables: Record<string, unknown>; views: unknown; enums: unknown };

function snapshotIn(migrations: string): Snapshot {
	const { entries } = JSON.parse(read(migrations, "meta/_journal.json")) as { entries: { idx: number }[] };
	const { tables, views, enums } = JSON.parse(
		read(migrations, `meta/${String(entries.length - 1).padStart(4, "0")}_snapshot.json`),
	) as Snapshot;
	return { tables, views, enums };
}

/** How the checkout's tables and migrations differ; empty when they agree. Needs no network and no database. */
export function differences(checkout: string): string[] {
	const found: string[] = [];
	const out = mkdtempSync(path.join(os.tmpdir(), "schema-"));
	try {
		generate(checkout, out, "init", "pipe");
		const wanted = snapshotIn(out).tables;
		const migrated = snapshotIn(migrationsOf(checkout)).tables;
		for (const table of new Set([...Object.keys(wanted), ...Object.keys(migrated)])) {
			if (!migrated[table]) found.push(`table ${table} is in no migration`);
			else if (!wanted[table]) found.push(`table ${table} is in the migrations, but in no table file`);
			else if (!isDeepStrictEqual(wanted[table], migrated[table])) found.push(`table ${table} differs from the migrations`);
		}
	} finally {
		rmSync(out, { recursive: true });
	}
	const triggers = { wanted: triggersOf(checkout), migrated: migratedTriggers(migrationsOf(checkout)) };
	for (const trigger of triggers.wanted) if (!triggers.migrated.includes(trigger)) found.push(`in no migration: ${trigger}`);
	for (const trigger of triggers.migrated) if (!triggers.wanted.includes(trigger)) found.push(`in no .triggers.sql: ${trigger}`);
	found.push(...rowidDifferences(migrationNames(migrationsOf(checkout)).map((name) => read(migrationsOf(checkout), name))));
	const hash = hashOf(checkout);
	if (stampedHash(migrationsOf(checkout)) !== hash) found.push("the last migration does not write the hash of the migrations");
	if (read(hashFileOf(checkout)) !== hashFile(hash)) found.push("src/db/schema-hash.ts is not the hash of the migrations");
	return found;
}

const hashFile = (
	hash: string,
): string => `// Generated by \`npm run migrations\`: the hash that the last migration writes into the database.

export const SCHEMA_HASH = "${hash}";
`;

const CREATE_TABLE = /^CREATE TABLE `(\w+)` \(\n(?:\t.*\n)+\)( WITHOUT ROWID)?;/gm;

/** Adds WITHOUT ROWID to each table of the list that the script creates. */
const withoutRowid = (script: string): string =>
	script.replace(CREATE_TABLE, (statement: string, table: string) =>
		WITHOUT_ROWID.includes(table) ? statement.replace(/;$/, " WITHOUT ROWID;") : statement,
	);

/** Which tables the scripts create otherwise than the list says. A table that is created twice is as the last script makes it. */
function rowidDifferences(scripts: readonly string[]): string[] {
	const created = new Map(
		scripts.flatMap((script) => [...script.matchAll(CREATE_TABLE)].map(([, table, clause]) => [table, clause !== undefined])),
	);
	const tables = new Set([...created.keys(), ...WITHOUT_ROWID]);
	return [...tables].flatMap((table) => {
		const listed = table !== undefined && WITHOUT_ROWID.includes(table);
		if (created.get(table) === listed) return [];
		return [listed ? `table ${table} is not WITHOUT ROWID in the migrations` : `table ${table} is WITHOUT ROWID, but not in the list`];
	});
}

/** Writes the migration that the tables need. Until release 1.0.0 it replaces the only one. */
export function writeMigration(checkout: string, name: string | undefined, stdio: "inherit" | "pipe" = "pipe"): void {
	const migrations = migrationsOf(checkout);
	const released = isReleased(versionOf(checkout));
	if (released && !name) throw new Error("Name the migration: npm run migrations <name>");
	if (!released)
		for (const old of [...migrationNames(migrations), "meta"]) rmSync(path.join(migrations, old), { recursive: true, force: true });
	const before = migrationNames(migrations);
	const known = migratedTriggers(migrations);
	generate(checkout, migrations, released && name ? name : "init", stdio);
	const after = migrationNames(migrations);
	const last = after.at(-1);
	if (!last || after.length === before.length) return;
	const file = path.join(migrations, last);
	writeFileSync(file, withoutRowid(readFileSync(file, "utf8")));
	for (const trigger of triggersOf(checkout)) if (!known.includes(trigger)) appendFileSync(file, `${BREAKPOINT}${trigger}`);
	const hash = hashOf(checkout);
	const stamp = `INSERT INTO \`schema_version\` (\`id\`, \`hash\`) VALUES (1, '${hash}') ON CONFLICT (\`id\`) DO UPDATE SET \`hash\` = excluded.\`hash\`;\n`;
	appendFileSync(file, `${BREAKPOINT}${stamp}`);
	writeFileSync(hashFileOf(checkout), hashFile(hash));
}

/**
 * What is wrong with the released migrations, by the recorded SHA-256 of each: from release 1.0.0 on one may be added, and none
 * may be changed or removed.
 */
export function changesOfReleased(
	version: string,
	files: Readonly<Record<string, string>>,
	recorded: Readonly<Record<string, string>>,
): string[] {
	if (!isReleased(version)) return [];
	return [
		...Object.keys(recorded).flatMap((name) => {
			const text = files[name];
			if (text === undefined) return [`${name} was removed`];
			return createHash("sha256").update(text).digest("hex") === recorded[name] ? [] : [`${name} was changed`];
		}),
		...Object.keys(files).flatMap((name) => (name in recorded ? [] : [`${name} is not recorded`])),
	];
}
