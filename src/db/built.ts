// A statement as D1 takes it, and what is made of D1's answer.

import { Column, is, SQL, Subquery } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { dialect } from "./orm";

/** A statement of Drizzle. */
export type Statement = BatchItem<"sqlite">;

export type Built = {
	readonly sql: string;
	readonly params: readonly unknown[];
	readonly mapResult: (result: D1Result) => unknown;
};

type Field = { readonly path: readonly string[]; readonly field: unknown };

/** What Drizzle makes of a statement before a batch runs it. */
type Prepared = {
	getQuery(): { readonly sql: string; readonly params: readonly unknown[] };
	mapResult(result: unknown, fromBatch: true): unknown;
	readonly fields?: readonly Field[];
	readonly customResultMapper?: unknown;
};

const prepare = (statement: Statement): Prepared => (statement as unknown as { _prepare(): Prepared })._prepare();

export function build(step: Statement | SQL): Built {
	if (is(step, SQL)) return { ...dialect.sqlToQuery(step), mapResult: (result) => result };
	const prepared = prepare(step);
	const { sql, params } = prepared.getQuery();
	return { sql, params, mapResult: (result) => prepared.mapResult(result, true) };
}

/** The same for a statement that is built once and runs often: the decoders of its columns are looked up only once. */
export function buildToKeep(statement: Statement): Built {
	const prepared = prepare(statement);
	const { sql, params } = prepared.getQuery();
	const { fields, customResultMapper } = prepared;
	const isFlat = fields !== undefined && customResultMapper === undefined && fields.every(({ path }) => path.length === 1);
	return { sql, params, mapResult: isFlat ? rowsBy(fields) : (result) => prepared.mapResult(result, true) };
}

type Decoder = { mapFromDriverValue(value: unknown): unknown };

function rowsBy(fields: readonly Field[]): Built["mapResult"] {
	const columns = fields.map(({ path: [name = ""], field }) => ({ name, decoder: decoderOf(field) }));
	return ({ results }) =>
		results.map((found) => {
			const values = Object.values(found as object);
			const row: { [name: string]: unknown } = {};
			for (const [index, { name, decoder }] of columns.entries()) {
				const value = values[index];
				row[name] = value === null || decoder === undefined ? value : decoder.mapFromDriverValue(value);
			}
			return row;
		});
}

/** undefined where D1's value needs no decoding. */
function decoderOf(field: unknown): Decoder | undefined {
	if (is(field, Column)) return field.mapFromDriverValue === Column.prototype.mapFromDriverValue ? undefined : field;
	if (is(field, SQL)) return decoderIn(field);
	if (is(field, Subquery)) return decoderIn(field._.sql);
	return decoderIn((field as SQL.Aliased).sql);
}

/** Drizzle does not declare this member. */
const decoderIn = (expression: SQL): Decoder => (expression as unknown as { decoder: Decoder }).decoder;
