// Nobody but Cloudflare knows by which rule D1 splits a migration into statements. So each is split by every rule that is known of it, and
// what comes out must run.

import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { unstable_splitSqlQuery } from "wrangler";
import { migrationNames } from "../src/dev/migrations.ts";
import { withRecord } from "../src/dev/remote-migrations.ts";

const directory = path.resolve(import.meta.dirname, "../migrations");
const names = migrationNames(directory);
const scripts = names.map((name) => withRecord(name, readFileSync(path.join(directory, name), "utf8")));

/** Splits at each semicolon, but not within a text, a name, a comment, or a trigger, which ends as `end` says. */
function splitting(end: RegExp) {
	return (script: string): string[] => {
		const statements: string[] = [];
		let [statement, inTrigger] = ["", false];
		for (const [part] of script.matchAll(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|[\s\S]/g)) {
			statement += part.startsWith("--") ? "" : part;
			if (/\sBEGIN\s$/i.test(statement)) inTrigger = true;
			const ended = inTrigger && end.test(statement);
			if (ended) inTrigger = false;
			if (part === ";" && !inTrigger) {
				statements.push(statement);
				statement = "";
			}
		}
		return [...statements, statement].map((one) => one.trim()).filter((one) => one !== "" && one !== ";");
	};
}

const rules: { [rule: string]: (script: string) => string[] } = {
	"ends a trigger at END;": splitting(/\sEND;$/i),
	"ends a trigger at END and a semicolon or a blank": splitting(/\sEND[;\s]$/i),
	"ends a trigger at the first word END": splitting(/\sEND\W$/i),
	"is wrangler's own": unstable_splitSqlQuery,
};

const refusals = new Map<string, string | undefined>();

/** Rules that split alike run once. */
function refusalOf(split: (script: string) => string[], all: readonly string[]): string | undefined {
	const transactions = all.map(split);
	const key = JSON.stringify(transactions);
	if (!refusals.has(key)) refusals.set(key, refusalBy(transactions));
	return refusals.get(key);
}

/** Runs the statements in a new database, and returns what refused the first that failed. */
function refusalBy(transactions: readonly string[][]): string | undefined {
	const database = new DatabaseSync(":memory:");
	database.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP)");
	try {
		for (const statements of transactions) {
			database.exec("BEGIN");
			for (const statement of statements) database.prepare(statement).run();
			database.exec("COMMIT");
		}
		return undefined;
	} catch (error) {
		return (error as Error).message;
	} finally {
		database.close();
	}
}

/** In the words of a trigger before the first version, which two of the rules cut apart. */
const CASE_IN_A_TRIGGER = `CREATE TABLE a (id TEXT, today INTEGER);
CREATE TRIGGER t AFTER INSERT ON a BEGIN
	UPDATE a SET today = CASE WHEN today IS NULL THEN 0 ELSE today END + NEW.today, id = CASE WHEN id = '' THEN 'x' ELSE id END, today = 0;
	SELECT 1;
END;
`;

describe.each(Object.entries(rules))("a rule that %s", (rule, split) => {
	it("runs every migration with its record, whole", () => {
		expect(refusalOf(split, scripts)).toBeUndefined();
	});

	it("would not run a CASE in a trigger, which the generator refuses, where it takes its END for the trigger's", () => {
		expect(refusalOf(split, [CASE_IN_A_TRIGGER]) !== undefined).toBe(/blank|first word/.test(rule));
	});
});
