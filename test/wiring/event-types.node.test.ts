// The catalogue has every event type of every domain, once.

import { globSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CATEGORIES } from "../../src/shared/event-type";
import { eventTypes } from "../support/domains";

const root = path.join(import.meta.dirname, "../..");
const files = globSync("src/domains/**/events.ts", { cwd: root });

describe("the event catalogue", () => {
	it.each(files)("holds every event type of %s", async (file) => {
		const declared = Object.values<{ type: string }>(await import(path.join(root, file)));
		expect(declared.length).toBeGreaterThan(0);
		for (const eventType of declared)
			expect(eventTypes.get(eventType.type), `${eventType.type}: its file needs a row in src/wiring/domains.ts`).toBe(eventType);
	});

	it("keeps the category and the members of approval.outcome", () => {
		expect(eventTypes.get("approval.outcome")?.category).toBe("APPROVAL");
		expect(Object.keys(eventTypes.get("approval.outcome")?.data.shape ?? {})).toEqual([
			"approval_request_id",
			"approval_type",
			"entity_type",
			"entity_id",
			"decision",
		]);
	});
});

describe.each([...eventTypes.values()].map((eventType) => [eventType.type, eventType] as const))("%s", (type, eventType) => {
	it("is named in lower case and has a category and a description", () => {
		expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
		expect(CATEGORIES).toContain(eventType.category);
		expect(eventType.description).not.toBe("");
	});

	it("has an example that its schema accepts without dropping a member", () => {
		expect(eventType.data.parse(eventType.example)).toEqual(eventType.example);
	});

	it("has a JSON Schema that describes every member of the example and refers to no other schema", () => {
		const schema = eventType.jsonSchema();
		expect(Object.keys(schema.properties as object).toSorted()).toEqual(Object.keys(eventType.example).toSorted());
		expect(JSON.stringify(schema)).not.toContain("$ref");
		expect(eventType.jsonSchema()).toBe(schema);
	});
});
