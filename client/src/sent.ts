// A call under way, as the caller holds it.

import { HeldError } from "./errors.ts";
import type { Approval } from "./generated.ts";
import type { Answer, List } from "./types.ts";

type Neighbours = { readonly next?: string | null };
type PageBody = string | (Neighbours & { readonly links?: Neighbours });
type Sent = List<unknown, unknown, Answer>;

/** @param following sends the call for the next page */
export function sent(operation: string, answer: Promise<Answer>, following: (after: string) => Sent): Sent {
	const awaited = answer.then(({ status, body }) => {
		if (status === 202 && (body as Approval).approval_type === "OPERATION") throw new HeldError(operation, body as Approval);
		if (status === 304) throw new TypeError(`${operation}: 304 has no body; ask for answer()`);
		return body;
	});
	return Object.assign(awaited, {
		answer() {
			// The caller that asks for the answer gets its error.
			awaited.catch(() => {});
			return answer;
		},
		async *[Symbol.asyncIterator](this: Sent) {
			for (let page = this; ; ) {
				const body = (await page) as PageBody;
				const isTable = typeof body === "string";
				const rows = isTable ? [body] : (Object.values(body).find(Array.isArray) as unknown[]);
				yield* rows;
				// A table has its neighbours in a header. The feed of events has no `links`, and always a next page: the last is empty.
				const link = isTable && (await page.answer()).headers.get("link");
				const next = link ? /<([^>]+)>; rel="next"/.exec(link)?.[1] : !isTable && rows.length > 0 && (body.links ?? body).next;
				if (!next) return;
				page = following(next);
			}
		},
	});
}
