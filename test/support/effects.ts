// Watches calls for effects: rows, fetches, queue messages and Durable Objects.

import { databases } from "./databases";
import { sent } from "./sent";
import { KEPT, rowsOf, testEnv } from "./storage";
import type { World } from "./webhooks";

/** Columns that a refused call may change: the last use of a key is recorded with every refusal. */
const IGNORED: { readonly [table: string]: readonly string[] } = {
	api_keys: ["last_used_at"],
	event_purges: ["purged_to"],
};

/** The tables that a process writes once it has begun: its first request starts a sweep. */
const OF_SWEEP = new Set(["audit_seals", "audit_streams", "oldest_key"]);

export type Row = { readonly [column: string]: unknown };
/** The rows of each table, each as one text. */
type Rows = ReadonlyMap<string, readonly string[]>;

/** All rows of all tables. */
async function rowsNow(): Promise<Rows> {
	const rows = new Map<string, string[]>();
	for (const database of databases) {
		for (const [name, contents] of await rowsOf(database, KEPT)) {
			if (OF_SWEEP.has(name)) continue;
			const texts = contents.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !IGNORED[name]?.includes(column))));
			rows.set(name, [...(rows.get(name) ?? []), ...texts]);
		}
	}
	return rows;
}

const asOne = (texts: readonly string[] = []): string => texts.toSorted().join("\n");

/** The tables that have other rows than before. */
const changedTables = (before: Rows, after: Rows): string[] =>
	[...new Set([...before.keys(), ...after.keys()])].filter((table) => asOne(after.get(table)) !== asOne(before.get(table)));

/** What the call that is watched does to bindings. */
let seen: string[] = [];

const queue = (name: string) => ({
	send: async () => void seen.push(`a message to ${name}`),
	sendBatch: async () => void seen.push(`messages to ${name}`),
});

const objects = (name: "IDEMPOTENCY_KEYS" | "DELIVERY_RETRIES") =>
	new Proxy(testEnv[name], {
		get(namespace, member) {
			const value = Reflect.get(namespace, member) as unknown;
			if (typeof value !== "function") return value;
			return (...args: unknown[]) => {
				seen.push(`a Durable Object of ${name}`);
				return Reflect.apply(value, namespace, args) as unknown;
			};
		},
	});

const recording = {
	WEBHOOK_QUEUE: queue("WEBHOOK_QUEUE"),
	WEBHOOK_SLOW_QUEUE: queue("WEBHOOK_SLOW_QUEUE"),
	IDEMPOTENCY_KEYS: objects("IDEMPOTENCY_KEYS"),
	DELIVERY_RETRIES: objects("DELIVERY_RETRIES"),
} as unknown as Partial<Env>;

export type Watched<T> = {
	readonly result: T;
	readonly effects: readonly string[];
	/** The rows that the table has since the call. */
	added(table: string): Row[];
};

/** Watches calls that are made one after the other. */
export class Watch {
	readonly #world: World;
	#before: Rows;

	private constructor(world: World, before: Rows) {
		this.#world = world;
		this.#before = before;
	}

	/** Compares from now on with the rows as they are. */
	static async begin(world: World): Promise<Watch> {
		return new Watch(world, await rowsNow());
	}

	/**
	 * Makes the call with bindings that record.
	 * @param undo takes back what the test itself has changed since the watch began
	 */
	async during<T>(call: (vars: Partial<Env>) => Promise<T>, undo?: () => Promise<unknown>): Promise<Watched<T>> {
		seen = [];
		const fetched = this.#fetched;
		const { rows } = sent;
		const result = await call(recording);
		const mayHaveChanged = sent.rows > rows || sent.pending > 0;
		await undo?.();
		const before = this.#before;
		if (mayHaveChanged) this.#before = await rowsNow();
		seen.push(...changedTables(before, this.#before).map((table) => `rows of ${table}`));
		if (this.#fetched > fetched) seen.push("a fetch");
		const after = this.#before;
		return { result, effects: [...new Set(seen)].sort(), added: (table) => added(before.get(table), after.get(table)) };
	}

	get #fetched(): number {
		return this.#world.received.length + this.#world.lookups.length;
	}
}

function added(before: readonly string[] = [], after: readonly string[] = []): Row[] {
	const known = new Set(before);
	return after.filter((text) => !known.has(text)).map((text) => Object.fromEntries(JSON.parse(text) as [string, unknown][]));
}
