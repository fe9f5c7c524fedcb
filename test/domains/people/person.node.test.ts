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

	it("is not that of another person in whose text a short name stands by chance", () =>
		expect(isTypedOf({ addresses: [], names: ["Ann"] }, "Joanna")).toBe(false));
});
