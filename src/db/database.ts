// A request's access to D1. There are two verbs, and each is one round trip: `read` and `commit`.
// D1 has no interactive transactions: read, decide on values, then commit everything in one guarded batch.

import { type SQL, sql } from "drizzle-orm";
import { type Built, build, type Statement } from "./built";
import { type Effect, effect, type Results, type Step, type Write, withShared } from "./effects";
import type { Entrance, Handed } from "./entrance";
import { Meter } from "./meter";
import { type Orm, orm } from "./orm";
import { Prebuilt } from "./prebuilt";
import { type Answer, answerOf, type First, type Named, type Read, statementsOf } from "./reads";
import { DatabaseUnavailable, failureIn, Landed, type Mark, reasonOf, repeated } from "./transient";

export type { Effect, Orm, Results, Statement, Step, Write };
export { effect };

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

/** A trigger or `refuseIf` refused the commit; `reason` is what it raises. */
export class TriggerViolation extends Error {
	readonly reason: string;
	constructor(reason: string, options: ErrorOptions) {
		super("trigger violation", options);
		this.reason = reason;
	}
}

/** A check's result may be older than the state that it is compared with: the read is made once more, with its checks. */
export class OutdatedRead extends Error {}

/**
 * A check of the request that is part of its first read, so that it costs no round trip of its own.
 * `accept` throws when the request is refused or already answered, before the handler gets the other results, or an `OutdatedRead`. It
 * may be a promise, for which the results wait.
 */
export type DeferredCheck = {
	statements: readonly Statement[];
	accept: (results: readonly unknown[]) => unknown;
	/** false: no commit waits for this check alone. */
	beforeCommit?: false;
};

export class Database {
	readonly meter: Meter;
	/** Whether every read goes to the primary, and so sees every earlier commit. */
	readonly primary: boolean;
	/** Builds statements; only `read` and `commit` execute them. */
	readonly orm: Orm = orm;
	readonly #session: D1DatabaseSession;
	readonly #entrance: Entrance | undefined;
	/** The size of the database after the last round trip, free pages left out; 0 before the first. */
	bytes = 0;
	#checks: DeferredCheck[] = [];
	#relied: Map<string, SQL> | undefined;
	#checkFailure: unknown;

	/**
	 * @param constraint a bookmark, `first-primary` or `first-unconstrained`
	 * @param entrance where its first round trip waits
	 */
	constructor(database: D1Database, constraint: string, meter = new Meter(), entrance?: Entrance) {
		this.meter = meter;
		this.#entrance = entrance;
		this.primary = constraint === "first-primary";
		this.#session = database.withSession(constraint);
	}

	get bookmark(): string | null {
		return this.#session.getBookmark();
	}

	/** What a deferred check threw, if one did. */
	get checkFailure(): unknown {
		return this.#checkFailure;
	}

	/** Checks run together, and are accepted in the order in which they were deferred. */
	deferCheck(check: DeferredCheck): void {
		this.#checks.push(check);
	}

