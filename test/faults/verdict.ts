// Compares what a plan has left with what the same calls leave without faults. A row is its JSON with ids, instants, digests and sealed
// texts replaced by their kind; ids that existed before the call stay. Tables are multisets of such rows.

import { databases } from "../support/databases";
import type { Asked, Outside } from "./outside";
import type { Answered } from "./run";

/** Columns and tables in which two fault-free runs may differ, or which count attempts. `*`: the whole table. */
const LEFT_OUT: { readonly [table: string]: readonly string[] } = {
	// In which order the events of one sweep were raised.
	webhook_events: ["sequence"],
	// When a consumer was last woken up for the endpoint.
	webhook_endpoints: ["hinted_at", "wakes_at"],
	// Counts of attempts and how long they took.
	webhook_statistics: ["*"],
	// How often a delivery was attempted. How it ended is compared apart.
	webhook_attempts: ["*"],
	webhook_deliveries: ["*"],
	webhook_receipts: ["*"],
	// How many rows a seal covers, which is those that are there when it is made.
	audit_seals: ["*"],
	// With how many later days an account's last one was closed.
	loan_positions: ["as_of"],
	// A prompt is sent once: without its answer it has no id of the provider's, and becomes UNKNOWN like a prompt that nobody pays.
	repayment_prompts: ["checkout_id"],
};

/** How often something was attempted, in any table. */
const COUNTS: readonly string[] = ["attempts", "harmless_attempts", "tries"];

/** Tables in which a row may stand twice: a code is counted before it is sent, and once more where the answer of the count was lost. */
const REPEATED: readonly string[] = ["otp_sends"];

/** How deliveries ended: a delivery that succeeds at once leaves another row than a repeated one. */
const ENDS = `select event_type || ' ' || status as text from webhook_deliveries
	union all select event_type || ' DELIVERED' from webhook_receipts`;

/** What is stored, under way and was asked for. */
export type State = { readonly [part: string]: readonly string[] };

const MOST_TEXTS = 20_000;

export class Verdict {
	/** What existed before the call. */
	readonly #known = new Set<string>();
	readonly #texts = new Map<string, string>();
	#tables: readonly string[] = [];

