// When two invoice numbers are the same, and how large an advance may be, as pure rules.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advanceOf, depthOf, mayStillBeFinanced, numberKey } from "../../../src/domains/invoices/policy.ts";

describe("the key of an invoice number", () => {
	it.each([
		["inv-001", "its case"],
		["INV - 001", "spaces"],
		["\u00a0INV\u2009-\t001\n", "spaces of other kinds"],
		["ＩＮＶ－００１", "the width of its characters"],
		["IN\u200bV-0\u00ad01", "invisible characters"],
	])("is the same for %j: ignores %s", (spelling) => {
		expect(numberKey(spelling)).toBe("INV-001");
	});

	it("differs for different numbers", () => {
		expect(new Set(["INV-001", "INV-002", "INV001", "INV-01", "ІNV-001"].map(numberKey)).size).toBe(5);
		expect(numberKey("straße")).toBe(numberKey("STRASSE"));
	});

	it("is its own key, and is empty without visible characters", () => {
		fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => numberKey(numberKey(text)) === numberKey(text)));
		expect(numberKey(" \u200b\u00a0")).toBe("");
	});
});

describe("an advance", () => {
	it("is the amount less the fee, and never zero", () => {
		expect(advanceOf(90_000, 1_800)).toBe(88_200);
		expect(advanceOf(90_000, 0)).toBe(90_000);
		expect(advanceOf(90_000, 89_999)).toBe(1);
		for (const fee of [90_000, 90_001, -1]) expect(advanceOf(90_000, fee)).toBeUndefined();
	});

	it("is possible until the day before the due date", () => {
		expect(mayStillBeFinanced("2026-03-02", "2026-03-01")).toBe(true);
		expect(mayStillBeFinanced("2026-03-02", "2026-03-02")).toBe(false);
		expect(mayStillBeFinanced("2026-03-02", "2026-03-03")).toBe(false);
	});
});

it("the policy measures how deep a value is nested", () => {
	expect([1, "a", null, {}, [], { a: {} }, { a: [{ b: 1 }] }].map(depthOf)).toEqual([0, 0, 0, 1, 1, 2, 3]);
});
