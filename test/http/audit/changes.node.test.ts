// What the audit trail keeps of a body, and what it leaves out.

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { changesOf } from "../../../src/http/audit/changes";
import { list } from "../../../src/shared/bounded";
import { CurrencyCode } from "../../../src/shared/currency-code";
import type { Json } from "../../../src/shared/json";
import { Instant } from "../../../src/shared/timestamp";

const shown = (body: z.core.$ZodType | undefined, sent: Json | undefined) =>
	changesOf({ request: body ? { body } : {} }, sent, async (text) => `#${text.length}`);

/** One type for all rows: the compiler takes half a second to compare schemas as different as these. */
const row = (name: string, body: z.core.$ZodType, sent: Json, kept: Json) => [name, body, sent, kept] as const;

describe("what the audit trail keeps of a body", () => {
	it.each([
		row(
			"numbers, booleans and null as sent",
			z.object({ a: z.int(), b: z.boolean(), c: z.null() }),
			{ a: 1, b: true, c: null },
			{ a: 1, b: true, c: null },
		),
		row("enums and literals", z.object({ a: z.enum(["X", "Y"]), b: z.literal("Z") }), { a: "X", b: "Z" }, { a: "X", b: "Z" }),
		row(
			"ids",
			z.object({ id: z.uuid().toLowerCase() }),
			{ id: "01920F8E-7B1C-7A52-9A4E-3C5D8F2B6E12" },
			{ id: "01920F8E-7B1C-7A52-9A4E-3C5D8F2B6E12" },
		),
		row(
			"dates and instants",
			z.object({ a: z.iso.date(), b: Instant }),
			{ a: "2026-01-01", b: "2026-01-01t00:00:00z" },
			{ a: "2026-01-01", b: "2026-01-01t00:00:00z" },
		),
		row(
			"codes of currencies",
			z.object({ a: z.object({ value: z.int(), currency: CurrencyCode }), b: z.string() }),
			{ a: { value: 1, currency: "KES" }, b: "KES" },
			{ a: { value: 1, currency: "KES" }, b: "#3" },
		),
		row(
			"a digest of every other text",
			z.object({ name: z.string(), mail: z.email() }),
			{ name: "Alice", mail: "a@b.example" },
			{ name: "#5", mail: "#11" },
		),
		row(
			"lists item by item",
			z.object({ a: list(z.enum(["X"]), { max: 3 }), b: z.array(z.string()) }),
			{ a: ["X"], b: ["Al"] },
			{ a: ["X"], b: ["#2"] },
		),
		row("alternatives by the one that fits", z.object({ a: z.union([z.uuid(), z.string()]).nullish() }), { a: "acme" }, { a: "#4" }),
		row("named schemas", z.object({ a: z.object({ b: z.enum(["X"]) }).meta({ id: "Inner" }) }), { a: { b: "X" } }, { a: { b: "X" } }),
		row("nothing that the schema drops", z.object({ a: z.int() }), { a: 1, secret: "s" }, { a: 1 }),
		row(
			"names that the caller chose as a digest",
			z.object({ a: z.record(z.string(), z.int()) }),
			{ a: { Alice: 1 } },
			{ a: { "*": "#11" } },
		),
		row("names of an enum as sent", z.object({ a: z.partialRecord(z.enum(["X", "Y"]), z.int()) }), { a: { X: 1 } }, { a: { X: 1 } }),
		row(
			"free-form objects as a digest",
			z.object({ a: z.looseObject({ b: z.int() }), c: z.json() }),
			{ a: { b: 1, c: "x" }, c: { d: 1 } },
			{ a: { b: 1, "*": "#9" }, c: { "*": "#7" } },
		),
	])("is %s", async (_, body, sent, expected) => {
		expect(await shown(body, sent)).toEqual(expected);
	});

	it("is nothing without a body", async () => {
		expect(await shown(undefined, { a: 1 })).toEqual({});
		expect(await shown(z.object({ a: z.int() }).optional(), undefined)).toEqual({});
	});

	it("is one digest of the whole body if it would be over 4,096 characters", async () => {
		const sent = Array.from({ length: 3_000 }, (_, index) => index % 10);
		expect(await shown(z.array(z.int()), sent)).toEqual({ "*": "#6001" });
	});
});
