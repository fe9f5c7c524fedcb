// Copies the rows of stories: each copy has ids, a tag and an account number of its own, belongs to another organization, and lies
// some days back.

import type { DatabaseSync } from "node:sqlite";
import { DAY_MS } from "../days.ts";
import type { Organization, Row, Story, Value } from "./stories.ts";

/** Deliveries and events are kept for 30 days, and the loans of the stories are due after that. */
const SPAN_DAYS = 25;
/** Of East Africa, whose days the loans go by. */
const UTC_OFFSET_MS = 3 * 3_600_000;
/** How long before the copies the stories may have been played. */
const MARGIN_MS = 10 * 60_000;
const ROWS_PER_TRANSACTION = 50_000;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
/** An invoice's number in capitals. */
const CAPITAL_UUID = /[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}/;
const BARE_UUID = /(?<![0-9a-f])[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}(?![0-9a-f])/;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/;
const DATE = /(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])/;

/** One copy of a story. */
type Copy = {
	id(of: string): string;
	/** The copy's own text for a tag, an address or an account number of the story. */
	named(text: string): string;
	shiftMs: number;
	/** The next number of an organization's events, or of a stream of the audit trail. */
	next(of: string): number;
};

type Cell = Value | ((copy: Copy) => Value);
type Template = { readonly table: string; readonly columns: readonly string[]; readonly cells: readonly Cell[] };

