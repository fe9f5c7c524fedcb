import { describe, expect, it } from "vitest";
import { otherForms } from "../../../../src/domains/webhooks/diagnosis/body-forms.policy";

describe("otherForms", () => {
	it("never lists the body itself", () => {
		for (const body of ["", "{}", "a", '{"a":1}', '{\n  "a": 1\n}', "[1]", "\ufeff{}"]) {
			expect([...otherForms(body).values()]).not.toContain(body);
		}
	});

	it("sorts members at every depth and keeps the order of arrays", () => {
		const forms = otherForms('{"b":[{"d":1,"c":2},0],"a":null}');
		expect(forms.get("as compact JSON with its members sorted by name")).toBe('{"a":null,"b":[{"c":2,"d":1},0]}');
	});

	it("puts the envelope's members into the order in which they are sent, and unknown ones after them", () => {
		const forms = otherForms('{"data":{"z":1,"a":2},"x":0,"event_type":"e","delivery_id":"d"}');
		expect(forms.get("as compact JSON with its members in the order of the delivery")).toBe(
			'{"delivery_id":"d","event_type":"e","data":{"z":1,"a":2},"x":0}',
		);
	});

	it("keeps a member named __proto__", () => {
		expect(otherForms('{ "__proto__": 1 }').get("as compact JSON with its members sorted by name")).toBe('{"__proto__":1}');
	});

	it("has only plain-text forms for a body that is not JSON", () => {
		for (const form of otherForms("no JSON").keys()) expect(form).not.toContain("JSON");
	});
});
