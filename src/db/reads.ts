// What one read asks for, by names of the caller's choice, and what it answers: the same shape, with rows where statements were.

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

/** The answer to a read, made of the results of its statements, which it takes out of `results`. */
export function answerOf(read: Read, results: unknown[]): unknown {
	if (read === undefined) return undefined;
	if (read instanceof First) return (results.shift() as readonly unknown[])[0];
	if (isStatement(read)) return results.shift();
	if (Array.isArray(read)) return read.map((each) => answerOf(each, results));
	return Object.fromEntries(Object.entries(read).map(([name, each]) => [name, answerOf(each, results)]));
}

/** Whether it is a statement, which has a class, and not an object or a list that names some. */
export const isStatement = (read: Read): read is Statement =>
	typeof read === "object" && !Array.isArray(read) && Object.getPrototypeOf(read) !== Object.prototype;
