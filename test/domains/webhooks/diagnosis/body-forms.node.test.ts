// In which other forms a receiver may have read the body.

import { describe, expect, it } from "vitest";
import { otherForms } from "../../../../src/domains/webhooks/diagnosis/body-forms.policy";

const formsOf = (body: string) => new Map(otherForms(body));

describe("otherForms", () => {
	it("never lists the body itself", () => {
		for (const body of ["", "{}", "a", '{"a":1}', '{\n  "a": 1\n}', "[1]", "\ufeff{}"]) {
			expect([...formsOf(body).values()]).not.toContain(body);
		}
	});

	it("sorts members at every depth and keeps the order of arrays", () => {
		const forms = formsOf('{"b":[{"d":1,"c":2},0],"a":null}');
		expect(forms.get("as compact JSON with its members sorted by name")).toBe('{"a":null,"b":[{"c":2,"d":1},0]}');
	});

	it("puts the envelope's members into the order in which they are sent, and unknown ones after them", () => {
		const forms = formsOf('{"data":{"z":1,"a":2},"x":0,"event_type":"e","delivery_id":"d"}');
		expect(forms.get("as compact JSON with its members in the order of the delivery")).toBe(
			'{"delivery_id":"d","event_type":"e","data":{"z":1,"a":2},"x":0}',
		);
	});

	it("has only plain-text forms for a body that is not JSON, or that requests may not contain either", () => {
		for (const body of ["no JSON", '{ "__proto__": 1 }', '{ "a": 1, "a": 2 }', "[".repeat(33) + "]".repeat(33), "[".repeat(4_000)]) {
			for (const form of formsOf(body).keys()) expect(form).not.toContain("JSON");
		}
	});

	it("indents as JSON.stringify does when the result is at most four times as long as the body", () => {
		const value = { a: { b: Array.from({ length: 500 }, (_, i) => ({ id: i, tags: ["x", {}], none: [] })) } };
		const body = JSON.stringify(value);
		expect(JSON.stringify(value, null, 2).length).toBeLessThan(4 * body.length);
		expect(JSON.stringify(value, null, 4).length).toBeGreaterThan(4 * body.length);
		const forms = formsOf(body);
		expect(forms.get("as JSON indented by two spaces")).toBe(JSON.stringify(value, null, 2));
		expect(forms.get("as JSON indented by tabs")).toBe(JSON.stringify(value, null, "\t"));
		expect(forms.has("as JSON indented by four spaces")).toBe(false);
	});

	it("makes no form longer than four times the body, for every body", () => {
		const full = (text: string) => text.repeat(Math.floor(65_536 / text.length));
		const nested = `${"[".repeat(31)}${JSON.stringify(Array(32_000).fill(0))}${"]".repeat(31)}`;
		const hostile = [
			nested,
			full("["),
			full('[{"a":'),
			`[${full("1e20,")}0]`,
			JSON.stringify(full("\u00e9")),
			full("\n"),
			`"${full("/")}"`,
		];
		for (const body of hostile) {
			for (const [form, text] of otherForms(body)) expect(text.length, form).toBeLessThanOrEqual(4 * body.length);
		}
	});
});