const bare = (uuid: string): string => uuid.replaceAll("-", "");
const withDashes = (hex: string): string =>
	[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");

/** How the sandbox's providers refer to a payment or an account: by the end of its id. */
const ENDING = /(?<=SANDBOX-|SBX)[0-9A-F]{12}/;
const endingOf = (uuid: string): string => uuid.slice(-12).toUpperCase();

/** Texts of the story that each copy replaces, in addition to ids: tags, addresses and account numbers. */
function namesIn(rows: readonly Row[]): string[] {
	return rows.flatMap(({ columns, values }) =>
		columns.flatMap((column, index) => {
			const value = values[index];
			return (column === "tag" || column === "email" || column === "account_number") && typeof value === "string" ? [value] : [];
		}),
	);
}

/** Finds everything that a copy replaces. */
type Finder = { readonly pattern: RegExp; readonly idByEnding: ReadonlyMap<string, string> };

function templatesOf({ rows }: Story): Template[] {
	const ids = rows.flatMap(({ values }) => values.flatMap((value) => (typeof value === "string" && UUID.exec(value)?.[0]) || []));
	const idByEnding = new Map(ids.map((id) => [endingOf(id), id]));
	const names = namesIn(rows);
	// A tag also occurs without its sign.
	const texts = [...new Set(names.flatMap((name) => (name.startsWith("@") ? [name, name.slice(1)] : [name])))];
	const pattern = new RegExp(
		[UUID, CAPITAL_UUID, BARE_UUID, ENDING, INSTANT, DATE, ...texts.map((text) => new RegExp(text))].map(({ source }) => source).join("|"),
		"g",
	);
	return rows.map(({ table, columns, values }) => ({
		table,
		columns,
		cells: columns.map((column, index) => cellOf(table, column, values[index] ?? null, columns, values, { pattern, idByEnding })),
	}));
}

function cellOf(table: string, column: string, value: Value, columns: readonly string[], values: readonly Value[], finder: Finder): Cell {
	if (column === "sequence" && (table === "webhook_events" || table === "audit_rows")) {
		const of = String(values[columns.indexOf(table === "audit_rows" ? "stream" : "organization_id")]);
		return (copy) => copy.next(textOf(of, finder)(copy));
	}
	if (value instanceof Uint8Array && value.length === 16) {
		const id = withDashes(Buffer.from(value).toString("hex"));
		return (copy) => Buffer.from(bare(copy.id(id)), "hex");
	}
	if (typeof value === "number" && value > 1_600_000_000_000 && value < 2_500_000_000_000) return (copy) => value + copy.shiftMs;
	// The Mondays until then have passed without interest, because the story has none.
	if (typeof value !== "string" || column === "interest_due_on") return value;
	return finder.pattern.test(value) ? textOf(value, finder) : value;
}

/** The text of a copy, with all that the pattern finds replaced. */
function textOf(text: string, finder: Finder): (copy: Copy) => string {
	const { pattern } = finder;
	pattern.lastIndex = 0;
	const parts: (string | ((copy: Copy) => string))[] = [];
	let from = 0;
	for (const match of text.matchAll(pattern)) {
		parts.push(text.slice(from, match.index), partOf(match[0], finder));
		from = match.index + match[0].length;
	}
	parts.push(text.slice(from));
	return (copy) => parts.map((part) => (typeof part === "string" ? part : part(copy))).join("");
}

function partOf(found: string, { idByEnding }: Finder): (copy: Copy) => string {
	if (/^[0-9a-f-]{36}$/.test(found)) return (copy) => copy.id(found);
	if (/^[0-9A-F-]{36}$/.test(found)) return (copy) => copy.id(found.toLowerCase()).toUpperCase();
	if (/^[0-9a-f]{32}$/.test(found)) return (copy) => bare(copy.id(withDashes(found)));
	if (/T.*Z$/.test(found)) return (copy) => new Date(Date.parse(found) + copy.shiftMs).toISOString();
	if (/^\d{4}-\d\d-\d\d$/.test(found)) {
		return (copy) => new Date(Date.parse(found) + Math.floor(copy.shiftMs / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
	}
	const id = idByEnding.get(found);
	return (copy) => (id === undefined ? copy.named(found) : endingOf(copy.id(id)));
}

const hex = (random: () => number, digits: number): string => {
	let text = "";
	while (text.length < digits)
		text += Math.floor(random() * 2 ** 24)
			.toString(16)
			.padStart(6, "0");
	return text.slice(0, digits);
};

const summed = (...columns: readonly string[]): string =>
	` on conflict do update set ${columns.map((column) => `"${column}" = "${column}" + excluded."${column}"`).join()}`;

/** Rows that all copies of an organization count together: of a period those that fall into it, which shortly after midnight are all of a day. */
const TOGETHER: Readonly<Record<string, string>> = {
	delivery_holdings: summed("held"),
	webhook_statistics: summed("attempts", "delivered", "failed"),
};

export type Plan = {
	readonly users: number;
	readonly from: Organization;
	readonly organizations: readonly Organization[];
	readonly stories: readonly Story[];
	readonly random: () => number;
	readonly progress: (users: number, rows: number) => void;
};

/** Returns how many rows it has written. */
export function copyStories(database: DatabaseSync, { users, from, organizations, stories, random, progress }: Plan): number {
	const templates = stories.map((story) => ({ share: story.share, rows: templatesOf(story) }));
	const counters = new Map<string, number>();
	const inserts = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
	const insert = ({ table, columns }: Template) => {
		const known = inserts.get(table);
		if (known) return known;
		const names = columns.map((name) => `"${name}"`).join();
		// The first copy is the oldest, and begins the portfolio that all of the organization's copies belong to.
		const verb = table === "portfolios" ? "insert or ignore" : "insert";
		const together = TOGETHER[table] ?? "";
		const made = database.prepare(`${verb} into "${table}" (${names}) values (${columns.map(() => "?").join()})${together}`);
		inserts.set(table, made);
		return made;
	};
	const next = (of: string): number => {
		const sequence = (counters.get(of) ?? lastOf(database, of)) + 1;
		counters.set(of, sequence);
		return sequence;
	};
	const started = Date.now();
	const firstNumber = Math.floor(random() * 9e7);
	const spreadMs = Math.max(0, ((started + UTC_OFFSET_MS) % DAY_MS) - MARGIN_MS);
	let written = 0;
	let uncommitted = 0;
	database.exec("begin");
	for (let user = 0; user < users; user++) {
		// The first has twice as many users as the second, three times as many as the third, and so on.
		const organization = pick(organizations, (_, index) => 1 / (index + 1), random);
		const ids = new Map([
			[from.id, organization.id],
			[from.product, organization.product],
			[from.webhook, organization.webhook],
		]);
		// The oldest first, so that sequences and instants ascend together. The time stays on the day of its dates.
		const days = SPAN_DAYS * (1 - user / users);
		const shiftMs = -Math.floor(days) * DAY_MS - Math.floor((days % 1) * spreadMs);
		const home = organization.id.slice(20, 23);
		const tag = `seed${user.toString(36)}${hex(random, 4)}`;
		const number = accountNumber(home, firstNumber + user);
		const copy: Copy = {
			shiftMs,
			next,
			id(of) {
				const known = ids.get(of);
				if (known) return known;
				const time = (Number.parseInt(bare(of).slice(0, 12), 16) + shiftMs).toString(16).padStart(12, "0");
				const made = `${time.slice(0, 8)}-${time.slice(8)}-7${of.slice(15, 18)}-8${home}-${hex(random, 12)}`;
				ids.set(of, made);
				return made;
			},
			named(text) {
				if (text.startsWith("@")) return `@${tag}`;
				if (text.includes("@")) return `${tag}@example.com`;
				return /^\d+$/.test(text) ? number : tag;
			},
		};
		for (const template of pick(templates, ({ share }) => share, random).rows) {
			insert(template).run(...template.cells.map((cell) => (typeof cell === "function" ? cell(copy) : cell)));
			written++;
			uncommitted++;
		}
		if (uncommitted >= ROWS_PER_TRANSACTION) {
			database.exec("commit");
			database.exec("begin");
			uncommitted = 0;
		}
		progress(user + 1, written);
	}
	for (const [of, last] of counters) recordLast(database, of, last, started);
	database.exec("commit");
	return written;
}

/** Draws one of them, in proportion to its weight. */
function pick<T>(things: readonly T[], weightOf: (thing: T, index: number) => number, random: () => number): T {
	const weights = things.map(weightOf);
	let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
	for (const [index, thing] of things.entries()) {
		left -= weights[index] ?? 0;
		if (left < 0) return thing;
	}
	throw new Error("there is nothing to pick from");
}

const isStream = (of: string): boolean => of.includes("/");

const lastOf = (database: DatabaseSync, of: string): number => {
	const statement = isStream(of)
		? "select coalesce(max(sequence), 0) as last from audit_rows where stream = ?"
		: "select coalesce(max(sequence), 0) as last from webhook_events where organization_id = ?";
	return Number(database.prepare(statement).get(of)?.last ?? 0);
};

function recordLast(database: DatabaseSync, of: string, last: number, now: number): void {
	const statement = isStream(of)
		? "insert into audit_streams (stream, unsealed_since) values (?, ?) on conflict do update set unsealed_since = coalesce(unsealed_since, excluded.unsealed_since)"
		: // The copies of two users overlap in time, so the last event is not the one with the highest number.
			"insert into event_purges (organization_id, sequence, created_at) values (?, ?, ?) on conflict do update set sequence = excluded.sequence, created_at = excluded.created_at";
	if (isStream(of)) database.prepare(statement).run(of, now);
	else database.prepare(statement).run(of, last, now);
}

/** An account number names its home, and ends with a check digit (Luhn). */
function accountNumber(home: string, digits: number): string {
	const number = `${1_000 + Number.parseInt(home, 16)}${String(digits).padStart(8, "0")}`;
	const total = [...number].reverse().reduce((sum, digit, index) => {
		const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
		return sum + (weighted > 9 ? weighted - 9 : weighted);
	}, 0);
	return `${number}${(10 - (total % 10)) % 10}`;
}
