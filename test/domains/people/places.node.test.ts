// Every text of every table: an erasure has a place for it, or a list has the reason why not.

import { type Column, getTableColumns, getTableName, is } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import type { Person } from "../../../src/domains/people/person.policy";
import { PLACES } from "../../../src/domains/people/places.store";
import { COLLEAGUES, IMPERSONAL } from "./impersonal";

const tables = new Set(
	Object.values(import.meta.glob<object>("../../../src/**/*table.ts", { eager: true }))
		.flatMap((module) => Object.values(module))
		.filter((value): value is SQLiteTable => is(value, SQLiteTable)),
);

/** Ids, digests, currencies, days, and what the database itself limits to words. */
const BY_ITS_NAME = /^id$|Ids?$|[cC]urrency$|[bB]y$|[hH]ash$|[fF]ingerprint|[sS]ha256|[cC]ursor$|[dD]ay$|^cause$|As$/;
const isFree = (column: Column) => /text|blob/i.test(column.columnType) && !column.enumValues?.length && !BY_ITS_NAME.test(column.name);

const person: Person = {
	...{ userId: "u", isKnown: true, addresses: ["+254711223344"], phones: ["p"], identityNames: ["i"], numbers: [], mails: ["m"] },
	...{ names: ["n"], identities: [], tag: "t" },
};
const dialect = new SQLiteSyncDialect({ casing: "snake_case" });

/** Whether an erasure removes the row, or writes the column. */
const isWorkedOff = (table: SQLiteTable, column: Column) =>
	PLACES.some((place) => {
		if (place.table !== table) return false;
		if (!place.becomes) return !place.sealed || column.name === "sealed";
		return dialect.sqlToQuery(place.becomes(person)).sql.includes(`"${toSnakeCase(column.name)}" =`);
	});

it("has a place for every text, or a reason why it names nobody", () => {
	const rest = [...tables].flatMap((table) =>
		Object.values(getTableColumns(table))
			.filter((column) => isFree(column) && !isWorkedOff(table, column))
			.map(({ name }) => `${getTableName(table)}.${toSnakeCase(name)}`),
	);
	const listed = Object.values({ ...IMPERSONAL, ...COLLEAGUES }).flat();
	expect(new Set(listed).size).toBe(listed.length);
	expect(listed.toSorted()).toEqual([...new Set(rest)].sort());
});
