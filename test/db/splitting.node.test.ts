// D1 splits a migration into statements by itself, by a rule that is not documented: by each that is known the same tables come out.

import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { migrationNames } from "../../src/dev/migrations.ts";

const directory = path.resolve(import.meta.dirname, "../../migrations");
const scripts = migrationNames(directory).map((name) => readFileSync(path.join(directory, name), "utf8"));

/** By what each rule knows the end of a trigger, of the last characters that it has read. */
const ENDS: Readonly<Record<string, RegExp>> = {
	"END and a semicolon": /\sEND;$/i,
	"END and a semicolon or a blank": /\sEND[;\s]$/i,
	"END and anything but a letter": /\sEND\W$/i,
	"the first word END": /\bEND\b.$/i,
};

function split(script: string, end: RegExp): string[] {
	const statements: string[] = [];
	let text = "";
	let isTrigger = false;
	// Texts in quotes and comments are read as a whole.
	for (const [part] of script.matchAll(/'(?:[^']|'')*'|--.*|[\s\S]/g)) {
		if (part.startsWith("--")) continue;
		text += part;
		const last = text.slice(-8);
		if (/\sBEGIN\s$/i.test(last)) isTrigger = true;
		else if (isTrigger && end.test(last)) isTrigger = false;
		if (isTrigger || part !== ";") continue;
		statements.push(text);
		text = "";
	}
	return text.trim() === "" ? statements : [...statements, text];
}

/** What the statements make, one after the other. */
function madeBy(statements: readonly string[]): unknown[] {
	const database = new DatabaseSync(":memory:");
	try {
		for (const statement of statements) database.exec(statement);
		return database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
	} finally {
		database.close();
	}
}

it.each(Object.entries(ENDS))("the migrations make the same where a trigger ends at %s", (_, end) => {
	const whole = madeBy(scripts);
	expect(whole.length).toBeGreaterThan(300);
	expect(madeBy(scripts.flatMap((script) => split(script, end)))).toEqual(whole);
});

it("a trigger with CASE is cut apart by some of these rules", () => {
	const trigger =
		"CREATE TABLE t (a, b);\nCREATE TRIGGER k AFTER INSERT ON t BEGIN UPDATE t SET a = CASE WHEN a THEN 1 ELSE 2 END + 1; UPDATE t SET b = 1; END;";
	const cut = Object.values(ENDS).filter((end) => split(trigger, end).length !== 2);
	expect(cut.length).toBeGreaterThanOrEqual(2);
});
