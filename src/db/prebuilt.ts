// Statements of hot paths, built once in each isolate: Drizzle takes longer to build a small statement than SQLite to run it.

import { getTableColumns, type InferInsertModel, is, Param, Placeholder, SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Built, build, queryOf, type Statement } from "./built";
import { type Orm, orm } from "./orm";

type Values = Readonly<Record<string, unknown>>;
type Query = { readonly sql: string; readonly params: readonly unknown[] };

/** Stands in a built text where SQL follows that is not known yet. */
const MARK = "\u0001";

class Hole extends Placeholder {}

/** A place in a prebuilt statement for SQL that each use gives, such as a subquery. */
export const hole = (name: string): SQL => sql`${sql.raw(MARK)}${new Hole(name)}`;

/** A condition that always holds, where a statement must have one. */
export const ALWAYS = sql`true`;

/** A built statement with its values. Only `read` and `commit` can run it. */
export class Prebuilt implements Built {
	readonly sql: string;
	readonly params: readonly unknown[];
	readonly mapResult: Built["mapResult"];

	constructor({ sql, params, mapResult }: Built, values: Values) {
		const query = filled({ sql, params }, values);
		this.sql = query.sql;
		this.params = query.params;
		this.mapResult = mapResult;
	}

	/** As statements of Drizzle have it. */
	toSQL(): Pick<Built, "sql" | "params"> {
		const { sql, params } = this;
		return { sql, params };
	}
}

function filled({ sql, params }: Query, values: Values): Query {
	if (!sql.includes(MARK)) return { sql, params: params.map((param) => boundValue(param, values)) };
	const [first = "", ...rest] = sql.split(`${MARK}?`);
	let text = first;
	const bound: unknown[] = [];
	for (const param of params) {
		if (param instanceof Hole) {
			const given = rendered(named(param, values));
			text += given.sql + rest.shift();
			bound.push(...given.params);
		} else bound.push(boundValue(param, values));
	}
	return { sql: text, params: bound };
}

/** What fills several holes is rendered once. */
const renderings = new WeakMap<SQL, Query>();

function rendered(value: unknown): Query {
	if (!is(value, SQL)) throw new Error("a hole must be filled with SQL");
	const known = renderings.get(value);
	if (known) return known;
	const query = queryOf(value);
	renderings.set(value, query);
	return query;
}

/** Encodes as Drizzle does; null is never encoded. */
function boundValue(param: unknown, values: Values): unknown {
	if (is(param, Placeholder)) return named(param, values);
	if (!is(param, Param) || !is(param.value, Placeholder)) return param;
	const value = named(param.value, values);
	return value === null ? null : param.encoder.mapToDriverValue(value);
}

function named({ name }: Placeholder, values: Values): unknown {
	if (!(name in values)) throw new Error(`the statement needs a value for ${name}`);
	return values[name];
}

/** The statement without the spaces that indent its text, which every use sends. Spaces in quotes stay. */
const compact = (built: Built): Built => ({
	...built,
	sql: built.sql.replaceAll(/('[^']*'|"[^"]*")|\s+/g, (_, quoted: string | undefined) => quoted ?? " ").trim(),
});

/** A statement whose values are placeholders (`sql.placeholder`). It is built when it is first needed. */
export function prebuilt<S extends Statement>(make: (orm: Orm) => S): (values: Values) => S {
	let built: Built | undefined;
	return (values) => {
		built ??= compact(build(make(orm)));
		return new Prebuilt(built, values) as unknown as S;
	};
}

/** An insert of one row, which must name every column. */
export const insertOf = <T extends SQLiteTable>(table: T): ((row: Required<InferInsertModel<T>>) => Statement) =>
	prebuilt((orm) => orm.insert(table).values(placeholdersOf(table)) as unknown as Statement);

/** The same, and nothing where another row has a key of it. */
export const insertOnceOf = <T extends SQLiteTable>(table: T): ((row: Required<InferInsertModel<T>>) => Statement) =>
	prebuilt((orm) => orm.insert(table).values(placeholdersOf(table)).onConflictDoNothing() as unknown as Statement);

const placeholdersOf = (table: SQLiteTable): never =>
	Object.fromEntries(Object.keys(getTableColumns(table)).map((name) => [name, sql.placeholder(name)])) as never;
