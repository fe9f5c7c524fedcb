// D1 over SQLite in memory, for thousands of histories a minute. Every batch passes a gate, which decides when it runs, and whether the
// process survives it.

import type { SQLInputValue } from "node:sqlite";
import { type Bound, Sqlite } from "../support/node/sqlite";

/** Changes the text of a statement to the text that a design broken on purpose would send. */
export type Sabotage = (sql: string) => string;
/** Runs a batch when its turn comes. */
export type Gate = <T>(batch: () => T) => Promise<T>;

/** One database of the service. */
export class Store {
	readonly #sqlite = new Sqlite();
	readonly #sabotage: Sabotage;

	constructor(sabotage: Sabotage) {
		this.#sabotage = sabotage;
	}

	/** Reads immediately, even while batches wait at the gate. */
	all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
		return this.#sqlite.all<Row>(sql, ...values);
	}

	/** The binding of a process whose batches pass this gate. */
	bindingBehind(gate: Gate): D1Database {
		const session = {
			prepare: (sql: string) => ({ sql, values: [], bind: (...values: SQLInputValue[]) => ({ sql, values }) }),
			batch: (statements: readonly Bound[]) =>
				gate(() => this.#sqlite.batch(statements.map(({ sql, values }) => ({ sql: this.#sabotage(sql), values })))),
			getBookmark: () => null,
		};
		return { ...session, withSession: () => session } as unknown as D1Database;
	}

	close(): void {
		this.#sqlite.close();
	}
}
