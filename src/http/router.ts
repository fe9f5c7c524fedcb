// Hono's tree router, which takes further routes at any time. Where Hono lets the first of several matching routes answer, here the most
// specific one does, because the operations of a domain are mounted when one of their paths is first called.

import type { Result } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

const ANY = "ANY";

/**
 * One route answers a request, in every order of adding: a literal segment goes before a parameter. Where a more specific path takes other
 * methods only, none does. Takes no middleware.
 */
export class OperationRouter<T> extends TrieRouter<T> {
	readonly #ranks = new Map<T, string>();
	/** The ranks of all paths, for all methods. */
	readonly #paths = new TrieRouter<string>();

	/** `path`: parameters are whole segments, `:name`. */
	override add(method: string, path: string, handler: T): void {
		if (path.includes("*") || method === "ALL") throw new Error(`${method} ${path}: the router takes no middleware`);
		// Sorts a parameter behind every literal segment.
		const rank = path.replaceAll(/:\w+/g, "\uffff");
		this.#ranks.set(handler, rank);
		this.#paths.add(ANY, path, rank);
		super.add(method, path, handler);
	}

	override match(method: string, path: string): Result<T> {
		const [found] = super.match(method, path) as [[T, Record<string, string>][]];
		if (found.length === 0) return [found];
		const rankOf = ([handler]: [T, unknown]) => this.#ranks.get(handler) ?? "";
		const best = found.reduce((best, next) => (rankOf(next) < rankOf(best) ? next : best));
		const [paths] = this.#paths.match(ANY, path) as [[string, unknown][]];
		return [paths.some(([rank]) => rank < rankOf(best)) ? [] : [best]];
	}
}
