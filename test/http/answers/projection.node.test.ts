// A compiled projection shows what its schema names and nothing else.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { projectionOf } from "../../../src/http/answers/projection";

const project = (schema: z.core.$ZodType, value: unknown) => projectionOf(schema)(value);

/** A schema, and values that it accepts. */
type Case = { schema: z.core.$ZodType; values: fc.Arbitrary<unknown> };

/** One type for all: the compiler is slow to compare schemas as different as these. */
const leaf = (schema: z.core.$ZodType, values: fc.Arbitrary<unknown>): Case => ({ schema, values });

const leaves: Case[] = [
	leaf(z.string(), fc.string()),
	leaf(z.string().trim(), fc.string()),
	leaf(z.string().default("absent"), fc.option(fc.string(), { nil: undefined })),
	leaf(
		z.string().transform((text) => text.length),
		fc.string(),
	),
	leaf(z.uuid(), fc.uuid()),
	leaf(
		z.uuid().toLowerCase(),
		fc.uuid().map((id) => id.toUpperCase()),
	),
	leaf(
		z.iso.datetime(),
		fc.integer({ min: 0, max: 4e12 }).map((at) => new Date(at).toISOString()),
	),
	leaf(z.int().min(0), fc.nat()),
	leaf(z.boolean(), fc.boolean()),
	leaf(z.enum(["A", "B"]), fc.constantFrom("A", "B")),
	leaf(z.literal(3), fc.constant(3)),
	leaf(z.literal(null), fc.constant(null)),
	leaf(z.union([z.string(), z.int()]), fc.oneof(fc.string(), fc.nat())),
	leaf(
		z.record(z.string(), z.json()),
		fc.dictionary(
			fc.string({ minLength: 1 }).filter((name) => name !== "__proto__"),
			fc.constant([1, null]),
		),
	),
	leaf(z.unknown(), fc.constantFrom("any", { thing: 1 })),
];

const UNNAMED = "column_without_a_name";

/** An object of the members, with one more that its schema does not name. */
const objectOf = (members: readonly Case[], kind?: string): Case => {
	const named = Object.fromEntries(members.map((member, index) => [`m${index}`, member]));
	const shape = Object.fromEntries(Object.entries(named).map(([name, { schema }]) => [name, schema]));
	const values = Object.fromEntries(Object.entries(named).map(([name, member]) => [name, member.values]));
	return {
		schema: z.object({ ...shape, ...(kind !== undefined && { kind: z.literal(kind) }) }),
		values: fc.record({ ...values, ...(kind !== undefined && { kind: fc.constant(kind) }), [UNNAMED]: fc.constant("secret") }),
	};
};

const { schema: cases } = fc.letrec<{ schema: Case }>((tie) => ({
	schema: fc.oneof(
		{ maxDepth: 4, depthSize: "large" },
		fc.constantFrom(...leaves),
		tie("schema").map(({ schema, values }) => ({ schema: z.array(schema), values: fc.array(values, { maxLength: 3 }) })),
		tie("schema").map(({ schema, values }) => ({ schema: z.nullable(schema), values: fc.option(values) })),
		tie("schema").map(({ schema, values }) => ({ schema: z.optional(schema), values: fc.option(values, { nil: undefined }) })),
		fc.array(tie("schema"), { maxLength: 4 }).map((members) => objectOf(members)),
		fc.tuple(fc.array(tie("schema"), { maxLength: 2 }), fc.array(tie("schema"), { maxLength: 2 })).map(([some, others]): Case => {
			const [one, other] = [objectOf(some, "ONE"), objectOf(others, "OTHER")];
			return {
				schema: z.discriminatedUnion("kind", [one.schema, other.schema] as never),
				values: fc.oneof(one.values, other.values),
			};
		}),
	),
}));

describe("a projection", () => {
	it("returns the same value as zod", () => {
		const given = cases.chain(({ schema, values }) => values.map((value) => ({ schema, value })));
		fc.assert(
			fc.property(given, ({ schema, value }) => {
				const projected = project(schema, value);
				expect(projected).toEqual(z.parse(schema, value));
				expect(JSON.stringify(projected)).toBe(JSON.stringify(z.parse(schema, value)));
			}),
			{ numRuns: 2_000 },
		);
	});

	it("drops every member that the schema does not name, at any depth", () => {
		const Row = z.object({ id: z.string(), owner: z.object({ name: z.string() }).nullable() });
		const row = { id: "a", password: "secret", owner: { name: "Anna", password: "secret" } };
		const schema = z.object({ data: z.array(Row), first: z.discriminatedUnion("type", [z.object({ type: z.literal("ROW"), row: Row })]) });
		const answer = project(schema, { data: [row], first: { type: "ROW", row, password: "secret" }, password: "secret" });
		expect(JSON.stringify(answer)).not.toContain("secret");
		expect(answer).toEqual({
			data: [{ id: "a", owner: { name: "Anna" } }],
			first: { type: "ROW", row: { id: "a", owner: { name: "Anna" } } },
		});
	});

	it("keeps the other members of objects whose schema has them", () => {
		expect(project(z.looseObject({ id: z.string() }), { id: "a", other: 1 })).toEqual({ id: "a", other: 1 });
	});

	it.each([
		["an object where a text belongs", z.object({ name: z.string() }), { name: { password: "secret" } }],
		["an object where an enum belongs", z.enum(["A"]), { password: "secret" }],
		["an object where a number belongs", z.array(z.int()), [{ password: "secret" }]],
		["a member that is missing", z.object({ name: z.string() }), {}],
		["null where nothing allows it", z.object({ owner: z.object({}) }), { owner: null }],
		["an unknown variant", z.discriminatedUnion("kind", [z.object({ kind: z.literal("A") })]), { kind: "B" }],
		["a text where a list belongs", z.array(z.string()), "text"],
	] as const)("refuses %s, as zod does", (_, schema, value) => {
		expect(() => z.parse(schema, value)).toThrow(z.ZodError);
		expect(() => project(schema, value)).toThrow(z.ZodError);
	});
});
