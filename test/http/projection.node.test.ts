import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { projectionOf } from "../../src/http/projection";

const project = (schema: z.ZodType, value: unknown) => projectionOf(schema)(value);

/** A schema, and values that it accepts. */
type Case = { schema: z.ZodType; values: fc.Arbitrary<unknown> };

const leaves: Case[] = [
	{ schema: z.string(), values: fc.string() },
	{ schema: z.string().trim(), values: fc.string() },
	{ schema: z.string().default("absent"), values: fc.option(fc.string(), { nil: undefined }) },
	{ schema: z.string().transform((text) => text.length), values: fc.string() },
	{ schema: z.uuid(), values: fc.uuid() },
	{ schema: z.uuid().toLowerCase(), values: fc.uuid().map((id) => id.toUpperCase()) },
	{ schema: z.iso.datetime(), values: fc.integer({ min: 0, max: 4e12 }).map((at) => new Date(at).toISOString()) },
	{ schema: z.int().min(0), values: fc.nat() },
	{ schema: z.boolean(), values: fc.boolean() },
	{ schema: z.enum(["A", "B"]), values: fc.constantFrom("A", "B") },
	{ schema: z.literal(3), values: fc.constant(3) },
	{ schema: z.literal(null), values: fc.constant(null) },
	{ schema: z.union([z.string(), z.int()]), values: fc.oneof(fc.string(), fc.nat()) },
	{
		schema: z.record(z.string(), z.json()),
		values: fc.dictionary(
			fc.string({ minLength: 1 }).filter((name) => name !== "__proto__"),
			fc.constant([1, null]),
		),
	},
	{ schema: z.unknown(), values: fc.constantFrom("any", { thing: 1 }) },
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
		tie("schema").map(({ schema, values }) => ({ schema: schema.nullable(), values: fc.option(values) })),
		tie("schema").map(({ schema, values }) => ({ schema: schema.optional(), values: fc.option(values, { nil: undefined }) })),
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
	it("makes of a value what zod makes of it", () => {
		const given = cases.chain(({ schema, values }) => values.map((value) => ({ schema, value })));
		fc.assert(
			fc.property(given, ({ schema, value }) => {
				const projected = project(schema, value);
				expect(projected).toEqual(schema.parse(value));
				expect(JSON.stringify(projected)).toBe(JSON.stringify(schema.parse(value)));
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
		["a variant that there is not", z.discriminatedUnion("kind", [z.object({ kind: z.literal("A") })]), { kind: "B" }],
		["a text where a list belongs", z.array(z.string()), "text"],
	] as const)("refuses %s, as zod does", (_, schema, value) => {
		expect(() => schema.parse(value)).toThrow(z.ZodError);
		expect(() => project(schema, value)).toThrow(z.ZodError);
	});
});
