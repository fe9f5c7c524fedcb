// Names in a body that no operation reads, and what their objects lack.

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { unreadFields } from "../../src/http/names";
import { nearest } from "../../src/shared/nearest";

describe("the name that is meant", () => {
	it.each([
		["stauts", ["status", "size", "after"], "status"],
		["nmae", ["name", "slug"], "name"],
		["product_id", ["loan_product_id", "currency"], "loan_product_id"],
		["loanProductId", ["loan_product_id", "loan_amount"], "loan_product_id"],
		["Status-Code", ["code", "name"], "code"],
		["loan_product", ["loan_amount", "loan_product_id"], "loan_product_id"],
		["mobile_number", ["phone", "size"], undefined],
		["fee", ["ref"], undefined],
		["", ["a"], undefined],
		["x".repeat(65), ["x".repeat(64)], undefined],
	])("by %s among %s is %s", (sent, names, meant) => {
		expect(nearest(sent, names)).toBe(meant);
	});
});

describe("members that no schema names", () => {
	const schema = z.object({
		name: z.string().optional(),
		lines: z.array(z.object({ amount: z.int(), note: z.string().optional() })).optional(),
		labels: z.record(z.string(), z.object({ text: z.string() })).optional(),
		to: z.union([z.object({ bank: z.string() }), z.object({ number: z.string() })]).nullish(),
		raw: z.looseObject({ known: z.string() }).optional(),
		anything: z.unknown(),
	});

	it("are found at every place, with what their object lacks", () => {
		const value = {
			nmae: 1,
			lines: [{ amount: 1, nota: "x" }],
			labels: { any: { text: "", txet: "" } },
			to: { bank: "", banc: "" },
			raw: { others: 1 },
			anything: { x: { y: 1 } },
		};
		expect(unreadFields(schema, value)).toEqual([
			{ path: [], name: "nmae", absent: ["name"] },
			{ path: ["lines", 0], name: "nota", absent: ["note"] },
			{ path: ["labels", "any"], name: "txet", absent: [] },
			{ path: ["to"], name: "banc", absent: ["number"] },
		]);
	});

	it("are looked at up to a hundred", () => {
		const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`n${index}`, index]));
		expect(unreadFields(schema, { ...many, lines: [many] })).toHaveLength(100);
	});
});