	/** The rows of a statement. */
	read<S extends Statement>(statement: S): Promise<S["_"]["result"]>;
	/** Its first row. */
	read<S extends Statement>(read: First<S>): Promise<Answer<First<S>>>;
	/**
	 * Reads several statements in one round trip, and answers their rows by the same names:
	 * `const { user, payees } = await db.read({ user: first(findUser(id)), payees: findPayees(id) })`.
	 * Selects that join must alias every column (`sql…as()`): D1 answers a batch as objects, in which columns of the same name
	 * overwrite each other.
	 */
	read<R extends Named | readonly Read[]>(reads: R): Promise<Answer<R>>;
	async read(read: Read): Promise<unknown> {
		return answerOf(read, await this.#readChecked(statementsOf(read)), (fact, row) => {
			const condition = fact.unchanged(row as never);
			if (condition) this.rely(JSON.stringify((fact.statement as unknown as { toSQL(): object }).toSQL()), condition);
		});
	}

	/** From here on facts are kept for a commit: those of a run of an operation, which begins without any. */
	keepFacts(): void {
		this.#relied = new Map();
	}

	/** The operation's commit is stale unless the condition holds. `fact`: what it is about; only the last condition about it counts. */
	rely(fact: string, condition: SQL): void {
		if (!this.#relied) throw new Error("only an operation relies on facts, and on those of its own home: `loose` reads others");
		this.#relied.set(fact, condition);
	}

	/** The conditions of the facts that were read or relied on, for the commit. */
	takeFacts(): SQL[] {
		const conditions = [...(this.#relied?.values() ?? [])];
		this.#relied?.clear();
		return conditions;
	}

	/** Runs the checks on their own that no read has run yet. */
	async runDeferredCheck(): Promise<void> {
		if (this.#checks.length > 0) await this.#readChecked([]);
	}

	async #readChecked(statements: readonly Statement[]): Promise<unknown[]> {
		const checks = this.#checks;
		this.#checks = [];
		const built = builtOf([...checks.flatMap((check) => check.statements), ...statements]);
		if (built.length === 0) return [];
		for (;;) {
			const results = await repeated(() => this.#read(built));
			try {
				for (const check of checks) await check.accept(results.splice(0, check.statements.length));
				return results;
			} catch (error) {
				if (error instanceof OutdatedRead) continue;
				this.#checkFailure = error;
				throw error;
			}
		}
	}

	/**
	 * Applies all writes or none, and returns the result of each write that is a statement: the rows of a RETURNING clause, or what
	 * D1 says of the run. Throws `StaleWrite`, `UniqueViolation`, `CheckViolation` or `TriggerViolation`; `Landed` when it was done and
	 * nobody knows its results; `DatabaseUnavailable` when nobody knows whether it was.
	 *
	 * @param repeatable doing it again changes nothing
	 */
	async commit<const T extends readonly Write[]>(writes: T, repeatable = false): Promise<Results<T>> {
		if (this.#checks.some(({ beforeCommit }) => beforeCommit !== false)) await this.runDeferredCheck();
		this.#checks = [];
		const effects = withShared(writes.map((write): Effect => ("statements" in write ? write : { statements: [write] })));
		const statements = effects.flatMap((effect) => effect.statements);
		if (statements.length === 0) return writes.map(() => undefined) as Results<T>;
		const mark = effects.findLast((effect) => effect.mark)?.mark;
		const results = await this.#write(statements, mark, repeatable);
		const answers = effects.map(({ statements, committed }, index) => {
			const own = results.splice(0, statements.length);
			committed?.(own);
			return writes[index] === effects[index] ? undefined : own[0];
		});
		return answers.slice(0, writes.length) as Results<T>;
	}

	async #read(built: readonly Built[]): Promise<unknown[]> {
		const handed = await this.#entrance?.pass(built);
		if (!handed) return this.#batch(built);
		this.bytes = handed.bytes;
		return handed.results;
	}

	/** What those who wait at entrances read first, in one round trip. */
	async readTogether(asked: readonly (readonly Built[])[]): Promise<Handed[]> {
		const results = await repeated(() => this.#batch(asked.flat()));
		return asked.map(({ length }) => ({ results: results.splice(0, length), bytes: this.bytes }));
	}

	async #batch(built: readonly Built[]): Promise<unknown[]> {
		const { meter } = this;
		meter.trips++;
		meter.statements += built.length;
		const began = Date.now();
		const results = await this.#session
			.batch(built.map(({ sql, params }) => this.#session.prepare(sql).bind(...params)))
			.catch((error: unknown) => {
				if (failureIn(reasonOf(error)) !== "OTHER") meter.failures++;
				throw error;
			});
		meter.durationMs += Date.now() - began;
		for (const { meta } of results) {
			meter.rowsRead += meta.rows_read;
			meter.rowsWritten += meta.rows_written;
			this.bytes = meta.size_after;
			meter.region = meta.served_by_region ?? meter.region;
		}
		return results.map((result, index) => built[index]?.mapResult(result));
	}

	async #write(statements: readonly Step[], mark: Mark | undefined, repeatable: boolean): Promise<unknown[]> {
		await this.#entrance?.pass();
		const built = builtOf(statements);
		const again = repeatable || mark !== undefined || built.some(meetsItself);
		let lost = false;
		try {
			return await repeated(
				() => this.#batch(built),
				() => {
					lost = true;
					return again;
				},
			);
		} catch (error) {
			// A refusal may be that of what the commit itself did in a try whose answer was lost.
			if (lost && mark && (await this.#has(mark))) throw new Landed("the answer to a commit was lost", { cause: error });
			throw error instanceof DatabaseUnavailable ? error : refusalIn(error);
		}
	}

	async #has({ table, id }: Mark): Promise<boolean> {
		const found = build(sql`select 1 from ${table} where ${sql.identifier("id")} = ${id}`);
		const [result] = await repeated(() => this.#batch([found]));
		return (result as D1Result).results.length > 0;
	}
}

const builtOf = (steps: readonly Step[]): Built[] => steps.map((step) => (step instanceof Prebuilt ? step : build(step)));

/** Whether a second landing of the commit that has this statement is refused: by a guard, or by the record of its idempotency key. */
const meetsItself = ({ sql: text }: Built): boolean => /json\('stale write'\)|^\s*insert into "?idempotency_records"?/.test(text);

/** What D1's words for a refused commit mean; the error itself where they mean nothing. */
function refusalIn(error: unknown): unknown {
	const message = reasonOf(error);
	if (message.includes("malformed JSON")) return new StaleWrite("stale write", { cause: error });
	const unique = /UNIQUE constraint failed: ([\w., ]+)/.exec(message);
	if (unique?.[1]) return new UniqueViolation(unique[1], { cause: error });
	const check = /CHECK constraint failed: (\w+)/.exec(message);
	if (check?.[1]) return new CheckViolation(check[1], { cause: error });
	const refusal = /bad JSON path: '([^']+)'/.exec(message);
	if (refusal?.[1]) return new TriggerViolation(refusal[1], { cause: error });
	const trigger = /([^:]+): SQLITE_CONSTRAINT_TRIGGER|([^:]+): SQLITE_CONSTRAINT \(extended: SQLITE_CONSTRAINT_TRIGGER\)/.exec(message);
	const reason = trigger?.[1] ?? trigger?.[2];
	return reason ? new TriggerViolation(reason.trim(), { cause: error }) : error;
}

/** The database as handlers see it: it reads and builds statements. */
export type Reader = Pick<
	Database,
	"orm" | "bytes" | "meter" | "primary" | "bookmark" | "deferCheck" | "read" | "rely" | "runDeferredCheck"
>;

/** Whether a statement failed because the database lacks a table or a column of this version. */
export const lacksTables = (error: unknown): boolean => /no such (table|column)|has no column/.test(reasonOf(error));

const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** A client's `X-D1-Bookmark`, or undefined when it is absent or malformed. A made-up bookmark can only make reads fresher. */
export const readBookmark = (header: string | undefined): string | undefined => (header && BOOKMARK.test(header) ? header : undefined);
