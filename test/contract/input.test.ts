// Invalid input over HTTP, at one operation of each kind. `input.node.test.ts` reads off its schemas what each operation by itself says of
// it.

import { describe, expect, it } from "vitest";
import { isPublic } from "../../src/http/callers/access";
import { type AnyOperation, badInputCode, errorsOf, honoursIdempotencyKey, reasonsOf } from "../../src/http/operation";
import { operations } from "../support/domains";
import { admitted, CALLBACK_SECRET, oneOfEach, pathOf, signed, signerOf, title } from "../support/doors";
import { servePath } from "../support/serve";
import { FOREIGN_CURSOR, largestPage, lists } from "./pages";

type Sending = { body?: string | Uint8Array<ArrayBuffer>; query?: string; headers?: Record<string, string> };

async function sender(op: AnyOperation) {
	const { headers, organization } = await admitted(op);
	const secret = signerOf(op);
	return async ({ body, query = "", headers: more = {} }: Sending) =>
		servePath(
			`${pathOf(op, organization)}${query}`,
			{
				method: op.method,
				headers: { "content-type": "application/json", ...headers, ...(secret && (await signed(body ?? ""))), ...more },
				...(body !== undefined && { body }),
			},
			secret && { [secret]: CALLBACK_SECRET },
		);
}

/** Expects 400 in the operation's own format, or 404 with `orAbsent`: a missing resource may be found before bad input. */
async function expectBadInput(op: AnyOperation, why: string, response: Response, unreadable: boolean, orAbsent = false): Promise<void> {
	const text = await response.text();
	const code = badInputCode(op);
	if (orAbsent && response.status === 404) return;
	expect({ why, status: response.status, text }).toMatchObject({ status: 400 });
	const body = JSON.parse(text);
	expect({ why, code: body.code }).toEqual({ why, code });
	expect(errorsOf(op)).toContain(code);
	const isIdentified = code === "INVALID_PARAMS" || op.validationErrors;
	const { user_message: _, ...members } = body;
	expect(Object.keys(members).sort(), why).toEqual([
		...["code", "description"],
		...(isIdentified ? ["identifier"] : []),
		...["invalid_params", "reason"],
	]);
	if (isIdentified) expect(body.identifier).toBe(response.headers.get("x-request-id"));
	if (code === "BAD_REQUEST") expect(body.description, why).toBe(unreadable ? "Bad Request" : "Invalid input");
	expect(reasonsOf(op), why).toContain(body.reason);
	expect(body.invalid_params.length, why).toBeGreaterThan(0);
	for (const param of body.invalid_params) {
		expect(param.reason, why).not.toMatch(/Invalid input|expected|received|Too (small|big)|Unrecognized/);
		expect(param).toEqual({ path: expect.any(String), reason: expect.any(String), sub_code: expect.stringMatching(/^[A-Z_]+$/) });
	}
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const UNREADABLE: { [why: string]: string | Uint8Array<ArrayBuffer> } = {
	"JSON that ends early": '{"a":',
	"a text that is not JSON": "hello",
	"JSON followed by text": "{} x",
	"two documents": "{}{}",
	"a comment": "{} // done",
	"single quotes": "{'a': 1}",
	NaN: '{"a": NaN}',
	"a duplicate member": '{"a":1,"a":2}',
	"a duplicate member, once escaped": '{"a":1,"\\u0061":2}',
	"a member named __proto__": '{"__proto__":{"admin":true}}',
	"a nested member named __proto__, escaped": '{"a":[{"__pr\\u006fto__":1}]}',
	"a lone surrogate": '{"a":"\\ud800"}',
	"a NUL": '{"a":"\\u0000"}',
	"33 levels": nested(33),
	"30,000 levels": "[".repeat(30_000) + "]".repeat(30_000),
	"bytes that are not UTF-8": new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
};

/** What the reader of bodies knows of an operation. */
const bodyOf = (op: AnyOperation) => [op.form, op.ndjson, op.validationErrors, badInputCode(op), signerOf(op), op.judge === undefined];
const withBody = operations.filter((op) => op.request.body);

describe.each(oneOfEach(withBody, bodyOf).map((op) => [title(op), op] as const))("the body of %s and its like", (_, op) => {
	it("is rejected when it is not one unambiguous JSON value", async () => {
		const send = await sender(op);
		for (const [why, body] of Object.entries(UNREADABLE)) await expectBadInput(op, why, await send({ body }), true);
		for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data; boundary=x"]) {
			await expectBadInput(op, type, await send({ body: "{}", headers: { "content-type": type } }), true);
		}
	});

	it("is refused when it is JSON of another type", async () => {
		const send = await sender(op);
		for (const body of ["[]", '"text"', "42", "null", "true"]) {
			if (!op.request.body.safeParse(JSON.parse(body)).success) await expectBadInput(op, body, await send({ body }), false);
		}
		if (!op.request.body.safeParse(undefined).success) await expectBadInput(op, "no body", await send({}), true);
		// Within the size limit: the error must be about the content, not the size.
		const long = JSON.stringify({ unknown: "a".repeat(250_000) });
		if (!op.request.body.safeParse(JSON.parse(long)).success) await expectBadInput(op, "a long string", await send({ body: long }), false);
	});
});

