// One request's way to D1. There are two verbs, and each is one round trip: `read` and `commit`.
// D1 has no interactive transaction: read, decide on values, then commit everything in one guarded batch.

import { is, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";

export type Orm = DrizzleD1Database;
/** A built, not yet executed statement. */
export type Statement = BatchItem<"sqlite">;
/** Statements that belong together, with what follows once they are committed (never a second write). */
export type Effect = { statements: readonly Statement[]; committed?: (results: readonly unknown[]) => void };
export type Write = Statement | Effect;

type Results<T extends readonly Statement[]> = { [K in keyof T]: T[K]["_"]["result"] };

/** The rows that a decision was based on changed before it was written. */
export class StaleWrite extends Error {}

/** A UNIQUE index refused the commit; `columns` names it as SQLite does: `table.a, table.b`. */
export class UniqueViolation extends Error {
	readonly columns: string;
	constructor(columns: string, options: ErrorOptions) {
		super("unique violation", options);
		this.columns = columns;
	}
}

/** A CHECK constraint of this name refused the commit. */
export class CheckViolation extends Error {
	readonly constraint: string;
	constructor(constraint: string, options: ErrorOptions) {
		super("check violation", options);
		this.constraint = constraint;
	}
}

/** What one request cost D1. */
export class Meter {
	trips = 0;
	rowsRead = 0;
	rowsWritten = 0;
	durationMs = 0;
}

/**
 * A check of the caller that rides along with the request's first read instead of costing a round trip of its own.
 * `accept` throws when the caller is refused, before anybody sees what else was read.
 */
export type DeferredCheck = { statements: readonly Statement[]; accept: (results: readonly unknown[]) => void };

export class Database {
	/** Builds statements; executing them is for `read` and `commit`. */
	readonly orm: Orm;
	readonly meter: Meter;
	/** Whether every read goes to the primary, so that it sees all that was ever committed. */
	readonly primary: boolean;
	readonly #session: D1DatabaseSession;
	#check: DeferredCheck | undefined;

	/** `constraint`: a bookmark, `first-primary` or `first-unconstrained`. */
	constructor(database: D1Database, constraint: string, meter = new Meter()) {
		this.meter = meter;
		this.primary = constraint === "first-primary";
		this.#session = database.withSession(constraint);
		const metered = {
			prepare: (query: string) => this.#session.prepare(query),
			batch: async (statements: D1PreparedStatement[]) => {
				meter.trips++;
				const began = Date.now();
				const results = await this.#session.batch(statements);
				meter.durationMs += Date.now() - began;
				for (const { meta } of results) {
					meter.rowsRead += meta.rows_read;
					meter.rowsWritten += meta.rows_written;
				}
				return results;
			},
		};
		// Drizzle calls nothing of a D1Database but these two.
		this.orm = drizzle(metered as unknown as D1Database, { casing: "snake_case" });
	}

	get bookmark(): string | null {
		return this.#session.getBookmark();
	}

	deferCheck(check: DeferredCheck): void {
		this.#check = check;
	}

	/**
	 * Reads all statements in one round trip. Selects that join must alias every column (`sql…as()`):
	 * D1 answers a batch as objects, in which columns of the same name overwrite each other.
	 */
	async read<const T extends readonly [Statement, ...Statement[]]>(...statements: T): Promise<Results<T>> {
		const check = this.#check;
		this.#check = undefined;
		if (!check) return (await this.#batch(statements)) as Results<T>;
		const results = await this.#batch([...check.statements, ...statements]);
		check.accept(results.splice(0, check.statements.length));
		return results as Results<T>;
	}

	/** Runs the caller's check alone, where no read has carried it. */
	async runDeferredCheck(): Promise<void> {
		const check = this.#check;
		this.#check = undefined;
		if (check) check.accept(await this.#batch(check.statements));
	}

	/** Applies all writes or none. Throws `StaleWrite`, `UniqueViolation` or `CheckViolation`. */
	async commit(writes: readonly Write[]): Promise<void> {
		await this.runDeferredCheck();
		const effects = writes.map((write): Effect => ("statements" in write ? write : { statements: [write] }));
		const statements = effects.flatMap((effect) => effect.statements);
		if (statements.length === 0) return;
		const results = await this.#write(statements);
		let from = 0;
		for (const { statements, committed } of effects) {
			committed?.(results.slice(from, from + statements.length));
			from += statements.length;
		}
	}

	/** Drizzle's batch binds the parameters of its own builders alone: statements in plain SQL are given theirs here. */
	async #batch(statements: readonly Statement[]): Promise<unknown[]> {
		const prepared = statements.map((statement) => {
			if (!is(statement, SQLiteRaw)) return statement;
			const { sql, params } = statement.getQuery();
			const stmt = this.#session.prepare(sql);
			const mapResult = (result: unknown) => statement.mapResult(result, true);
			return { _prepare: () => ({ stmt, getQuery: () => ({ sql, params }), mapResult }) };
		});
		return this.orm.batch(prepared as never);
	}

	async #write(statements: readonly Statement[]): Promise<unknown[]> {
		try {
			return await this.#batch(statements);
		} catch (error) {
			const message = reasonOf(error);
			if (message.includes("malformed JSON")) throw new StaleWrite("stale write", { cause: error });
			const unique = /UNIQUE constraint failed: ([\w., ]+)/.exec(message);
			if (unique?.[1]) throw new UniqueViolation(unique[1], { cause: error });
			const check = /CHECK constraint failed: (\w+)/.exec(message);
			if (check?.[1]) throw new CheckViolation(check[1], { cause: error });
			throw error;
		}
	}
}

/** The database as handlers see it: it reads and builds statements. */
export type Reader = Pick<Database, "orm" | "meter" | "primary" | "bookmark" | "deferCheck" | "read" | "runDeferredCheck">;

/**
 * Aborts the whole commit unless the write before it changed exactly one row. SQLite allows RAISE only
 * in triggers, so the abort is a deliberately malformed JSON literal.
 */
export const orStale = (orm: Orm): Statement => orm.run(sql`select case when changes() <> 1 then json('stale write') end`);

/** Drizzle's own message carries the bound values; D1's, which does not, is its cause. */
function reasonOf(error: unknown): string {
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
	return cause instanceof Error ? cause.message : "";
}

const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** A client's `X-D1-Bookmark`, or undefined when it is absent or none of ours: it only ever makes reads fresher. */
export const readBookmark = (header: string | undefined): string | undefined => (header && BOOKMARK.test(header) ? header : undefined);
