// What stands for D1 in Node: SQLite in memory with the same tables, triggers, SQL and limits.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { codeOf } from "./sqlite-codes";
import { parametersOf } from "./sqlite-parameters";

const folder = path.join(import.meta.dirname, "../../../migrations");
const MIGRATIONS = globSync("*.sql", { cwd: folder }).sort();

/** Those that D1 sets. */
const LIMITS = { column: 100, compoundSelect: 5, exprDepth: 100, likePatternLength: 50, sqlLength: 100_000, variableNumber: 100 };

const open = () => new DatabaseSync(":memory:", { limits: LIMITS });

/** A database with all migrations. @param altered what each of them shall be instead */
export function migrate(altered: (migration: string) => string = (migration) => migration): Uint8Array {
	const database = open();
	database.exec(
		"create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)",
	);
	for (const name of MIGRATIONS) {
		database.exec(altered(readFileSync(path.join(folder, name), "utf8")));
		database.prepare("insert into d1_migrations (name) values (?)").run(name);
	}
	const copy = database.serialize();
	database.close();
	return copy;
}

let first: Uint8Array | undefined;

/** The same without a change: the first is migrated, and each further one begins as its copy. */
export function migrated(): Uint8Array {
	first ??= migrate();
	return first;
}

export type Bound = { readonly sql: string; readonly values: readonly SQLInputValue[] };
export type Row = Record<string, unknown>;
/** A result whose rows are lists of values, with the names of their columns, which may be the same. */
export type Rows = { readonly columns: readonly string[]; readonly rows: unknown[][]; readonly meta: D1Result["meta"] };

/** A migrated database. A batch is a savepoint of its own, so that all that was done since an outer one can be taken back. */
export class Sqlite {
	#sqlite = open();
	readonly #prepared = new Map<string, Prepared>();
	#isSchemaChanged = false;
	#begun: Uint8Array | undefined;

	constructor() {
		this.#sqlite.deserialize(migrated());
	}

