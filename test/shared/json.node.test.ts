// Hostile JSON is refused; equal values have equal texts.

import { describe, expect, it } from "vitest";
import { canonicalJson, parseJson } from "../../src/shared/json";

describe("parseJson", () => {
	it.each([
		["an object", '{"a":[1,{"b":null}],"c":"\\u00e9 \\ud83d\\ude00"}'],
		["the same name in two objects", '[{"a":1},{"a":2},{"b":{"a":3}}]'],
		["a name that is a value elsewhere", '{"a":"b","b":"a"}'],
		["brackets and colons in strings", '{"a":"{[:\\"]}","b:":"\\\\"}'],
		["32 levels", `${"[".repeat(32)}${"]".repeat(32)}`],
		["a bare value", "12"],
	])("parses %s as JSON.parse does", (_, text) => {
		expect(parseJson(text)).toEqual(JSON.parse(text));
	});

	it.each([
		["an empty text", "", "valid JSON"],
		["trailing text", "{} x", "valid JSON"],
		["two values", "{}{}", "valid JSON"],
		["a trailing comma", '{"a":1,}', "valid JSON"],
		["NaN", '{"a":NaN}', "valid JSON"],
		["a duplicate member", '{"a":1,"a":2}', "duplicate member"],
		["a duplicate member, once escaped", '{"a":1,"\\u0061":2}', "duplicate member"],
		["a nested duplicate member", '[{"x":{"a":[],"a":{}}}]', "duplicate member"],
		["__proto__", '{"__proto__":{"admin":true}}', "__proto__"],
		["an escaped __proto__", '{"\\u005f_proto__":1}', "__proto__"],
		["a lone surrogate", '{"a":"\\ud800"}', "surrogate"],
		["a lone surrogate in a name", '{"\\udc00":1}', "surrogate"],
		["a NUL", '{"a":"\\u0000"}', "NUL"],
		["33 levels", `${"[".repeat(33)}${"]".repeat(33)}`, "32 levels"],
		["100,000 levels", "[".repeat(100_000) + "]".repeat(100_000), "levels"],
	])("rejects %s", (_, text, reason) => {
		expect(() => parseJson(text)).toThrow(reason);
	});
});

describe("canonicalJson", () => {
	it("ignores the order of members and keeps that of elements", () => {
		expect(canonicalJson({ b: [2, 1], a: { d: null, c: "x" } })).toBe('{"a":{"c":"x","d":null},"b":[2,1]}');
	});
});
