// Watches a request for effects: rows, fetches, queue messages and Durable Objects.

import { databases } from "./databases";
import { KEPT, testEnv, withRows } from "./storage";
import type { World } from "./webhooks";

/** Columns that a refused call may change: the last use of a key is recorded whatever the key is then refused. */
const IGNORED: { readonly [table: string]: readonly string[] } = {
	api_keys: ["last_used_at"],
	event_purges: ["purged_to"],
};

/** The tables that the sweep writes: the first request of a process starts a sweep. */
const OF_SWEEP = new Set(["audit_seals", "audit_streams"]);

/** How many rows a database has ever changed, each time that one was written, also by triggers. */
const CHANGED = "select total_changes() as changes";

/** All rows of all tables, as one text for each table, and how many rows were changed so far. */
async function dump(): Promise<{ contents: Map<string, string>; changes: readonly unknown[] }> {
	const rows = new Map<string, string[]>();
	const changes: unknown[] = [];
	for (const database of databases) {
		const { used, answers } = await withRows(database, database.prepare(CHANGED));
		changes.push(answers[0]?.results[0]?.changes);
		const names = [...KEPT, ...used].filter((name) => !OF_SWEEP.has(name));
		const contents = await database.batch<Record<string, unknown>>(names.map((name) => database.prepare(`select * from "${name}"`)));
		for (const [index, name] of names.entries()) {
			const texts = (contents[index]?.results ?? []).map((row) =>
				JSON.stringify(Object.entries(row).filter(([column]) => !IGNORED[name]?.includes(column))),
			);
			rows.set(name, [...(rows.get(name) ?? []), ...texts]);
		}
	}
	return { contents: new Map([...rows].map(([name, texts]) => [name, texts.sort().join("\n")])), changes };
}

/** The tables that have other rows than before. */
async function changedSince(before: Awaited<ReturnType<typeof dump>>): Promise<string[]> {
	const changes = await Promise.all(databases.map((database) => database.prepare(CHANGED).first("changes")));
	if (changes.every((count, index) => count === before.changes[index])) return [];
	const { contents } = await dump();
	return [...new Set([...before.contents.keys(), ...contents.keys()])].filter(
		(table) => contents.get(table) !== before.contents.get(table),
	);
}

const queue = (name: string, seen: string[]) => ({
	send: async () => void seen.push(`a message to ${name}`),
	sendBatch: async () => void seen.push(`messages to ${name}`),
});

const objects = (name: "IDEMPOTENCY_KEYS" | "DELIVERY_RETRIES", seen: string[]) =>
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

/** Runs the request with bindings that record, and returns its result and the effects that it had. */
export async function effectsOf<T>(world: World, run: (vars: Partial<Env>) => Promise<T>): Promise<{ result: T; effects: string[] }> {
	const seen: string[] = [];
	const vars = {
		WEBHOOK_QUEUE: queue("WEBHOOK_QUEUE", seen),
		WEBHOOK_SLOW_QUEUE: queue("WEBHOOK_SLOW_QUEUE", seen),
		IDEMPOTENCY_KEYS: objects("IDEMPOTENCY_KEYS", seen),
		DELIVERY_RETRIES: objects("DELIVERY_RETRIES", seen),
	} as unknown as Partial<Env>;
	const fetched = world.received.length + world.lookups.length;
	const before = await dump();
	const result = await run(vars);
	seen.push(...(await changedSince(before)).map((table) => `rows of ${table}`));
	if (world.received.length + world.lookups.length > fetched) seen.push("a fetch");
	return { result, effects: [...new Set(seen)].sort() };
}
