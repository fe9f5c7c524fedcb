// The fuzz itself: it draws the same requests from the same seed, and it notices each kind of fault.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Caller, Cast } from "./cast";
import { ServiceDocument } from "./document";
import { draftsOf, draw, nameInPath } from "./draft";
import type { Answer } from "./exchange";
import { Things } from "./things";
import { complaints, outOfBounds } from "./verdict";
import { objectsOf, Raw, slotsOf, textOf, treeOf } from "./wrong";

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const thing = { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false };
const refusal = { type: "object", properties: { code: { type: "string" } }, required: ["code"], additionalProperties: false };
/** A refusal as the document shares it between operations. */
const refused = (...codes: string[]) => ({
	description: codes.join(" or "),
	...json({ allOf: [{ $ref: "#/components/schemas/Refusal" }, { type: "object", properties: { code: { type: "string", enum: codes } } }] }),
});

const document = new ServiceDocument({
	paths: {
		"/v1/things/{thing_id}": {
			put: {
				operationId: "putThing",
				parameters: [{ name: "thing_id", in: "path", required: true, schema: { type: "string" } }],
				requestBody: json({ type: "object", properties: { size: { type: "integer", minimum: 1, maximum: 9 } }, required: ["size"] }),
				responses: {
					200: { description: "The thing", ...json({ $ref: "#/components/schemas/Thing" }) },
					404: { $ref: "#/components/responses/Absent" },
					429: refused("TOO_MANY_REQUESTS"),
					500: refused("INTERNAL_SERVER_ERROR"),
					503: refused("SERVICE_UNAVAILABLE"),
				},
			},
		},
	},
	components: { schemas: { Thing: thing, Refusal: refusal }, responses: { Absent: refused("NOT_FOUND", "GONE") } },
});
const [operation] = document.operations;
if (!operation) throw new Error("the document has no operation");
const drafts = draftsOf(document, operation, []);
const draft = draw(drafts, 1, 1);
const things = new Things(document, "canary");
const stranger: Caller = { name: "stranger", stranger: true, credentials: () => [] };
const cast: Cast = { callers: [stranger], things, canary: "canary" };

const usual = { "content-type": "application/json", "x-request-id": "1", "cache-control": "no-store" };
const answer = (status: number, body: unknown, more: Partial<Answer> = {}): Answer => ({
	status,
	headers: usual,
	text: typeof body === "string" ? body : JSON.stringify(body),
	ms: 1,
	grownMb: 0,
	...more,
});
const judge = (given: Answer, caller = stranger) =>
	complaints(document, draft, caller, cast, { method: "PUT", path: "/", headers: [] }, given);

describe("an answer", () => {
	it("is accepted as declared", () => {
		expect(judge(answer(200, { id: "a" }))).toEqual([]);
		expect(judge(answer(404, { code: "GONE" }))).toEqual([]);
		expect(judge(answer(503, { code: "SERVICE_UNAVAILABLE" }, { headers: { ...usual, "retry-after": "5" } }))).toEqual([]);
	});

	it.each<[string, Answer, string]>([
		["a 500 although it is declared", answer(500, { code: "INTERNAL_SERVER_ERROR" }), "a 500"],
		["a status that is not declared", answer(201, { id: "a" }), "an undeclared status: 201"],
		["a code that is not declared", answer(404, { code: "LOST" }), "an undeclared body: ✖ Invalid option"],
		["a member that is not declared", answer(200, { id: "a", secret: "b" }), "an undeclared body: "],
		["a member that is missing", answer(200, {}), "an undeclared body: "],
		["a body that is not JSON", answer(200, "hello"), "a body that is not JSON"],
		["a page", answer(200, "<p>", { headers: { ...usual, "content-type": "text/html" } }), "an undeclared content type: text/html"],
		["a 429 that does not say when", answer(429, { code: "TOO_MANY_REQUESTS" }), "a 429 without Retry-After"],
		["a runtime that is gone", answer(503, { code: "SERVICE_UNAVAILABLE" }, { headers: {} }), "the runtime did not answer"],
		["more than a second", answer(200, { id: "a" }, { ms: 1_001 }), "took more than 1000 ms"],
		["more than 32 MB", answer(200, { id: "a" }, { grownMb: 33 }), "took more than 32 MB"],
		["somebody else's thing", answer(200, { id: "canary-1" }), "tells a stranger of an organization"],
	])("is refused for %s", (_, given, complaint) => {
		expect(judge(given)).toEqual([expect.stringContaining(complaint)]);
	});

	it("may show members their own organization", () => {
		expect(judge(answer(200, { id: "canary-1" }), { ...stranger, stranger: false })).toEqual([]);
	});
});

