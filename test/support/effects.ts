// Watches a request for effects: rows, fetches, queue messages and Durable Objects.

import { databases } from "./databases";
import { sent } from "./sent";
import { KEPT, rowsOf, testEnv } from "./storage";
import type { World } from "./webhooks";

/** Columns that a refused call may change: the last use of a key is recorded whatever the key is then refused. */
const IGNORED: { readonly [table: string]: readonly string[] } = {
	api_keys: ["last_used_at"],
	event_purges: ["purged_to"],
};

/** The tables that the sweep writes: the first request of a process starts a sweep. */
const OF_SWEEP = new Set(["audit_seals", "audit_streams"]);

/** All rows of all tables, as one text for each table. */
async function dump(): Promise<Map<string, string>> {
	const rows = new Map<string, string[]>();
	for (const database of databases) {
		for (const [name, contents] of await rowsOf(database, KEPT)) {
			if (OF_SWEEP.has(name)) continue;
			const texts = contents.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !IGNORED[name]?.includes(column))));
			rows.set(name, [...(rows.get(name) ?? []), ...texts]);
		}
	}
	return new Map([...rows].map(([name, texts]) => [name, texts.sort().join("\n")]));
}

/** The tables that have other rows than before. */
async function changedSince(before: Awaited<ReturnType<typeof dump>>): Promise<string[]> {
	const after = await dump();
	return [...new Set([...before.keys(), ...after.keys()])].filter((table) => (after.get(table) ?? "") !== (before.get(table) ?? ""));
}

/** What the request that is watched does to bindings. */
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

/** Runs the request with bindings that record, and returns its result and the effects that it had. */
export async function effectsOf<T>(world: World, run: (vars: Partial<Env>) => Promise<T>): Promise<{ result: T; effects: string[] }> {
	seen = [];
	const fetched = world.received.length + world.lookups.length;
	const before = await dump();
	const { rows } = sent;
	const result = await run(recording);
	if (sent.rows > rows || sent.pending > 0) seen.push(...(await changedSince(before)).map((table) => `rows of ${table}`));
	if (world.received.length + world.lookups.length > fetched) seen.push("a fetch");
	return { result, effects: [...new Set(seen)].sort() };
}
