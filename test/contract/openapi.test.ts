import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openapi } from "../../src/http/openapi";
import { errorsOf } from "../../src/http/operation";
import { eventTypes, operations } from "../../src/wiring/domains";

const document = openapi(operations, eventTypes, "http://localhost");

describe("the OpenAPI document", () => {
	it("is served and contains every operation once", async () => {
		const response = await exports.default.fetch("http://localhost/openapi.json");
		const served = (await response.json()) as typeof document;
		const ids = Object.values(served.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
		expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
		expect(new Set(ids).size).toBe(ids.length);
	});

	it.each(operations.map((op) => [op.id, op] as const))("lists the success status and the errors of %s", (_, op) => {
		const documented = document.paths[op.path]?.[op.method.toLowerCase()] as { responses: Record<string, { description: string }> };
		const codes = Object.values(documented.responses).flatMap(({ description }) => description.split(", "));
		expect(codes).toEqual(expect.arrayContaining(errorsOf(op)));
		expect(documented.responses).toHaveProperty(String(op.status ?? (op.response ? 200 : 204)));
	});

	it("has no dangling references", () => {
		const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
		for (const name of references) expect(document.components.schemas).toHaveProperty(name ?? "");
		expect(JSON.stringify(document)).not.toContain("#/$defs");
	});
});

describe("the webhooks of the OpenAPI document", () => {
	type Delivery = {
		parameters: { name: string; in: string; required: boolean }[];
		requestBody: { content: { "application/json": { schema: Envelope; example: Record<string, unknown> } } };
		responses: Record<string, unknown>;
	};
	type Envelope = { properties: Record<string, Record<string, unknown>>; required: string[] };
	const deliveryOf = (type: string) => document.webhooks[type]?.post as unknown as Delivery;

	it("are the event types, those without a subscription included", () => {
		expect(Object.keys(document.webhooks).toSorted()).toEqual([...eventTypes.keys()].toSorted());
		expect(document.webhooks).toHaveProperty(["webhook.test"]);
	});

	it.each([...eventTypes.values()].map((eventType) => [eventType.type, eventType] as const))(
		"describe the envelope, the headers and the answers of %s",
		(type, { data, example }) => {
			const { parameters, requestBody, responses } = deliveryOf(type);
			const { schema, example: envelope } = requestBody.content["application/json"];
			const members = ["delivery_id", "event_type", "payload_version", "sent_at", "organization_id", "data"];
			expect(Object.keys(schema.properties)).toEqual(members);
			expect(schema.required).toEqual(members);
			expect(schema.properties.event_type).toMatchObject({ const: type });
			expect(Object.keys(schema.properties.data?.properties ?? {})).toEqual(Object.keys(data.shape));
			// Members may be added later, so a receiver that validates by this schema must not refuse them.
			expect(JSON.stringify(schema)).not.toContain("additionalProperties");
			expect(Object.keys(envelope)).toEqual(members);
			expect(envelope.data).toEqual(example);
			expect(parameters.map(({ name, required }) => [name.toLowerCase(), required])).toEqual([
				["x-service-signature", true],
				["x-service-event-type", true],
				["x-service-delivery-id", true],
			]);
			expect(Object.keys(responses)).toEqual(["2XX", "default"]);
		},
	);

	it("are served", async () => {
		const response = await exports.default.fetch("http://localhost/openapi.json");
		expect(((await response.json()) as typeof document).webhooks).toEqual(document.webhooks);
	});
});

describe("the API reference", () => {
	it("is one page without scripts and shows every operation", async () => {
		const response = await exports.default.fetch("http://localhost/docs", { headers: { "x-request-id": "reader-1" } });
		const page = await response.text();
		expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
		expect(response.headers.get("x-request-id")).toBe("reader-1");
		expect(page).not.toMatch(/<script|https?:\/\/(?!localhost)/);
		for (const op of operations) expect(page).toContain(`id="${op.id}"`);
	});
});
