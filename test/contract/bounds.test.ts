// Every operation with a body against members that are far too long or too many: the answer stays small, and the length of a list is
// compared before its items are looked at.

import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { AnyOperation } from "../../src/http/operation";
import { invalidParams } from "../../src/http/validation";
import { MAX_INVALID_PARAMS } from "../../src/shared/errors";
import { operations } from "../support/domains";
import { admitted, CALLBACK_SECRET, pathOf, signed, signerOf, title } from "../support/doors";
import { servePath } from "../support/serve";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Schema = { [keyword: string]: unknown };

const HUGE: { [what: string]: Json } = {
	"100,000 zeros": Array<Json>(100_000).fill(0),
	"60,000 empty objects": Array<Json>(60_000).fill({}),
	"40,000 short texts": Array<Json>(40_000).fill("ab"),
	"20,000 members": Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`m${i}`, 0])),
	"a text of 200,000 letters": "a".repeat(200_000),
	"a member with a name of 200,000 letters": { ["a".repeat(200_000)]: 0 },
};
const MOST_BYTES = 32 * 1024;

/** Bodies that consist of one member, at any depth of the schema, with that value. */
function* bodiesWith(schema: Schema, defs: { [name: string]: Schema }, value: Json): Generator<[place: string, body: Json]> {
	const reference = typeof schema.$ref === "string" ? defs[schema.$ref.replace("#/$defs/", "")] : undefined;
	if (reference) return yield* bodiesWith(reference, defs, value);
	yield ["", value];
	for (const option of [schema.anyOf, schema.oneOf].flat() as (Schema | undefined)[]) if (option) yield* bodiesWith(option, defs, value);
	for (const [name, member] of Object.entries((schema.properties as { [name: string]: Schema } | undefined) ?? {})) {
		for (const [place, body] of bodiesWith(member, defs, value)) yield [`.${name}${place}`, { [name]: body }];
	}
	if (schema.items) for (const [place, body] of bodiesWith(schema.items as Schema, defs, value)) yield [`[]${place}`, [body]];
}

function* hugeBodies(op: AnyOperation): Generator<[what: string, body: Json]> {
	const { $defs = {}, ...schema } = z.toJSONSchema(op.request.body, { io: "input", unrepresentable: "any" }) as Schema;
	for (const [what, value] of Object.entries(HUGE)) {
		for (const [place, body] of bodiesWith(schema, $defs as { [name: string]: Schema }, value))
			yield [`${what} at ${place || "the top"}`, body];
	}
}

const withBody = operations.filter((op) => op.request.body).map((op) => [title(op), op] as const);

describe.each(withBody)("the body of %s", (_, op) => {
	it("is refused with few faults, however many items it has", () => {
		for (const [what, body] of hugeBodies(op)) {
			const { error } = op.request.body.safeParse(body);
			expect({ what, few: (error?.issues.length ?? 0) <= 50 }).toEqual({ what, few: true });
			const told = error ? JSON.stringify(invalidParams("body", op.request.body, error, body)) : "";
			expect({ what, small: told.length <= MOST_BYTES }).toEqual({ what, small: true });
		}
	});

	it("gets a small answer, whatever its size", async () => {
		const { headers, organization } = await admitted(op);
		const secret = signerOf(op);
		for (const [what, huge] of hugeBodies(op)) {
			// The rest differs in its errors alone, which the test above has seen.
			if (what.split(".").length > 2 || !/^(?:100,000 zeros|20,000 members at the top)/.test(what)) continue;
			const body = JSON.stringify(huge);
			const init = {
				method: op.method,
				headers: { "content-type": "application/json", ...headers, ...(secret && (await signed(body))) },
				body,
			};
			const response = await servePath(pathOf(op, organization), init, secret && { [secret]: CALLBACK_SECRET });
			const text = await response.text();
			expect({ what, small: text.length <= MOST_BYTES }).toEqual({ what, small: true });
			expect(response.status, what).toBeLessThan(500);
			const { invalid_params = [] } = text === "" ? {} : (JSON.parse(text) as { invalid_params?: unknown[] });
			expect(invalid_params.length).toBeLessThanOrEqual(MAX_INVALID_PARAMS);
		}
	});
});