	/** Notes what exists. */
	async begin(): Promise<void> {
		const [first] = databases;
		if (!first) throw new Error("there is a database");
		const { results } = await first
			.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'")
			.all<{ name: string }>();
		this.#tables = results.map(({ name }) => name);
		for (const [, rows] of await this.#rows(this.#tables))
			for (const row of rows) {
				const text = JSON.stringify(row);
				for (const [pattern] of IDENTIFYING)
					for (const [drawn] of text.matchAll(pattern)) this.#known.add(drawn).add(drawn.replaceAll("-", ""));
				for (const value of Object.values(row)) if (Array.isArray(value)) this.#known.add(value.join());
			}
	}

	async state(outside: Outside): Promise<State> {
		const parts = new Map<string, string[]>();
		for (const [table, rows] of await this.#rows(this.#tables.filter((name) => !LEFT_OUT[name]?.includes("*"))))
			parts.set(table, [...(parts.get(table) ?? []), ...rows.map((row) => this.#rowText(table, row))]);
		for (const table of REPEATED) parts.set(table, [...new Set(parts.get(table))]);
		const ends = await Promise.all(databases.map((database) => database.prepare(ENDS).all<{ text: string }>()));
		parts.set(
			"deliveries",
			ends.flatMap(({ results }) => results.map(({ text }) => text)),
		);
		parts.set(
			"objects",
			(await outside.stored()).map((text) => this.#text(text)),
		);
		parts.set("queues", [...new Set(outside.messages.map(({ queue, body }) => this.#text(JSON.stringify([queue, body]))))]);
		parts.set("asked", this.#asked(outside.asked));
		return Object.fromEntries([...parts].map(([part, texts]) => [part, texts.sort()]));
	}

	answer({ status, body }: Answered): string {
		return `${status} ${this.#text(body)}`;
	}

	async #rows(tables: readonly string[]): Promise<[string, Record<string, unknown>[]][]> {
		const all = await Promise.all(
			databases.map(async (database) => {
				const results = await database.batch<Record<string, unknown>>(tables.map((name) => database.prepare(`select * from "${name}"`)));
				return results.map(({ results: rows }, index): [string, Record<string, unknown>[]] => [tables[index] ?? "", rows]);
			}),
		);
		return all.flat();
	}

	/** Most rows stay as they are from plan to plan. */
	#rowText(table: string, row: Record<string, unknown>): string {
		const stored = `${table} ${JSON.stringify(Object.values(row))}`;
		const known = this.#texts.get(stored) ?? this.#rowTextOf(table, row);
		if (this.#texts.size >= MOST_TEXTS) this.#texts.clear();
		this.#texts.set(stored, known);
		return known;
	}

	#rowTextOf(table: string, row: Record<string, unknown>): string {
		const members = Object.entries(row).filter(([column]) => !COUNTS.includes(column) && !LEFT_OUT[table]?.includes(column));
		return JSON.stringify(Object.fromEntries(members.map(([column, value]) => [column, this.#value(value)])));
	}

	#value(value: unknown): unknown {
		if (typeof value === "number") return value > 1.5e12 && value < 3e12 ? "‹ms›" : value > 1.5e9 && value < 3e9 ? "‹seconds›" : value;
		if (Array.isArray(value)) return this.#known.has(value.join()) ? value.join() : "‹bytes›";
		return typeof value === "string" ? this.#text(value) : value;
	}

	#text(text: string): string {
		return DRAWN.reduce((replaced, [pattern, kind]) => replaced.replace(pattern, (drawn) => (this.#known.has(drawn) ? drawn : kind)), text);
	}

	/** The requests, each reference once, however often it was sent. A commit that is rolled back need not have been asked for before. */
	#asked(requests: readonly Asked[]): string[] {
		const rolledBack = new Set(requests.map(({ body }) => ROLLBACK.exec(body)?.[1]));
		const lasting = requests.filter(({ body }) => !rolledBack.has(COMMIT.exec(body)?.[1] ?? "none"));
		const texts = lasting.map(({ host, reference, body }) => [host, reference, this.#text(`${host} ${reference} ${body}`)] as const);
		return [...new Map(texts.map(([host, reference, text]) => [`${host} ${reference || text}`, text])).values()];
	}
}

/** Instructions to a provider of current accounts, with the number change that they are about. */
const [COMMIT, ROLLBACK] = ["COMMIT", "ROLLBACK"].map((kind) => new RegExp(`"instruction":"NUMBER_${kind}","subject_id":"([^"]+)"`)) as [
	RegExp,
	RegExp,
];

/** What is drawn by chance or read from the clock, and what stands for it. */
const DRAWN: readonly (readonly [RegExp, string])[] = [
	// First, because a sealed text may look like a secret in its middle.
	[/\b[0-9a-f]{8}\.[\w-]{16}\.[\w-]{20,}/g, "‹sealed›"],
	[/\b(sk|rt|whsec|inv)_[\w+/=-]{20,}/g, "‹secret›"],
	[/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "‹token›"],
	[/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "‹id›"],
	[/(?<![0-9a-zA-Z])([0-9a-f]{32}|[0-9A-F]{32})(?![0-9a-zA-Z])/g, "‹id›"],
	// Account numbers of the sandbox's custodian end as their id does.
	[/\b(SANDBOX-|SBX)[0-9A-F]{12}\b/g, "‹id›"],
	[/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "‹instant›"],
	[/\b(sk|whsec)_\.\.\.[\w+/=-]{4}/g, "‹masked›"],
	[/(?<![\w-])([0-9a-f]{8}\.)?([0-9a-f]{40,}|[\w-]{43})(?![\w-])/g, "‹digest›"],
	[/\b1[5-9]\d{11}\b/g, "‹ms›"],
	[/\b\d{6}(?= is your code)|(?<="code":")\d{6}(?=")/g, "‹code›"],
	[/(?<="sequence":)\d+/g, "0"],
	[/\b1[0-4]\d{11}\b/g, "‹account number›"],
	[/\bR1\d{3}[0-9A-Z]{7}\b/g, "‹reference›"],
	[/@[0-9a-z]{10}\b/g, "‹tag›"],
];

/** What is the same before and after. An instant may equal an earlier one by chance. */
const IDENTIFYING = DRAWN.filter(([, kind]) => kind !== "‹ms›" && kind !== "‹instant›");

/** Where two states differ, as lines. */
export function differences(found: State, expected: State): string[] {
	const lines: string[] = [];
	for (const part of new Set([...Object.keys(found), ...Object.keys(expected)])) {
		const surplus = without(found[part] ?? [], expected[part] ?? []);
		for (const text of without(expected[part] ?? [], found[part] ?? [])) {
			const at = surplus.findIndex((other) => isSameRow(text, other));
			const [other] = at < 0 ? [] : surplus.splice(at, 1);
			lines.push(other === undefined ? `${part} lacks ${text}` : `${part} differs: ${changes(text, other)}`);
		}
		for (const text of surplus) lines.push(`${part} has besides ${text}`);
	}
	return lines;
}

type Row = Record<string, unknown>;
const KEY = ["id", "kind", "value"];

/** Whether both texts are rows with the same key, or with keys that are both new. */
function isSameRow(one: string, other: string): boolean {
	if (!one.startsWith("{") || !other.startsWith("{")) return false;
	const [a, b] = [JSON.parse(one) as Row, JSON.parse(other) as Row];
	return "id" in a && KEY.every((name) => a[name] === b[name]);
}

function changes(expected: string, found: string): string {
	const [a, b] = [JSON.parse(expected) as Row, JSON.parse(found) as Row];
	const changed = Object.keys(a).filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
	const shown = changed.map((name) => `${name} is ${JSON.stringify(b[name])}, not ${JSON.stringify(a[name])}`);
	return `${String(a.id)}: ${shown.join("; ")}`;
}

/** The multiset difference. */
function without(texts: readonly string[], others: readonly string[]): string[] {
	const left = new Map<string, number>();
	for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
	return texts.filter((text) => {
		const count = left.get(text) ?? 0;
		if (count > 0) left.set(text, count - 1);
		return count === 0;
	});
}

/** Every request with one reference has the same bytes. */
export function changedBytes(asked: readonly Asked[]): string[] {
	const referring = asked.filter(({ reference }) => reference !== "");
	return [...Map.groupBy(referring, ({ host, reference }) => `${host} ${reference}`)].flatMap(([key, requests]) => {
		const bodies = new Set(requests.map(({ body }) => body));
		return bodies.size > 1 ? [`the requests ${key} have ${bodies.size} different bodies: ${[...bodies].join(" | ")}`] : [];
	});
}
