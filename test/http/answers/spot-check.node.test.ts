// One in a hundred answers is parsed by zod: what it says is logged, without a value of the answer.

import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { projectionOf } from "../../../src/http/answers/projection";
import { spotCheck } from "../../../src/http/answers/spot-check";
import { operator } from "../../../src/http/callers/access";
import { operation } from "../../../src/http/operation";

afterEach(() => {
	vi.restoreAllMocks();
});

/** What is logged about an answer of this schema. */
function logged(schema: z.ZodType, output: unknown, body = JSON.stringify(projectionOf(schema)(output))): unknown[][] {
	const lines: unknown[][] = [];
	const log = { info: () => undefined, error: (...line: unknown[]) => void lines.push(line) };
	const made = { summary: "", access: operator, request: {}, response: schema, handle: async () => ({}) };
	spotCheck(operation({ id: "getThing", method: "GET", path: "/thing", ...made }), output, body, log);
	return lines;
}

const drawn = (value: number) => vi.spyOn(Math, "random").mockReturnValue(value);

const Card = z.object({ kind: z.literal("CARD"), ends: z.iso.date() });
const Schema = z.object({
	id: z.uuid(),
	status: z.enum(["OPEN", "CLOSED"]).optional(),
	owners: z.array(z.object({ amount: z.int().min(0).nullable() })).optional(),
	notes: z.record(z.string(), z.string()).optional(),
	means: z.discriminatedUnion("kind", [Card, z.object({ kind: z.literal("CASH") })]).optional(),
});
const id = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11";

describe("an answer that is drawn", () => {
	it("logs nothing when it is what its schema says", () => {
		drawn(0);
		const output = { id, status: "OPEN", owners: [{ amount: 1 }], notes: { Anna: "secret" }, means: { kind: "CASH" } };
		expect(logged(Schema, output)).toEqual([]);
	});

	it.each<[string, object, string, string]>([
		["a wrong format", { id: "Anna" }, "id", "invalid_format uuid"],
		["a wrong member of an enum", { id, status: "Anna" }, "status", "invalid_value"],
		["a number out of its range", { id, owners: [{ amount: 1 }, { amount: -7777 }] }, "owners.[].amount", "too_small"],
		["a value of a variant", { id, means: { kind: "CARD", ends: "Anna" } }, "means.ends", "invalid_format date"],
		["a value under a name of the answer's own", { id, notes: { Anna: 7777 } }, "notes.…", "invalid_type"],
	])("logs the place and the kind of %s, and no value", (_, output, place, complaint) => {
		drawn(0.0099);
		const lines = logged(Schema, output, JSON.stringify(output));
		expect(lines).toEqual([["an answer is not what its schema says", undefined, { operation: "getThing", place, complaint }]]);
		expect(JSON.stringify(lines)).not.toMatch(/Anna|7777/);
	});

	it("logs the place at which the caller gets another value than zod makes", () => {
		drawn(0);
		const lines = logged(Schema, { id, owners: [{ amount: 1 }] }, JSON.stringify({ id, owners: [{ amount: 7777 }] }));
		expect(lines).toEqual([
			["an answer is not what its schema says", undefined, { operation: "getThing", place: "owners.[].amount", complaint: "differs" }],
		]);
	});

	it("logs that it could not be checked when its schema throws", () => {
		drawn(0);
		const broken = z.string().transform((): string => {
			throw new Error("Anna");
		});
		expect(logged(broken, "Anna", '"Anna"')).toEqual([
			["an answer could not be checked", expect.objectContaining({ message: "Anna" }), { operation: "getThing" }],
		]);
	});
});

it("an answer that is not drawn is not parsed", () => {
	drawn(0.01);
	expect(logged(Schema, { id: "Anna" })).toEqual([]);
});
