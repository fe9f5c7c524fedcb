// How a confirmation's time, amount and payer are read.

import { describe, expect, it } from "vitest";
import { accountNumberIn, amountOf, instantOf, payerOf } from "../../../src/providers/daraja/callbacks.ts";

describe("a confirmation's time", () => {
	it("is East African", () => {
		expect(instantOf("20250331223000")).toBe(Date.parse("2025-03-31T22:30:00+03:00"));
		expect(instantOf("20240229000000")).toBe(Date.parse("2024-02-28T21:00:00Z"));
	});

	it.each(["20250229120000", "20251301000000", "20250101240000", "2025-01-01", "", "2025010112000"])("is invalid as %j", (text) => {
		expect(instantOf(text)).toBeUndefined();
	});
});

describe("a confirmation's amount", () => {
	it.each([
		["300", 30_000, true],
		["300.00", 30_000, true],
		["300.5", 30_050, true],
		["300.500", 30_050, true],
		["0.01", 1, true],
		["300.555", 30_055, false],
		[" 12.", 1_200, true],
	])("%j is %d cents", (text, value, isExact) => {
		expect(amountOf(text)).toEqual({ value, isExact });
	});

	it.each(["0", "0.001", "-5", "1e3", "1,000", "", "NaN", "99999999999999999", "9999999999999999"])("is invalid as %j", (text) => {
		expect(amountOf(text)).toBeUndefined();
	});
});

describe("a confirmation's payer", () => {
	it("is identified by number or by its SHA-256, and not by a masked number", () => {
		expect(payerOf("254712345678")).toEqual({ digits: "254712345678" });
		expect(payerOf("+254712345678")).toEqual({ digits: "254712345678" });
		expect(payerOf("A".repeat(64))).toEqual({ sha256: "a".repeat(64) });
		for (const text of ["2547*****126", "", "0712 345 678"]) expect(payerOf(text)).toBeUndefined();
	});

	it("may write the account number in groups", () => {
		expect(accountNumberIn(" 1020-4812 03377 ")).toBe("1020481203377");
	});
});