describe("an unknown name in a query", () => {
	const opposed = operations.filter((op) => !isPublic(op.access));
	const kindOf = (op: AnyOperation) => [op.method === "GET", badInputCode(op), op.validationErrors, op.request.query !== undefined];

	it.each(oneOfEach(opposed, kindOf).map((op) => [title(op), op] as const))(
		"is refused by %s and its like, because a misspelt filter would answer everything",
		async (_, op) => {
			const send = await sender(op);
			const response = await send({ query: "?unheard_of=1", ...(op.request.body && { body: "{}" }) });
			if (badInputCode(op) !== "INVALID_PARAMS") return expectBadInput(op, "an unknown parameter", response, false);
			expect(await response.json()).toMatchObject({
				description: expect.stringMatching(/^query\.unheard_of is no parameter of this operation, which has (?:none|[\w, ]+)$/),
				invalid_params: [{ path: "query.unheard_of", sub_code: "UNKNOWN_FIELD" }],
			});
		},
	);

	it.each(operations.filter((op) => isPublic(op.access) && op.method === "GET").map((op) => [title(op), op] as const))(
		"is ignored by %s, whose address anybody may decorate",
		async (_, op) => {
			const send = await sender(op);
			expect(await (await send({ query: "?utm_source=mail" })).text()).not.toContain("utm_source");
		},
	);
});

describe("a misspelt member of what an app sends", () => {
	it("is refused if what it must mean is missing, because it changes what is done", async () => {
		const op = operations.find(({ id }) => id === "createLoanApplication") as AnyOperation;
		const send = await sender(op);
		const response = await send({
			body: JSON.stringify({ product_id: crypto.randomUUID() }),
			headers: { accept: "application/problem+json" },
		});
		expect(await response.json()).toMatchObject({
			status: 400,
			invalid_params: [{ path: "product_id", reason: "is not a known field; did you mean loan_product_id?", sub_code: "UNKNOWN_FIELD" }],
		});
	});
});

const changes = operations.filter((op) => op.method !== "GET");
const TOO_LONG = `"${"a".repeat(256 * 1024 - 1)}"`;

describe.each(oneOfEach(changes, bodyOf).map((op) => [title(op), op] as const))("%s and its like", (_, op) => {
	it("takes 256 KiB, and counts those of a body that declares no length", async () => {
		const { organization } = await admitted(op);
		const send = (init: RequestInit) => servePath(pathOf(op, organization), { method: op.method, ...init });
		const pieces = new ReadableStream({
			start(controller) {
				for (let i = 0; i < 5; i++) controller.enqueue(new Uint8Array(64 * 1024));
				controller.close();
			},
		});
		expect((await send({ body: pieces })).status).toBe(413);
		expect((await send({ body: TOO_LONG.slice(1) })).status).not.toBe(413);
	});

	it("takes no more than 256 KiB, from any caller", async () => {
		const { organization } = await admitted(op);
		const response = await servePath(pathOf(op, organization), { method: op.method, body: TOO_LONG });
		expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
	});
});

const keyed = changes.filter(honoursIdempotencyKey);
describe.each(oneOfEach(keyed, bodyOf).map((op) => [title(op), op] as const))("%s and its like", (_, op) => {
	it("rejects an Idempotency-Key that is empty or too long", async () => {
		const send = await sender(op);
		for (const key of ["", "k".repeat(256)]) {
			const response = await send({ headers: { "idempotency-key": key }, ...(op.request.body && { body: "{}" }) });
			await expectBadInput(op, `a key of ${key.length}`, response, false);
		}
	});
});

/** Where a missing thing may be found before a bad cursor. */
const ofThing = ({ path }: AnyOperation) => /{(?!organizationId)/.test(path);

const alike = (op: AnyOperation) => [badInputCode(op), op.validationErrors, largestPage(op), ofThing(op)];
describe.each(oneOfEach(lists, alike).map((op) => [title(op), op] as const))("the list %s and its like", (_, op) => {
	it("refuses cursors that are none, and sizes out of bounds", async () => {
		const send = await sender(op);
		for (const cursor of ["x", "", FOREIGN_CURSOR, "..", "a.b.c", "x".repeat(4097), "%00", "https://elsewhere.example/?after=x"]) {
			// An empty or overlong cursor counts as invalid, not as unreadable.
			const isUnreadable = cursor.length > 0 && cursor.length <= 4096;
			for (const name of ["after", "before"]) {
				const query = `?${name}=${cursor.startsWith("%") ? cursor : encodeURIComponent(cursor)}`;
				await expectBadInput(op, query.slice(0, 40), await send({ query }), isUnreadable, ofThing(op));
			}
		}
		for (const size of ["0", "-1", "1.5", "abc", "", "1e1", "10&size=20"]) {
			await expectBadInput(op, `size=${size}`, await send({ query: `?size=${size}` }), false);
		}
		await expectBadInput(
			op,
			"both cursors",
			await send({ query: `?after=${FOREIGN_CURSOR}&before=${FOREIGN_CURSOR}` }),
			false,
			ofThing(op),
		);
	});
});
