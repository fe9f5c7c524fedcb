// Brings a deployed database up to date. Each migration is imported as a file that also holds its own record, so that both land together or
// not at all. `wrangler d1 migrations apply` posts migrations as queries instead, which D1 splits into statements by rules of its own.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CannotStart } from "./cannot-start.ts";
import type { Edge } from "./edge.ts";
import { migrationNames } from "./migrations.ts";

/** The table in which wrangler keeps what it has applied, so that either may continue where the other stopped. */
const RECORDS = "d1_migrations";

/** As wrangler makes and reads it. */
const APPLIED = `CREATE TABLE IF NOT EXISTS ${RECORDS}(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
); SELECT name FROM ${RECORDS} ORDER BY id`;

/** The migration as it is imported, with its record. */
export const withRecord = (name: string, script: string): string =>
	`${script.trimEnd()}\nINSERT INTO ${RECORDS} (name) VALUES ('${name.replaceAll("'", "''")}');\n`;

export const remoteCommands = (binding: string, config: readonly string[]) => ({
	/** From where Time Travel brings the database back to what it is now. */
	bookmark: ["d1", "time-travel", "info", binding, "--json", ...config],
	applied: ["d1", "execute", binding, "--remote", "--json", "--command", APPLIED, ...config],
	apply: (file: string) => ["d1", "execute", binding, "--remote", "--yes", "--file", file, ...config],
});

export type Pending = { readonly binding: string; readonly names: readonly string[] };

/** Which migrations a database lacks. Prints the bookmark that undoes them. Throws `CannotStart` before anything is applied. */
export function pendingIn(edge: Edge, directory: string, binding: string, config: readonly string[]): Pending {
	const commands = remoteCommands(binding, config);
	const { bookmark } = JSON.parse(answerTo(edge, commands.bookmark)) as { bookmark: string };
	const results = JSON.parse(answerTo(edge, commands.applied)) as { results: { name?: string }[] }[];
	const applied = results.flatMap(({ results: rows }) => rows.flatMap(({ name }) => (name === undefined ? [] : [name])));
	const names = migrationNames(directory);
	const unknown = applied.filter((name) => !names.includes(name));
	if (unknown.length > 0)
		throw new CannotStart(
			`${binding} has the migrations ${unknown.join(", ")}, which these sources do not have: it is of a later version, or of another branch. Nothing was deployed.`,
		);
	const pending = names.filter((name) => !applied.includes(name));
	edge.say(
		pending.length === 0
			? `${binding} is up to date.`
			: `${binding} gets ${pending.join(", ")}. Its bookmark before: ${bookmark} (npx wrangler d1 time-travel restore, with --bookmark)`,
	);
	return { binding, names: pending };
}

/** Imports what the database lacks. Throws `CannotStart` at the first that fails, of which all is applied or nothing. */
export function applyPending(edge: Edge, directory: string, { binding, names }: Pending, config: readonly string[]): void {
	const own = mkdtempSync(path.join(tmpdir(), "migrations-"));
	try {
		for (const name of names) {
			const file = path.join(own, name);
			writeFileSync(file, withRecord(name, readFileSync(path.join(directory, name), "utf8")));
			const command = remoteCommands(binding, config).apply(file);
			edge.say(`wrangler ${command.join(" ")}`);
			if (edge.wrangler(command, "SHOWN").status === 0) continue;
			throw new CannotStart(
				[
					`${name} could not be applied to ${binding}: all of it is there, or nothing. The Worker was not deployed, and the one before goes on.`,
					"If it was the connection: deploy again, which asks each database what it has. Else correct the migration first.",
				].join("\n"),
			);
		}
	} finally {
		rmSync(own, { recursive: true, force: true });
	}
}

function answerTo(edge: Edge, command: readonly string[]): string {
	const { status, stdout, stderr } = edge.wrangler(command, "ASKED");
	if (status === 0) return stdout;
	throw new CannotStart(
		[`wrangler ${command.slice(0, 4).join(" ")} failed, and nothing was deployed:`, (stderr || stdout).trim()].join("\n"),
	);
}
