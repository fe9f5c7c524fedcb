// D1 over SQLite in memory, for thousands of histories a minute: the same tables, triggers and SQL. Every batch passes a gate, which
// decides when it runs, and whether the process survives it.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

const folder = path.join(import.meta.dirname, "../../migrations");
const MIGRATIONS = globSync("*.sql", { cwd: folder })
	.sort()
	.map((file) => readFileSync(path.join(folder, file), "utf8"));

/** Changes the text of a statement to the one that a design broken on purpose would send. */
export type Sabotage = (sql: string) => string;
/** Runs a batch when its turn comes. */
export type Gate = <T>(batch: () => T) => Promise<T>;

type Bound = { readonly sql: string; readonly values: readonly SQLInputValue[] };
type Rows = Record<string, unknown>[];

/** One database of the service. */
export class Store {
	readonly #sqlite = new DatabaseSync(":memory:");
	readonly #prepared = new Map<string, StatementSync>();
	readonly #sabotage: Sabotage;

	constructor(sabotage: Sabotage) {
		this.#sabotage = sabotage;
		for (const migration of MIGRATIONS) this.#sqlite.exec(migration);
	}

	/** Reads immediately, even while batches wait at the gate. */
	all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
		return this.#statement(sql).all(...values) as Row[];
	}

	/** The binding of a process whose batches pass this gate. */
	bindingBehind(gate: Gate): D1Database {
		const session = {
			prepare: (sql: string) => ({ sql, values: [], bind: (...values: SQLInputValue[]) => ({ sql, values }) }),
			batch: (statements: readonly Bound[]) => gate(() => this.#batch(statements)),
			getBookmark: () => null,
		};
		return { ...session, withSession: () => session } as unknown as D1Database;
	}

	close(): void {
		this.#sqlite.close();
	}

	#batch(statements: readonly Bound[]) {
		this.#sqlite.exec("begin immediate");
		try {
			const results = statements.map(({ sql, values }) => this.#run(this.#sabotage(sql), values));
			this.#sqlite.exec("commit");
			return results;
		} catch (error) {
			this.#sqlite.exec("rollback");
			throw asD1(error);
		}
	}

	#run(sql: string, values: readonly SQLInputValue[]) {
		const results = this.#statement(sql).all(...values) as Rows;
		return { results, success: true, meta: { rows_read: 0, rows_written: 0, changes: 0, last_row_id: 0, duration: 0 } };
	}

	#statement(sql: string): StatementSync {
		const known = this.#prepared.get(sql) ?? this.#sqlite.prepare(sql);
		this.#prepared.set(sql, known);
		return known;
	}
}

const SQLITE_CONSTRAINT_TRIGGER = 1811;

/** The error in D1's words, by which the service recognizes why a commit was refused. */
function asD1(error: unknown): Error {
	if (!(error instanceof Error)) return new Error("D1_ERROR", { cause: error });
	const kind = (error as { errcode?: number }).errcode === SQLITE_CONSTRAINT_TRIGGER ? "SQLITE_CONSTRAINT_TRIGGER" : "SQLITE_ERROR";
	return new Error(`D1_ERROR: ${error.message}: ${kind}`, { cause: error });
}
