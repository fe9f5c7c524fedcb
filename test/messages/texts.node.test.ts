// Texts for people: that each language has all of them, and which language somebody gets.

import { describe, expect, it } from "vitest";
import { MESSAGE_KEYS, MESSAGES, type Message } from "../../src/messages/catalogue";
import { namesIn, readPattern } from "../../src/messages/pattern";
import { CATALOGUES, localeOf, messageText, payBillText, refusalText } from "../../src/messages/texts";
import { LOCALES, type Locale } from "../../src/shared/locale";

const holesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();

const LARGEST: Readonly<Record<Locale, string>> = {
	en: "BHD 9,007,199,254,740.991",
	sw: "BHD 9,007,199,254,740.991",
	fr: "9 007 199 254 740,991 BHD",
	pt: "9 007 199 254 740,991 BHD",
	am: "BHD 9,007,199,254,740.991",
};

const FILLED = {
	sum: { amount: Number.MAX_SAFE_INTEGER, currency: "BHD" },
	moment: Date.UTC(2027, 8, 30, 23, 59),
	number: 1_000_000,
	text: "x".repeat(100),
};
/** Every message with the longest values. */
const LONGEST = MESSAGE_KEYS.map(
	(key) => ({ key, values: Object.fromEntries(Object.entries(MESSAGES[key]).map(([name, kind]) => [name, FILLED[kind]])) }) as Message,
);

describe.each(LOCALES)("the texts in %s", (locale) => {
	const { refusals, reviewed } = CATALOGUES[locale];

	it("have the amounts of the English ones, end as sentences, and are reviewed only in English", () => {
		for (const [reason, text] of Object.entries(refusals)) {
			expect(holesOf(text), reason).toEqual(holesOf(CATALOGUES.en.refusals[reason as keyof typeof refusals]));
			expect(text, reason).toMatch(/^\S.*[.።]$/);
		}
		expect(reviewed).toBe(locale === "en");
	});

	it("say each message with all that belongs into it, and in the forms that the language counts with", () => {
		const { messages } = CATALOGUES[locale];
		expect(Object.keys(messages).sort()).toEqual([...MESSAGE_KEYS].sort());
		const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
		for (const key of MESSAGE_KEYS) {
			const pattern = readPattern(messages[key]);
			expect([...namesIn(pattern)].sort(), key).toEqual(Object.keys(MESSAGES[key]).sort());
			for (const part of pattern)
				for (const form of typeof part === "object" && "forms" in part ? Object.keys(part.forms) : [])
					expect(pluralCategories).toContain(form);
			expect(messages[key], key).toMatch(/[.።]$|\{link\}$/);
		}
	});

	it("name the lender, however it is called, and are as long as an SMS may be", () => {
		const lender = "{code} $& L'Union des mutuelles d'épargne et de crédit ".repeat(2).slice(0, 100);
		for (const message of LONGEST) {
			const text = messageText(locale, message, { lender });
			expect(text.split(lender), message.key).toHaveLength(2);
			const alone = messageText(locale, message, {});
			expect(alone, message.key).not.toMatch(/[{}#]/);
			expect(text.endsWith(alone)).toBe(true);
			// The room of ten SMS, of which each has 67 characters in another alphabet than the Latin one, and 153 in that.
			expect(text.length, message.key).toBeLessThan(locale === "am" ? 670 : 1_530);
			expect(text).not.toMatch(/[\u00a0\u202f]/);
		}
		expect(payBillText(locale, "600000", "1058467591027")).toMatch(/600000.*1058467591027/);
	});

	it("have the closest reason, with an amount where they need one", () => {
		expect(refusalText(locale, ["OTP_WRONG", "BAD_REQUEST"])).toBe(refusals.OTP_WRONG);
		expect(refusalText(locale, ["NOT_A_REASON", "WAITING_LIST"])).toBe(refusals.WAITING_LIST);
		expect(refusalText(locale, ["REQUIRED", "BAD_REQUEST"])).toBeUndefined();
		const sum = { amount: Number.MAX_SAFE_INTEGER, currency: "BHD" };
		expect(refusalText(locale, ["AMOUNT_TOO_LOW"], sum)).toBe(refusals.AMOUNT_TOO_LOW.replace("{sum}", LARGEST[locale]));
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

it.each([
	["en", "KES", "KES 1,234,567.05", "15 January 2027 at 08:00 UTC"],
	["sw", "UGX", "UGX 123,456,705", "15 Januari 2027 saa 08:00 UTC"],
	["fr", "XAF", "123 456 705 XAF", "15 janvier 2027 à 08:00 UTC"],
	["pt", "MZN", "1 234 567,05 MZN", "15 de janeiro de 2027 às 08:00 UTC"],
	["am", "ETB", "ETB 1,234,567.05", "15 ጃንዋሪ 2027 08:00 UTC"],
] as const)("amounts and dates in %s are written as where it is spoken", (locale, currency, sum, moment) => {
	const paid = { key: "LOAN_PAID_OUT", values: { sum: { amount: 123_456_705, currency } } } as const;
	expect(messageText(locale, paid, { own: "{sum}" })).toBe(sum);
	expect(messageText(locale, { key: "RECOVERY_ORDERED", values: { moment: 1.8e12 } }, { own: "{moment}" })).toBe(moment);
});

it("a code counts its minutes, and a lender's own text may name the lender where it likes", () => {
	const code = (minutes: number) => ({ key: "CODE", values: { code: "012345", minutes } }) as const;
	expect(messageText("en", code(1), { lender: "Umoja" })).toBe("Umoja: 012345 is your code. It is valid for 1 minute. Never share it.");
	expect(messageText("fr", code(5), {})).toBe("012345 est votre code. Il est valable 5 minutes. Ne le communiquez à personne.");
	const own = "{code} for {lender}, {minutes, plural, one {a minute} other {# minutes}}";
	expect(messageText("en", code(1), { lender: "Umoja", own })).toBe("012345 for Umoja, a minute");
	expect(messageText("en", code(2_000), { lender: "Umoja", own })).toBe("012345 for Umoja, 2,000 minutes");
});

it.each([
	["{", "has a { without a name"],
	["}", "has a } without its {"],
	["{sum", "must end with }"],
	["{n, plural}", "must end with }"],
	["{n, plural, one {#}}", "needs the form other"],
	["{n, plural, some {#} other {#}}", "some is no form"],
	["{n, plural, other {{m, plural, other {#}}}}", "must end with }"],
	["{n, plural, other {#}", "does not end with }"],
	["{n, plural, other {#", "does not end with }"],
	["{n, select, other {#}}", "must end with }"],
])("the text %s is refused", (text, why) => {
	expect(() => readPattern(text)).toThrow(why);
});
