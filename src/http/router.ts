// Hono's tree router, which takes further routes at any time. Where Hono lets the first of several matching routes answer, here the most
// specific one does, because the operations of a domain are mounted when one of their paths is first called.

import type { Result } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** One route answers a request, in whatever order they were added: a literal segment goes before a parameter. Takes no middleware. */
export class OperationRouter<T> extends TrieRouter<T> {
	readonly #ranks = new Map<T, string>();

	/** `path`: parameters are whole segments, `:name`. */
	override add(method: string, path: string, handler: T): void {
		if (path.includes("*") || method === "ALL") throw new Error(`${method} ${path}: the router takes no middleware`);
		// Sorts a parameter behind every literal segment.
		this.#ranks.set(handler, path.replaceAll(/:\w+/g, "\uffff"));
		super.add(method, path, handler);
	}

	override match(method: string, path: string): Result<T> {
		const [found] = super.match(method, path) as [[T, Record<string, string>][]];
		const rank = ([handler]: [T, unknown]) => this.#ranks.get(handler) ?? "";
		return found.length < 2 ? [found] : [[found.reduce((best, next) => (rank(next) < rank(best) ? next : best))]];
	}
}