describe("a draft", () => {
	it("is the same for the same seed and case, and differs for others", () => {
		const drawn = (seed: number, number: number) => JSON.stringify(draw(drafts, seed, number));
		expect(drawn(7, 3)).toBe(drawn(7, 3));
		const several = Array.from({ length: 50 }, (_, number) => [drawn(7, number), drawn(8, number)]).flat();
		expect(new Set(several).size).toBeGreaterThan(80);
	});

	it("is valid about half of the time, and then matches its schema", () => {
		const all = fc.sample(drafts, { seed: 1, numRuns: 500 });
		const right = all.filter(({ wrong }) => wrong.length === 0);
		expect(right.length).toBeGreaterThan(100);
		expect(right.length).toBeLessThan(400);
		for (const { body } of right) {
			const { size } = JSON.parse(body?.toString() ?? "") as { size: number };
			expect(size).toBeGreaterThanOrEqual(1);
			expect(size).toBeLessThanOrEqual(9);
		}
	});
});

describe("a hostile input", () => {
	const answer = { status: 400, headers: { "x-request-id": "r" }, text: "", ms: 1, grownMb: undefined };

	it("may not make the service fail, or cost more than its time or memory", () => {
		expect(outOfBounds("putThing", answer)).toEqual([]);
		expect(outOfBounds("putThing", { ...answer, status: 500, ms: 1_200, grownMb: 40 })).toEqual(["a 500", "1200 ms", "40 MB"]);
		expect(outOfBounds("putThing", { ...answer, status: 503 })).toEqual(["a 503"]);
	});

	it("may be answered 503 by the service where the fuzz has no provider of the operation, but not by the runtime", () => {
		expect(outOfBounds("promptRepayment", { ...answer, status: 503 })).toEqual([]);
		expect(outOfBounds("promptRepayment", { ...answer, status: 503, headers: {} })).toEqual(["a 503"]);
		expect(outOfBounds("promptRepayment", { ...answer, status: 500 })).toEqual(["a 500"]);
	});
});

describe("a learned value", () => {
	it("is found by its collection and by its name elsewhere, and never contains the canary", () => {
		things.learnFrom("/v1/things", { data: [{ id: "t1" }], links: { next: "c1", prev: null } });
		things.learn("thing_id", "canary-2");
		expect(nameInPath("/v1/things/{thingId}", "thingId")).toBe("thing_id");
		expect(nameInPath("/v1/things/{id}", "id")).toBe("/v1/things");
		const filled = things.fill("@@thing_id:5@@ @@/v1/things:1@@ @@after:0@@ @@nothing:1@@", (value) => value);
		expect(filled).toBe("t1 t1 c1 00000000-0000-7000-8000-000000000001");
	});
});

describe("a wrong body", () => {
	it("can hold a member twice and a value that is not JSON", () => {
		const tree = treeOf({ a: [{ b: 1 }], c: null });
		expect(slotsOf(tree).map(({ place }) => place)).toEqual(["a", "a[]", "a[].b", "c"]);
		objectsOf(tree)[1]?.members.push(["b", new Raw("NaN")]);
		expect(textOf(tree)).toBe('{"a":[{"b":1,"b":NaN}],"c":null}');
	});
});
