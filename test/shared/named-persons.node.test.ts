// Persons in texts: who is found, and what is left.

import { expect, it } from "vitest";
import { namedIn, withoutAddresses } from "../../src/shared/named-persons";

const ID = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11";

it.each([
	[
		"JSON",
		`{"type":"SEND_MONEY","mobile_number":"+254711223344","account_id":"${ID}","at":"2026-11-27T12:00:00.000Z","amount":1732740000000,"note":"for Wanjiru"}`,
		["254711223344"],
		`{"type":"SEND_MONEY","mobile_number":"[erased]","account_id":"${ID}","at":"2026-11-27T12:00:00.000Z","amount":1732740000000,"note":"[erased]"}`,
	],
	["JSON with a name", '{"payer":{"Name":"Wanjiru \\"W\\" P"}}', ['wanjiru \\"w\\" p'], '{"payer":{"Name":"[erased]"}}'],
	["JSON with an id alone", `{"user_id":"${ID}","state":"ok"}`, [ID], `{"user_id":"${ID}","state":"ok"}`],
	["a name that a payer typed", '{"account_reference":"Wanjiru P"}', ["wanjiru p"], '{"account_reference":"[erased]"}'],
	["a number that a payer typed", '{"account_reference":"0711 223-344"}', ["0711223344"], '{"account_reference":"[erased]"}'],
	["a reference of nobody", '{"account_reference":"07-typo"}', [], '{"account_reference":"07-typo"}'],
	["a text", "Call Wanjiru at 254711223344, or W.P@example.com.", ["254711223344", "w.p@example.com"], "[erased]"],
	[
		"a number before an address",
		"254711223344/w@example.com, @w@example.com.",
		["254711223344", "254711223344/w@example.com", "@w@example.com"],
		"[erased]",
	],
	["JSON that is cut off", '{"name":"Wanjiru","note":"for Wan', ["wanjiru"], '{"name":"[erased]","note":"[erased]"'],
	["what is no address", "@ . .. w@ w@... @w", [], "@ . .. w@ w@... @w"],
	["a text of nobody", "order 12345678 is taken, 1.234.567", [], "order 12345678 is taken, 1.234.567"],
])("finds whom %s names", (_, text, subjects, without) => {
	expect(namedIn(text)).toEqual({ subjects, without });
});

it("takes numbers and mail addresses out of a provider's words, and leaves codes and amounts", () => {
	const said = "0711 223-344 (+254711223344, w.p@example.com) refused AG_20261127_1234567890 over 70,000 at 12:30: RECIPIENT_UNREACHABLE";
	expect(withoutAddresses(said)).toBe(
		"[erased] ([erased], [erased]) refused AG_20261127_1234567890 over 70,000 at 12:30: RECIPIENT_UNREACHABLE",
	);
});

it("takes fifty keys at most, and leaves none of the others", () => {
	const numbers = Array.from({ length: 80 }, (_, index) => `+2547000000${String(index).padStart(2, "0")}`);
	const { subjects, without } = namedIn(JSON.stringify(numbers));
	expect(subjects).toHaveLength(50);
	expect(without).not.toMatch(/\d/);
});

it.each(["a", "@", ".", "@.", "a@", '\\"', '"name":"\\"', "1", "1 ", "+1-"])(
	"reads a text of a million characters in one pass: %s",
	{ tags: ["thorough"] },
	(piece) => {
		const text = `{"subject":"${piece.repeat(1_000_000 / piece.length)}`;
		// Time that grows with the square of the length would be hours.
		expect(namedIn(text).subjects.length).toBeLessThan(51);
		expect(withoutAddresses(text)).not.toBe("");
	},
);
