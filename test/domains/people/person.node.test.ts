// By what a person is found, and what of a typed text is about them.

import { describe, expect, it } from "vitest";
import { addressesOf, isTypedOf } from "../../../src/domains/people/person.policy";

const addresses = addressesOf({ numbers: ["+254711223344"], mails: ["Wanjiru@example.com"] });

describe("what was typed instead of an account's number", () => {
	it.each([
		"0711223344",
		"0711 223-344",
		"+254711223344",
		"254711223344 rent",
		"711223344",
		"wanjiru@EXAMPLE.com",
		"WANJIRU  plantagenet",
		"RENTWANJIRUPLANTAGENET",
	])("names the person: %s", (text) => expect(isTypedOf({ addresses, names: ["Wanjiru Plantagenet"] }, text)).toBe(true));

	it.each(["1000711223344", "1000 7112 23344", "0722000111", "rent", "", "[erased]"])("does not name them: %s", (text) =>
		expect(isTypedOf({ addresses, names: ["Wanjiru Plantagenet"] }, text)).toBe(false),
	);

	it.each([
		["Ann", "Joanna"],
		["Ann A", "Joanna Wanjiru"],
		["Li Na", "Carolina"],
		["0 7", "0722 000 111"],
		["100 200 300", "100200300400"],
	])("is not that of %s, whose short name or digits stand by chance in another's: %s", (name, text) =>
		expect(isTypedOf({ addresses: [], names: [name] }, text)).toBe(false),
	);

	it("is that of a short name if it is nothing else", () => expect(isTypedOf({ addresses: [], names: ["Li Na"] }, "LI  NA")).toBe(true));
});
