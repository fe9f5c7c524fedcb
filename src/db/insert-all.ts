// Inserts any number of rows with one statement and one parameter: D1 allows 100 parameters in a statement.

import { getTableColumns, type InferInsertModel, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Statement } from "./database";
import { prebuilt } from "./prebuilt";

const inserts = new WeakMap<SQLiteTable, (values: { rows: string }) => Statement>();

/** For tables whose columns are texts and integers. Every row must name every column. */
export function insertAll<T extends SQLiteTable>(table: T, rows: readonly Required<InferInsertModel<T>>[]): Statement[] {
	if (rows.length === 0) return [];
	const insert = inserts.get(table) ?? insertInto(table);
	inserts.set(table, insert);
	return [insert({ rows: JSON.stringify(rows) })];
}

function insertInto(table: SQLiteTable): (values: { rows: string }) => Statement {
	const members = Object.keys(getTableColumns(table));
	const columns = sql.join(
		members.map((member) => sql.identifier(toSnakeCase(member))),
		sql`, `,
	);
	const values = sql.join(
		members.map((member) => sql`value ->> ${sql.raw(`'${member}'`)}`),
		sql`, `,
	);
	return prebuilt((orm) => orm.run(sql`insert into ${table} (${columns}) select ${values} from json_each(${sql.placeholder("rows")})`));
}
