// A call under way, as the caller holds it.

import { HeldError } from "./errors.ts";
import type { Approval } from "./generated.ts";
import type { Answer, List } from "./types.ts";

type Neighbours = { readonly next?: string | null };
type PageBody = string | (Neighbours & { readonly links?: Neighbours });

/** Not a promise itself, because to await it gives another value than the answer. */
export class Sent implements List<unknown, unknown, Answer> {
	readonly #operation: string;
	readonly #answer: Promise<Answer>;
	readonly #following: (after: string) => Sent;
	readonly [Symbol.toStringTag] = "Call";

	/** @param following sends the call for the next page */
	constructor(operation: string, answer: Promise<Answer>, following: (after: string) => Sent) {
		this.#operation = operation;
		this.#answer = answer;
		this.#following = following;
	}

	answer() {
		return this.#answer;
	}

	async #body(): Promise<unknown> {
		const { status, body } = await this.#answer;
		if (status === 202 && (body as Approval).approval_type === "OPERATION") throw new HeldError(this.#operation, body as Approval);
		if (status === 304) throw new TypeError(`${this.#operation}: 304 has no body; ask for answer()`);
		return body;
	}

	// biome-ignore lint/suspicious/noThenProperty: it is awaited
	then<A, B>(fulfilled?: ((body: unknown) => A | PromiseLike<A>) | null, rejected?: ((reason: unknown) => B | PromiseLike<B>) | null) {
		return this.#body().then(fulfilled, rejected);
	}

	catch<B>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null) {
		return this.#body().catch(rejected);
	}

	finally(settled?: (() => void) | null) {
		return this.#body().finally(settled);
	}

	async *[Symbol.asyncIterator]() {
		for (let page: Sent = this; ; ) {
			const body = (await page) as PageBody;
			const isTable = typeof body === "string";
			const rows = isTable ? [body] : (Object.values(body).find(Array.isArray) as unknown[]);
			yield* rows;
			// A table has its neighbours in a header. The feed of events has no `links`, and always a next page: the last is empty.
			const link = isTable && (await page.answer()).headers.get("link");
			const next = link ? /<([^>]+)>; rel="next"/.exec(link)?.[1] : !isTable && rows.length > 0 && (body.links ?? body).next;
			if (!next) return;
			page = this.#following(next);
		}
	}
}
