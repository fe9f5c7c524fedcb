// Which colours, fonts and images a brand may have, as pure rules.

import { describe, expect, it } from "vitest";
import { FONT_FAMILY, HEX_COLOR, hasLowContrast, isPublicUrl } from "../../../src/domains/branding/policy";

describe("a colour", () => {
	it.each(["#fff", "#FFFFFF", "#0A7D3880"])("may be %s", (color) => expect(color).toMatch(HEX_COLOR));
	it.each(["fff", "#ffff", "#ggg", "#fffff", "red", "#fff;", "#fff\n", ""])("is refused: %j", (color) =>
		expect(color).not.toMatch(HEX_COLOR),
	);
});

describe("a font family", () => {
	it("has only characters that cannot end a CSS declaration", () => {
		expect(`"Noto Sans", 'Open-Sans', serif_2`).toMatch(FONT_FAMILY);
		for (const text of ["a;b", "a}b", "a/*b", "url(x)", "a\\b", "", "x".repeat(101)]) expect(text).not.toMatch(FONT_FAMILY);
	});

	it("has its quotes in pairs, around whole names", () => {
		for (const text of ['Noto Sans, "Open Sans" , serif', "'A','B'", '"A B"', "a-b_c 1"]) expect(text).toMatch(FONT_FAMILY);
		for (const text of ['"a', "a'", `"a'`, `'a", "b'`, 'a"b"', '"a"b', '""', "a,", ",a", "a,,b", `"it's"`, `'say "x"'`, "'"])
			expect(text, text).not.toMatch(FONT_FAMILY);
	});
});

describe("an image URL", () => {
	it.each(["https://cdn.example/logo.svg", "https://cdn.example:8443/a?b=c"])("may be %s", (url) => expect(isPublicUrl(url)).toBe(true));
	it.each([
		"http://cdn.example/logo.svg",
		"https://user@cdn.example/",
		"https://127.0.0.1/",
		"https://[2606:4700::1]/",
		"https://2130706433/",
		"https://localhost/",
		"https://printer.local/",
		"javascript:alert(1)",
		"https://cdn.example/\nx",
		"",
	])("is refused: %j", (url) => expect(isPublicUrl(url)).toBe(false));
});

describe("contrast", () => {
	it.each([
		["#000", null, false],
		["#fff", null, true],
		["#ffff00", null, true],
		// The last grey that has 3:1 against white, and the next one.
		["#949494", null, false],
		["#959595", null, true],
		["#000", "#111111", true],
		["#000", "#FFFFFF", false],
		// Black that is almost transparent looks white.
		["#00000010", null, true],
		["#000000ff", "#ffffff00", false],
	])("of %s next to %s is low: %s", (primary, secondary, low) => expect(hasLowContrast(primary, secondary)).toBe(low));
});