	/** Reads past limits and errors of D1, for tests that look into the database. */
	all<R = Row>(sql: string, ...values: SQLInputValue[]): R[] {
		return this.#of(sql)
			.statement.all(...values)
			.map((row) => asRow(this.#of(sql).columns, row)) as R[];
	}

	exec(sql: string): void {
		this.#sqlite.exec(sql);
		if (CHANGES_SCHEMA.test(sql)) this.#forgetStatements();
	}

	/** From here on `takeBack` can take everything back. */
	mark(): void {
		this.#sqlite.exec("savepoint marked");
	}

	/** Makes the database what it was when it was marked. */
	takeBack(): void {
		if (this.#isSchemaChanged) this.beginAnew(this.#begun);
		else this.#sqlite.exec("rollback to marked");
	}

	/** Becomes a copy of this database, or of one with all migrations, and is marked. */
	beginAnew(as = migrated()): void {
		const next = open();
		next.deserialize(as);
		this.#begun = as;
		this.#forgetStatements();
		this.#sqlite.close();
		this.#sqlite = next;
		this.#isSchemaChanged = false;
		this.mark();
	}

	/** Runs the statements of a line. Throws as D1 does. */
	execLine(sql: string): void {
		try {
			this.exec(sql);
		} catch (error) {
			throw asD1(error);
		}
	}

	/** Runs all statements or none. Throws as D1 does. */
	batch(statements: readonly Bound[]): D1Result<Row>[] {
		return this.batchOfRows(statements).map(({ columns, rows, meta }) => ({
			results: rows.map((row) => asRow(columns, row)),
			success: true,
			meta,
		}));
	}

	/** The same, with rows as lists. */
	batchOfRows(statements: readonly Bound[]): Rows[] {
		// One statement is whole or nothing by itself, and what only reads leaves nothing behind.
		const savepoint = statements.length > 1 && statements.some(({ sql }) => !READS.test(sql));
		const defers = statements.some(({ sql }) => DEFERS.test(sql));
		if (savepoint) this.#tell("savepoint batch");
		try {
			const results = statements.map((statement) => this.#run(statement));
			const size_after = this.#bytes();
			for (const { meta } of results) meta.size_after = size_after;
			if (defers) this.#keepForeignKeys();
			return results;
		} catch (error) {
			if (savepoint) this.#tell("rollback to batch");
			throw asD1(error);
		} finally {
			if (savepoint) this.#tell("release batch");
			// D1's commit ends it; an outer savepoint would keep it for the statements of the next batch.
			if (defers) this.#tell("pragma defer_foreign_keys = off");
		}
	}

	close(): void {
		this.#sqlite.close();
	}

	#run({ sql, values }: Bound): Rows {
		const { statement, columns, parameters, reads } = this.#of(sql);
		if (parameters !== values.length) throw new Error("Wrong number of parameter bindings for SQL query.");
		const before = reads ? 0 : this.#number("select total_changes()");
		const rows = statement.all(...values) as unknown as unknown[][];
		const changes = reads ? 0 : this.#number("select total_changes()") - before;
		const last_row_id = reads ? 0 : this.#number("select last_insert_rowid()");
		if (CHANGES_SCHEMA.test(sql)) this.#forgetStatements();
		const meta = {
			rows_read: NOT_COUNTED,
			rows_written: reads ? 0 : NOT_COUNTED,
			changes,
			last_row_id,
			duration: 0,
			size_after: 0,
			changed_db: changes > 0,
		};
		return { columns, rows, meta };
	}

	/** Free pages left out. */
	#bytes(): number {
		return (this.#number("pragma page_count") - this.#number("pragma freelist_count")) * PAGE_BYTES;
	}

	/** An outer savepoint defers them beyond the batch, which D1 commits. */
	#keepForeignKeys(): void {
		const [violation] = this.#sqlite.prepare("pragma foreign_key_check").all();
		if (violation) throw Object.assign(new Error("FOREIGN KEY constraint failed"), { errcode: 787 });
	}

	/** Their columns may be others. */
	#forgetStatements(): void {
		this.#isSchemaChanged = true;
		this.#prepared.clear();
	}

	#number(sql: string): number {
		return Number((this.#of(sql).statement.get() as unknown as unknown[])[0]);
	}

	#tell(sql: string): void {
		this.#of(sql).statement.run();
	}

	#of(sql: string): Prepared {
		const known = this.#prepared.get(sql);
		if (known) return known;
		if (sql.length > LIMITS.sqlLength / 4 && Buffer.byteLength(sql) > LIMITS.sqlLength)
			throw Object.assign(new Error("statement too long"), { errcode: 18 });
		const statement = this.#sqlite.prepare(sql);
		statement.setReturnArrays(true);
		const made = new Prepared(statement, sql);
		this.#prepared.set(sql, made);
		return made;
	}
}

const PAGE_BYTES = 4096;

/** SQLite in Node does not say how many rows a statement touches in tables and indexes. */
const NOT_COUNTED = Number.NaN;

class Prepared {
	readonly statement: StatementSync;
	readonly parameters: number;
	readonly reads: boolean;
	#columns: readonly string[] | undefined;

	constructor(statement: StatementSync, sql: string) {
		this.statement = statement;
		this.parameters = parametersOf(sql);
		this.reads = READS.test(sql);
	}

	/** Asked again where a schema may have changed them. */
	get columns(): readonly string[] {
		this.#columns ??= this.statement.columns().map(({ name }) => name);
		return this.#columns;
	}
}

const asRow = (columns: readonly string[], values: unknown): Row => {
	const row: Row = {};
	for (let index = 0; index < columns.length; index++) row[columns[index] as string] = (values as unknown[])[index];
	return row;
};

/** Whether a statement only reads. */
export const READS = /^\s*(select|explain|pragma|with(?![\s\S]*\b(insert|update|delete)\b))/i;
const CHANGES_SCHEMA = /^\s*(create|drop|alter)\b/i;
const DEFERS = /\bdefer_foreign_keys\b/i;

/** The error in D1's words, by which the service recognizes why a commit was refused. */
function asD1(error: unknown): Error {
	const message = error instanceof Error ? error.message : String(error);
	const code = codeOf((error as { errcode?: number }).errcode);
	const told = code === undefined ? message : `${message}: ${code}`;
	return new Error(`D1_ERROR: ${told}`, { cause: new Error(told, { cause: error }) });
}
