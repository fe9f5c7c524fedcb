// The decimals of currencies, and amounts as texts.

import { describe, expect, it } from "vitest";
import { amountText, decimalsOf, isCurrency, minorUnitsIn, shortAmountText } from "../../src/shared/currency";
import { CurrencyCode } from "../../src/shared/currency-code";
import { MARKETS } from "../../src/shared/momo-markets";

describe("a currency", () => {
	it.each([
		["UGX", 0],
		["JPY", 0],
		["KES", 2],
		["EUR", 2],
		["BHD", 3],
		// Intl says none, as cash has none.
		["IQD", 3],
	])("%s has %i decimals", (currency, decimals) => expect([isCurrency(currency), decimalsOf(currency)]).toEqual([true, decimals]));

	it("is one of those of ISO 4217", () => {
		const said = ["KES", "ZZZ", "XXX", "kes", "KESH", ""].map((code) =>
			CurrencyCode.safeParse(code).error?.issues.map(({ message }) => message),
		);
		const [unknown, misspelt] = [["must be a currency of ISO 4217, such as KES"], ["must be three capital letters"]];
		expect(said).toEqual([undefined, unknown, unknown, misspelt, misspelt, misspelt]);
		expect(Object.values(MARKETS).filter(({ currency }) => !isCurrency(currency))).toEqual([]);
	});

	it("has no fewer decimals than the runtime says, which counts those of cash", () => {
		const ofCash = (currency: string) =>
			new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
		const known = Intl.supportedValuesOf("currency").filter(isCurrency);
		expect(known.length).toBeGreaterThan(140);
		expect(known.filter((code) => ofCash(code) > decimalsOf(code))).toEqual([]);
	});
});

describe("an amount", () => {
	it.each([
		[50_000, "UGX", "50000"],
		[5_000_000, "KES", "50000.00"],
		[12_345, "BHD", "12.345"],
		[5, "BHD", "0.005"],
		[-5, "KES", "-0.05"],
		[0, "UGX", "0"],
		[Number.MAX_SAFE_INTEGER, "KES", "90071992547409.91"],
	])("of %i %s is written as %s", (amount, currency, text) => expect(amountText(amount, currency)).toBe(text));

	it("has no needless zero for a provider, and is read as it was written", () => {
		expect([1, 100, 30_000].map((amount) => shortAmountText(amount, "UGX"))).toEqual(["1", "100", "30000"]);
		expect([1, 10, 100, 30_050, 30_000].map((amount) => shortAmountText(amount, "GHS"))).toEqual(["0.01", "0.1", "1", "300.5", "300"]);
		for (const amount of [0, 1, 5, 10, 99, 100, 101, 110, 1_000, 123_456]) {
			for (const currency of ["UGX", "KES", "BHD"]) expect(minorUnitsIn(shortAmountText(amount, currency), currency)).toBe(amount);
		}
	});

	it("is read from a provider's text only if it is one of whole minor units", () => {
		const said = ["300.0", "300.50", "300.000", "0.005", "1.5", "-1", "1,000", "", undefined];
		const none = [undefined, undefined, undefined, undefined];
		expect(said.map((text) => minorUnitsIn(text, "KES"))).toEqual([30_000, 30_050, 30_000, undefined, 150, ...none]);
		expect(said.map((text) => minorUnitsIn(text, "UGX"))).toEqual([300, undefined, 300, undefined, undefined, ...none]);
		expect(said.map((text) => minorUnitsIn(text, "BHD"))).toEqual([300_000, 300_500, 300_000, 5, 1_500, ...none]);
	});
});
