// Bodies whose members are far too long or too many, at one operation of each kind: the answer stays small. That every operation bounds what
// it takes is read off the schemas in `bounds.node.test.ts`.

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type AnyOperation, badInputCode } from "../../src/http/operation";
import { MAX_INVALID_PARAMS } from "../../src/shared/errors";
import { operations } from "../support/domains";
import { admitted, CALLBACK_SECRET, oneOfEach, pathOf, signed, signerOf, title } from "../support/doors";
import { servePath } from "../support/serve";
import { type Json, placesIn } from "./places";

const MOST_BYTES = 32 * 1024;

const ZEROS = Array<Json>(100_000).fill(0);
const MEMBERS = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 0]));

/** Each value at the top, and a list at the first place that has one. */
function hugeBodies(op: AnyOperation): [what: string, body: Json][] {
	const list = placesIn(z.toJSONSchema(op.request.body, { io: "input", unrepresentable: "any" })).find(({ kind }) => kind === "list");
	return [
		["100,000 zeros", ZEROS],
		["20,000 members", MEMBERS],
		...(list ? [[`100,000 zeros at ${list.name}`, list.bodyWith(ZEROS)] as [string, Json]] : []),
	];
}

const hasList = (op: AnyOperation) => hugeBodies(op).length > 2;
const kindOf = (op: AnyOperation) => [op.form, op.ndjson, op.validationErrors, badInputCode(op), signerOf(op), hasList(op)];
const kinds = oneOfEach(
	operations.filter((op) => op.request.body),
	kindOf,
);

describe.each(kinds.map((op) => [title(op), op] as const))("the body of %s and its like", (_, op) => {
	it("gets a small answer for input of any size", async () => {
		const { headers, organization } = await admitted(op);
		const secret = signerOf(op);
		for (const [what, huge] of hugeBodies(op)) {
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
