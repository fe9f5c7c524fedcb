// Statements of hot paths, built once in each isolate: Drizzle takes longer to build a small statement than SQLite to run it.

import { is, Param, Placeholder } from "drizzle-orm";
import { type Built, buildToKeep, type Statement } from "./built";
import { type Orm, orm } from "./orm";

type Values = Readonly<Record<string, unknown>>;

/** A built statement with its values. Only `read` and `commit` can run it. */
export class Prebuilt implements Built {
	readonly sql: string;
	readonly params: readonly unknown[];
	readonly mapResult: Built["mapResult"];

	constructor({ sql, params, mapResult }: Built, values: Values) {
		this.sql = sql;
		this.params = params.map((param) => boundValue(param, values));
		this.mapResult = mapResult;
	}

	/** As statements of Drizzle have it. */
	toSQL(): Pick<Built, "sql" | "params"> {
		const { sql, params } = this;
		return { sql, params };
	}
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

/** A statement whose values are placeholders (`sql.placeholder`). It is built when it is first needed. */
export function prebuilt<S extends Statement>(build: (orm: Orm) => S): (values: Values) => S {
	let built: Built | undefined;
	return (values) => {
		built ??= buildToKeep(build(orm));
		return new Prebuilt(built, values) as unknown as S;
	};
}
