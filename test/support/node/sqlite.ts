// What stands for D1 in Node: SQLite in memory with the same tables, triggers and SQL.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

const folder = path.join(import.meta.dirname, "../../../migrations");
const MIGRATIONS = globSync("*.sql", { cwd: folder })
	.sort()
	.map((file) => readFileSync(path.join(folder, file), "utf8"));

export type Bound = { readonly sql: string; readonly values: readonly SQLInputValue[] };
export type Row = Record<string, unknown>;

/** A migrated database. A batch is a savepoint of its own, so that all that was done since an outer one can be taken back. */
export class Sqlite {
	readonly #sqlite = new DatabaseSync(":memory:");
	readonly #prepared = new Map<string, Prepared>();

	constructor() {
		for (const migration of MIGRATIONS) this.#sqlite.exec(migration);
	}

	all<R = Row>(sql: string, ...values: SQLInputValue[]): R[] {
		return this.#of(sql).statement.all(...values) as R[];
	}

	exec(sql: string): void {
		this.#sqlite.exec(sql);
	}

	/** Runs all statements or none. Throws as D1 does. */
	batch(statements: readonly Bound[]): D1Result<Row>[] {
		this.all("savepoint batch");
		try {
			return statements.map((statement) => this.#run(statement));
		} catch (error) {
			this.all("rollback to batch");
			throw asD1(error);
		} finally {
			this.all("release batch");
		}
	}

	close(): void {
		this.#sqlite.close();
	}

	#run({ sql, values }: Bound): D1Result<Row> {
		const { statement, reads } = this.#of(sql);
		const results = statement.all(...values) as Row[];
		const changes = reads ? 0 : Number(this.#of("select changes() as n").statement.get()?.n);
		const meta = { rows_read: 0, rows_written: changes, changes, last_row_id: 0, duration: 0, size_after: 4096, changed_db: changes > 0 };
		return { results, success: true, meta };
	}

	#of(sql: string): Prepared {
		const known = this.#prepared.get(sql) ?? { statement: this.#sqlite.prepare(sql), reads: READS.test(sql) };
		this.#prepared.set(sql, known);
		return known;
	}
}

type Prepared = { readonly statement: StatementSync; readonly reads: boolean };

/** Whether a statement only reads. */
export const READS = /^\s*(select|explain|pragma|with(?![\s\S]*\b(insert|update|delete)\b))/i;

const SQLITE_CONSTRAINT_TRIGGER = 1811;

/** The error in D1's words, by which the service recognizes why a commit was refused. */
function asD1(error: unknown): Error {
	if (!(error instanceof Error)) return new Error("D1_ERROR", { cause: error });
	const kind = (error as { errcode?: number }).errcode === SQLITE_CONSTRAINT_TRIGGER ? "SQLITE_CONSTRAINT_TRIGGER" : "SQLITE_ERROR";
	return new Error(`D1_ERROR: ${error.message}: ${kind}`, { cause: error });
}
