// Finds an operation by method and path: literal paths by one look-up, those with parameters among the paths of as many segments.
// Hono's own routers either reject this service's paths, or walk a tree for every request.

import type { Result, Router } from "hono/router";

type Route<T> = { readonly handler: T; readonly segments: readonly string[]; readonly rank: string };

/**
 * Takes no middleware: one route at most answers a request, and a literal segment goes before a parameter. Routes may be added at any
 * time, in any order.
 */
export class OperationRouter<T> implements Router<T> {
	readonly name = "OperationRouter";
	readonly #literal = new Map<string, Result<T>>();
	readonly #withParameters = new Map<string, Route<T>[]>();

	/** `path`: parameters are whole segments, `:name`. */
	add(method: string, path: string, handler: T): void {
		if (path.includes("*") || method === "ALL") throw new Error(`${method} ${path}: the router takes no middleware`);
		const segments = path.split("/");
		const key = path.includes(":") ? `${method} ${segments.length}` : `${method} ${path}`;
		if (!path.includes(":")) this.#literal.set(key, this.#literal.get(key) ?? [[[handler, {}]]]);
		else {
			const route = { handler, segments, rank: segments.map((segment) => (segment.startsWith(":") ? PARAMETER : segment)).join("/") };
			this.#withParameters.set(key, [...(this.#withParameters.get(key) ?? []), route].sort(byRank));
		}
	}

	match(method: string, path: string): Result<T> {
		const literal = this.#literal.get(`${method} ${path}`);
		if (literal) return literal;
		const segments = path.split("/");
		for (const route of this.#withParameters.get(`${method} ${segments.length}`) ?? []) {
			const parameters = parametersOf(route.segments, segments);
			if (parameters) return [[[route.handler, parameters]]];
		}
		return [[]];
	}
}

/** Sorts behind every literal segment. */
const PARAMETER = "\uffff";
const byRank = (a: { rank: string }, b: { rank: string }) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0);

/** The values of the parameters by their names; undefined when the path does not match. */
function parametersOf(expected: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
	const parameters: Record<string, string> = {};
	for (const [index, segment] of segments.entries()) {
		const wanted = expected[index] ?? "";
		if (!wanted.startsWith(":")) {
			if (wanted !== segment) return undefined;
		} else if (segment === "") return undefined;
		else parameters[wanted.slice(1)] = segment;
	}
	return parameters;
}
