// Runs within the Worker: marked sources say in a comment of each statement where it comes from, and the database that tests use
// takes out one guard at a time.

import { is, SQL, sql } from "drizzle-orm";
import { conditionsIn, isGuard, without } from "./conditions";

const MARK = /\/\*@([^*<>]+)\*\//g;
/** Where a marked piece begins. */
const OPEN = /\/\*@<([^*]+)\*\//g;
const comment = (place: string) => sql.raw(` /*@${place}*/`);

/** A guard to take out: a place and, if it is a condition, its text. */
export const keyOf = (place: string, text: string): string => (text ? `${place} ${text}` : place);

let active: { readonly place: string; readonly text: string } | undefined;
/** The places whose statements ran since the test began. */
export const visited = new Set<string>();
/** What could be taken out of them, without the guards that did not fire. */
export const reached = new Set<string>();
/** The statements that failed, with the reason. */
export const failures: { readonly sql: string; readonly message: string }[] = [];

export function takeOut(key: string | undefined): void {
	const [, place = "", text = ""] = /^(\S+) ?([\s\S]*)$/.exec(key ?? "") ?? [];
	active = key === undefined ? undefined : { place, text };
}

type Builder = { getSQL(): SQL };

/** Marks a statement, or a piece of one. */
export function mark<T>(place: string, statement: T): T {
	const value: unknown = statement;
	if (is(value, SQL)) return sql`${value}${comment(place)}` as T;
	if (typeof value !== "object" || value === null) return statement;
	// Built already.
	if ("sql" in value && typeof value.sql === "string")
		return Object.assign(Object.create(Object.getPrototypeOf(value)), value, { sql: `${value.sql} /*@${place}*/` }) as T;
	if ("getSQL" in value) {
		const builder = value as Builder;
		const own = builder.getSQL.bind(builder);
		builder.getSQL = () => sql`${own()}${comment(place)}`;
	}
	return statement;
}

/** A piece of a statement that another module writes. */
export const markCondition = <T>(place: string, condition: T): T =>
	is(condition, SQL) ? (sql`${sql.raw(`/*@<${place}*/`)}${condition}${sql.raw("/*@>*/")}` as T) : condition;

type Effect = { readonly statements: readonly unknown[] };

/** `guarded`, whose second statement is the guard. */
export const markGuarded =
	<A extends readonly unknown[], E extends Effect>(place: string, guarded: (...args: A) => E) =>
	(...args: A): E => {
		const effect = guarded(...args);
		return { ...effect, statements: effect.statements.map((each, index) => (index === 0 ? each : mark(place, each))) };
	};

/** `orStaleUnless`. */
export const markGuard =
	<A extends readonly unknown[], S>(place: string, guard: (...args: A) => S) =>
	(...args: A): S =>
		mark(place, guard(...args));

const elements = new WeakMap<object, string>();

export function markElement<T extends object>(place: string, element: T): T {
	elements.set(element, place);
	return element;
}

/** A list that lacks the element that is taken out. */
export const markList = <T extends object>(list: readonly T[]): readonly T[] =>
	new Proxy(list, {
		get(target, member) {
			for (const element of target) reached.add(elements.get(element) ?? "");
			return Reflect.get(
				target.filter((element) => active === undefined || elements.get(element) !== active.place),
				member,
			) as unknown;
		},
	});

const known = new Map<string, readonly string[]>();

/** The keys of what can be taken out of a statement. A condition that is marked itself belongs to that place. */
function keysIn(text: string): readonly string[] {
	const found = known.get(text);
	if (found) return found;
	const own = Array.from(text.matchAll(MARK)).at(-1)?.[1];
	const conditions = conditionsIn(text);
	// Without its only condition a guard demands nothing.
	const only = isGuard(text) && conditions.length === 0 ? Array.from(text.matchAll(OPEN)).at(-1)?.[1] : undefined;
	const keys =
		own === undefined
			? []
			: [
					...(isGuard(text) ? [own] : []),
					...(only === undefined ? [] : [only]),
					...conditions.map((condition) => keyOf(regionAt(text, condition.start) ?? own, condition.text)),
				];
	known.set(text, keys);
	return keys;
}

/** The place of the marked piece in which the text is at this offset. */
function regionAt(text: string, offset: number): string | undefined {
	const open: string[] = [];
	for (const [, place] of text.slice(0, offset).matchAll(/\/\*@(?:<([^*]+)|>)\*\//g)) {
		if (place === undefined) open.pop();
		else open.push(place);
	}
	return open.at(-1);
}

function changed(text: string): string {
	if (!active || !keysIn(text).includes(keyOf(active.place, active.text))) return text;
	return without(text, active.text);
}

type Prepared = { readonly statement?: string };
type Prototype = { prepare(query: string): Prepared; batch(statements: readonly Prepared[]): Promise<unknown> };

const patched = new WeakSet<object>();

function patch(prototype: Prototype): void {
	if (patched.has(prototype)) return;
	patched.add(prototype);
	const { prepare, batch } = prototype;
	prototype.prepare = function (query) {
		for (const [, place = ""] of query.matchAll(MARK)) visited.add(place);
		if (!isGuard(query)) for (const key of keysIn(query)) reached.add(key);
		return prepare.call(this, changed(query));
	};
	prototype.batch = async function (statements) {
		try {
			return await batch.call(this, statements);
		} catch (error) {
			const message = String(error instanceof Error ? error.message : error);
			for (const { statement = "" } of statements) {
				failures.push({ sql: statement, message });
				// A guard that never fires in a test can be taken out of it unnoticed.
				if (message.includes("malformed JSON") && isGuard(statement)) for (const key of keysIn(statement)) reached.add(key);
			}
			throw error;
		}
	};
}

type Runs = Record<"run" | "all" | "raw" | "first", (this: Prepared, ...args: unknown[]) => Promise<unknown>>;

function patchStatement(prototype: Runs): void {
	if (patched.has(prototype)) return;
	patched.add(prototype);
	for (const name of ["run", "all", "raw", "first"] as const) {
		const own = prototype[name];
		prototype[name] = async function (...args) {
			try {
				return await own.apply(this, args);
			} catch (error) {
				failures.push({ sql: this.statement ?? "", message: String(error instanceof Error ? error.message : error) });
				throw error;
			}
		};
	}
}

/** Watches every statement of every database in this isolate. */
export function watch(database: D1Database): void {
	patch(Object.getPrototypeOf(database) as Prototype);
	patch(Object.getPrototypeOf(database.withSession()) as Prototype);
	patchStatement(Object.getPrototypeOf(database.prepare("select 1")) as Runs);
}
