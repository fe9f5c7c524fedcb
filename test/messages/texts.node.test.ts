// Texts for people: that each language has all of them, and which language somebody gets.

import { describe, expect, it } from "vitest";
import { CATALOGUES, codeText, LOCALES, localeOf, payBillText, refusalText } from "../../src/messages/texts";

const holesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();

describe.each(LOCALES)("the texts in %s", (locale) => {
	const { refusals, reviewed } = CATALOGUES[locale];

	it("have the amounts of the English ones, end as sentences, and are reviewed only in English", () => {
		for (const [reason, text] of Object.entries(refusals)) {
			expect(holesOf(text), reason).toEqual(holesOf(CATALOGUES.en.refusals[reason as keyof typeof refusals]));
			expect(text, reason).toMatch(/^\S.*[.።]$/);
		}
		expect(reviewed).toBe(locale === "en");
	});

	it("have each form of a code's message that the language counts with, and what belongs into it, however long", () => {
		const { code, codeOfLender } = CATALOGUES[locale];
		const rules = new Intl.PluralRules(locale);
		for (const forms of [code, codeOfLender]) {
			for (const [rule, text] of Object.entries(forms)) {
				expect(rules.resolvedOptions().pluralCategories).toContain(rule);
				expect(holesOf(text)).toEqual(forms === code ? ["{code}", "{minutes}"] : ["{code}", "{lender}", "{minutes}"]);
			}
		}
		const lender = "{code} $& L’Union des mutuelles d’épargne et de crédit ".repeat(2).slice(0, 100);
		for (const minutes of [1, 5, 1_000_000]) {
			const text = codeText(locale, { code: "012345", minutes, lender });
			expect(text.split(lender)).toHaveLength(2);
			expect(text).toContain(String(minutes));
			expect(text.split("012345")).toHaveLength(2);
			expect(codeText(locale, { code: "012345", minutes })).not.toMatch(/[{}]/);
		}
		expect(payBillText(locale, "600000", "1058467591027")).toMatch(/600000.*1058467591027/);
	});

	it("are told of the closest reason, with an amount where they need one", () => {
		expect(refusalText(locale, ["OTP_WRONG", "BAD_REQUEST"])).toBe(refusals.OTP_WRONG);
		expect(refusalText(locale, ["NOT_A_REASON", "WAITING_LIST"])).toBe(refusals.WAITING_LIST);
		expect(refusalText(locale, ["REQUIRED", "BAD_REQUEST"])).toBeUndefined();
		const sum = { amount: Number.MAX_SAFE_INTEGER, currency: "BHD" };
		expect(refusalText(locale, ["AMOUNT_TOO_LOW"], sum)).toBe(refusals.AMOUNT_TOO_LOW.replace("{sum}", "BHD 9007199254740.991"));
		expect(refusalText(locale, ["AMOUNT_TOO_LOW"])).toBeUndefined();
	});
});

it.each([
	[undefined, "en"],
	["", "en"],
	["*", "en"],
	["sw-KE,sw;q=0.9,en;q=0.8", "sw"],
	["de-DE, fr;q=0.5, pt-BR;q=0.9", "pt"],
	["de, ja;q=0.9", "en"],
	["AM-et", "am"],
	["fr;q=0, pt;q=0.1", "pt"],
	["fr;q=0.2;level=1,sw;q=0.3", "sw"],
	[`${"de,".repeat(100)}fr`, "en"],
	["__proto__;q=1,constructor", "en"],
])("the language of Accept-Language %s is %s", (header, locale) => {
	expect(localeOf(header)).toBe(locale);
});
