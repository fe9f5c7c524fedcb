// Columns in SQL templates have the names that the database gives them.

import { type SQL, sql } from "drizzle-orm";
import { alias, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { bare, bareList, excluded, qualified } from "../../src/db/columns.ts";
import { dialect, orm } from "../../src/db/orm.ts";

const rows = sqliteTable("some_rows", { id: text().primaryKey(), ownerId: text().notNull(), usesLeft: integer().notNull() });
const r = alias(rows, "r");
const textOf = (template: SQL) => dialect.sqlToQuery(template).sql;

it("a template names columns by their tables or aliases", () => {
	expect(textOf(sql`select ${r.usesLeft} from ${rows} ${r} where ${r.ownerId} = ${rows.ownerId}`)).toBe(
		'select "r"."uses_left" from "some_rows" "r" where "r"."owner_id" = "some_rows"."owner_id"',
	);
});

it("a template names targets of assignments and inserts alone", () => {
	expect(textOf(sql`set ${bare(rows.usesLeft)} = ${excluded(r.usesLeft)}`)).toBe('set "uses_left" = excluded."uses_left"');
	expect(textOf(sql`(${bareList(rows.id, rows.ownerId)})`)).toBe('("id", "owner_id")');
});

it("a template keeps the tables of a qualified expression in what a select from one table selects", () => {
	const others = sql<number>`(select count(*) from ${rows} ${r} where ${r.ownerId} = ${rows.ownerId})`;
	const selected = (of: SQL<number>) => orm.select({ others: of }).from(rows).toSQL().sql;
	expect(selected(qualified(others))).toContain('"r"."owner_id" = "some_rows"."owner_id"');
	expect(selected(others)).not.toContain('"r"."owner_id"');
});
