// What one read asks for, by names of the caller's choice, and what it answers: the same shape, with rows where statements were.

import type { SQL } from "drizzle-orm";
import type { Statement } from "./built";

/** A select of which only the first row is wanted. */
export class First<S extends Statement> {
	readonly statement: S;
	constructor(statement: S) {
		this.statement = statement;
	}
}

/** The first row that a select finds; undefined if it finds none. */
export const first = <S extends Statement>(statement: S): First<S> => new First(statement);

type Row<S extends Statement> = S["_"]["result"][number] | undefined;

/** A row that a decision relies on, with the condition that it still is as it was read. */
export class Fact<S extends Statement> extends First<S> {
	readonly unchanged: (row: Row<S>) => SQL | undefined;
	constructor(statement: S, unchanged: (row: Row<S>) => SQL | undefined) {
		super(statement);
		this.unchanged = unchanged;
	}
}

/**
 * The first row that a select finds, which an operation relies on: its commit is stale unless `unchanged` holds. For the operation's own
 * home; `loose` reads the row where nothing that is committed depends on it.
 */
export const fact = <S extends Statement>(
	statement: S,
	{ unchanged }: { readonly unchanged: (row: S["_"]["result"][number]) => SQL },
): Fact<S> => new Fact(statement, (row) => (row === undefined ? undefined : unchanged(row)));

/** The row of a fact, on which the commit does not depend. */
export const loose = <S extends Statement>({ statement }: Fact<S>): First<S> => new First(statement);

/** Several reads by the names that their answers get. */
export type Named = { readonly [name: string]: Read };
/** A statement, or several by names or as a list; undefined where nothing is asked. */
export type Read = Statement | First<Statement> | undefined | readonly Read[] | Named;

/** Of reads whose names are not known to the compiler, each answer may be anything. */
export type Answer<R> = Named extends R
	? { [name: string]: unknown }
	: R extends Statement
		? R["_"]["result"]
		: R extends First<infer S>
			? S["_"]["result"][number] | undefined
			: R extends object
				? { -readonly [K in keyof R]: Answer<R[K]> }
				: undefined;

/** The statements of a read, in order. */
export function statementsOf(read: Read): Statement[] {
	if (read === undefined) return [];
	if (read instanceof First) return [read.statement];
	return isStatement(read) ? [read] : Object.values(read).flatMap(statementsOf);
}

type Found = (fact: Fact<Statement>, row: unknown) => void;

/** The answer to a read, made of the results of its statements, which it takes out of `results`. `found` gets the facts among them. */
export function answerOf(read: Read, results: unknown[], found: Found): unknown {
	if (read === undefined) return undefined;
	if (read instanceof First) {
		const [row] = results.shift() as readonly unknown[];
		if (read instanceof Fact) found(read, row);
		return row;
	}
	if (isStatement(read)) return results.shift();
	if (Array.isArray(read)) return read.map((each) => answerOf(each, results, found));
	return Object.fromEntries(Object.entries(read).map(([name, each]) => [name, answerOf(each, results, found)]));
}

/** Whether it is a statement, which has a class, and not an object or a list that names some. */
const isStatement = (read: Read): read is Statement =>
	typeof read === "object" && !Array.isArray(read) && Object.getPrototypeOf(read) !== Object.prototype;
