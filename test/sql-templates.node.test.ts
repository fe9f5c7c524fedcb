// Columns inside SQL templates are Drizzle's, so that a renamed column does not compile.

import { getTableColumns, is } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { textColumns } from "./support/sql-templates";

const tables = Object.values(import.meta.glob<object>("../src/**/*table.ts", { eager: true }))
	.flatMap((module) => Object.entries(module))
	.filter((entry): entry is [string, SQLiteTable] => is(entry[1], SQLiteTable));
const schema = {
	tables: new Set(tables.map(([name]) => name)),
	columns: new Set(tables.flatMap(([, table]) => Object.values(getTableColumns(table)).map(({ name }) => toSnakeCase(name)))),
};

/** The texts of CHECK constraints and indexes in tables are those of migrations. */
const sources = Object.entries(
	import.meta.glob<string>(["../src/**/*.ts", "!../src/**/*table.ts", "!../src/dev/**"], { eager: true, query: "?raw", import: "default" }),
);

const ALIAS = /\balias\(\s*\w+,\s*"(\w*)"/g;

describe("SQL templates", () => {
	it("name no column as text", () => {
		expect(sources.filter(([, source]) => source.includes("sql`")).length).toBeGreaterThan(30);
		expect(sources.flatMap(([file, source]) => textColumns(source, schema).map((fault) => `${file.slice(3)}:${fault}`))).toEqual([]);
	});

	it("give each alias of a table a name of its own, not a letter", () => {
		const aliases = sources.flatMap(([file, source]) =>
			Array.from(source.matchAll(ALIAS), ([, name = ""]) => ({ file: file.slice(3), name })),
		);
		expect(aliases.length).toBeGreaterThan(100);
		expect(aliases.filter(({ name }) => name.length < 2)).toEqual([]);
	});

	it.each([
		["a column of an alias", `sql\`select d.status from \${webhookDeliveries} d\``, ["1: d.status"]],
		["a bare column", "sql`where status = 1`", ["1: status"]],
		["an assignment", `sql\`update \${t} set\nstatus = 1\``, ["2: status"]],
		["a template inside another", `sql\`where \${sql\`claimed_until is null\`}\``, ["1: claimed_until"]],
	])("would be found to name %s", (_, source, faults) => expect(textColumns(source, schema)).toEqual(faults));

	it.each([
		["a column of its table", `sql\`where \${t.status} = 'status'\``],
		["a name that it gives itself", "sql`with due as (select 1 as status) select due.status, status from due`"],
		["a column that it gives to a common table expression", "sql`with due(status) as (select 1) select status from due`"],
		["a column of rows that another template selects", `sql\`select n.status from \${rows} n\``],
		["the name of a result", `sql\`select \${t.status} as "status"\``],
		["a template of another tag", "text`where status = 1`"],
	])("may name %s", (_, source) => expect(textColumns(source, schema)).toEqual([]));
});
