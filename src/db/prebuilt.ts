// Statements of hot paths, built once in each isolate: Drizzle takes longer to build a small statement than SQLite to run it.

import { is, Param, Placeholder } from "drizzle-orm";
import type { Statement } from "./database";
import { type Orm, ormOver } from "./orm";

/** What Drizzle makes of a statement before a batch runs it. */
type Built = {
	getQuery(): { readonly sql: string; readonly params: readonly unknown[] };
	mapResult(result: unknown, fromBatch: boolean): unknown;
};
type Values = Readonly<Record<string, unknown>>;

/** A built statement with its values. Only a batch can run it. */
export class Prebuilt {
	readonly #sql: string;
	readonly #params: unknown[];
	readonly #built: Built;

	constructor(built: Built, values: Values) {
		const { sql, params } = built.getQuery();
		this.#sql = sql;
		this.#params = params.map((param) => boundValue(param, values));
		this.#built = built;
	}

	getQuery(): { sql: string; params: unknown[] } {
		return { sql: this.#sql, params: this.#params };
	}

	/** As statements of Drizzle have it. */
	toSQL(): { sql: string; params: unknown[] } {
		return this.getQuery();
	}

	mapResult(result: unknown): unknown {
		return this.#built.mapResult(result, true);
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

/** Builds statements and has no database to run them in. */
const blueprint = ormOver({ prepare: () => undefined });

/** A statement whose values are placeholders (`sql.placeholder`). It is built when it is first needed. */
export function prebuilt<S extends Statement>(build: (orm: Orm) => S): (values: Values) => S {
	let built: Built | undefined;
	return (values) => {
		built ??= (build(blueprint) as unknown as { _prepare(): Built })._prepare();
		return new Prebuilt(built, values) as unknown as S;
	};
}
