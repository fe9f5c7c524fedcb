// The storage of a Durable Object in Node. It outlives the object's memory.

import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { after, realNow } from "./clock";

type Row = Record<string, unknown>;
type Listing = { prefix?: string; start?: string; end?: string; limit?: number; reverse?: boolean };

/** What a statement answers: rows that are read once. */
class Cursor {
	readonly columnNames: string[];
	readonly rowsRead = Number.NaN;
	readonly rowsWritten = Number.NaN;
	readonly #rows: Iterator<Row>;

	constructor(columnNames: string[], rows: readonly Row[]) {
		this.columnNames = columnNames;
		this.#rows = rows[Symbol.iterator]();
	}

	next(): IteratorResult<Row> {
		return this.#rows.next();
	}

	[Symbol.iterator](): Iterator<Row> {
		return this.#rows;
	}

	toArray(): Row[] {
		return [...this];
	}

	one(): Row {
		const rows = this.toArray();
		if (rows.length === 1) return rows[0] as Row;
		throw new Error(`Expected exactly one result from SQL query, but got ${rows.length === 0 ? "no" : "multiple"} results.`);
	}

	*raw(): Generator<unknown[]> {
		for (const row of this) yield Object.values(row);
	}
}

export class Storage {
	#kept = new Map<string, unknown>();
	#alarmAt: number | null = null;
	#cancel = () => {};
	#sqlite: DatabaseSync | undefined;
	/** Runs when the alarm is due; without it a test rings. */
	readonly #rung: (() => void) | undefined;

	constructor(rung?: () => void) {
		this.#rung = rung;
	}

	readonly kv = {
		get: (key: string) => structuredClone(this.#kept.get(key)),
		put: (key: string, value: unknown) => void this.#kept.set(key, structuredClone(value)),
		delete: (key: string) => this.#kept.delete(key),
		list: (options?: Listing) => this.#listed(options)[Symbol.iterator](),
	};

	readonly sql = {
		exec: (sql: string, ...values: SQLInputValue[]) => {
			const statement = this.#opened().prepare(sql);
			const rows = statement.all(...values).map((row) => ({ ...row }));
			return new Cursor(
				statement.columns().map(({ name }) => name),
				rows,
			);
		},
	};

	async get(key: string | string[]): Promise<unknown> {
		if (typeof key === "string") return this.kv.get(key);
		return new Map(key.filter((each) => this.#kept.has(each)).map((each) => [each, this.kv.get(each)]));
	}

	async put(key: string | Row, value?: unknown): Promise<void> {
		for (const [name, each] of typeof key === "string" ? [[key, value] as const] : Object.entries(key)) this.kv.put(name, each);
	}

	async delete(key: string | string[]): Promise<boolean | number> {
		return typeof key === "string" ? this.#kept.delete(key) : key.filter((each) => this.#kept.delete(each)).length;
	}

	async list(options?: Listing): Promise<Map<string, unknown>> {
		return new Map(this.#listed(options));
	}

	async getAlarm(): Promise<number | null> {
		return this.#alarmAt;
	}

	async setAlarm(at: number | Date): Promise<void> {
		this.#alarmAt = Number(at);
		this.#cancel();
		if (this.#rung) this.#cancel = after(this.#alarmAt - realNow(), this.#rung);
	}

	async deleteAlarm(): Promise<void> {
		this.#alarmAt = null;
		this.#cancel();
	}

	async deleteAll(): Promise<void> {
		this.#kept.clear();
		this.#sqlite?.close();
		this.#sqlite = undefined;
		await this.deleteAlarm();
	}

	async sync(): Promise<void> {}

	/** All that it writes, or nothing where it throws. */
	transactionSync<T>(work: () => T): T {
		const before = new Map(this.#kept);
		const sqlite = this.#opened();
		sqlite.exec("savepoint work");
		try {
			return work();
		} catch (error) {
			sqlite.exec("rollback to work");
			this.#kept = before;
			throw error;
		} finally {
			sqlite.exec("release work");
		}
	}

	/** Whether the alarm is due, which is then taken. */
	takeAlarm(now: number): boolean {
		if (this.#alarmAt === null || this.#alarmAt > now) return false;
		void this.deleteAlarm();
		return true;
	}

	/** What is stored, as one text. */
	dump(): string {
		const tables = this.#sqlite?.prepare("select name from sqlite_master where type = 'table'").all() ?? [];
		const rows = tables.map(({ name }) => [name, this.#sqlite?.prepare(`select * from "${name}"`).all()]);
		return JSON.stringify([...this.#kept, ...rows]);
	}

	/** Nobody uses it any more. */
	close(): void {
		this.#cancel();
		this.#sqlite?.close();
	}

	#listed({ prefix = "", start = "", end, limit, reverse }: Listing = {}): [string, unknown][] {
		const keys = [...this.#kept.keys()].filter((key) => key.startsWith(prefix) && key >= start && (end === undefined || key < end)).sort();
		if (reverse) keys.reverse();
		return keys.slice(0, limit).map((key) => [key, this.kv.get(key)]);
	}

	#opened(): DatabaseSync {
		this.#sqlite ??= new DatabaseSync(":memory:");
		return this.#sqlite;
	}
}
