// The OpenAPI document says what the operations do, and the reference page shows it.

import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { errorsOf, mayBeHeld, successesOf } from "../../src/http/operation";

import { published } from "../../src/http/reference/openapi.published";
import { document } from "../support/document";
import { eventTypes, operations } from "../support/domains";
import { servePath } from "../support/serve";

type Content = Record<string, { schema: { allOf: [unknown, { properties: { code: { enum: string[] } } }] } }>;

/** The codes of a refusal that operations share. */
function codesOf(reference: string): string[] {
	const { content } = document.components.responses[reference.split("/").at(-1) ?? ""] as { content: Content };
	const codes = Object.values(content).map(({ schema }) => schema.allOf[1].properties.code.enum);
	expect(codes[0]).toEqual(codes[1]);
	return codes[0] ?? [];
}

let asked: typeof document | undefined;
/** Asked for by the first test that reads it, because the service forgets it between two tests. */
async function servedDocument(): Promise<typeof document> {
	asked ??= (await (await exports.default.fetch("http://localhost/openapi.json")).json()) as typeof document;
	return asked;
}

describe("the OpenAPI document", () => {
	it("is served and contains every operation once", async () => {
		const ids = Object.values((await servedDocument()).paths).flatMap((methods) =>
			Object.values(methods).map(({ operationId }) => operationId),
		);
		expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
		expect(new Set(ids).size).toBe(ids.length);
	});

	it.each(operations.map((op) => [op.id, op] as const))("lists the success status and the errors of %s", (_, op) => {
		const documented = document.paths[op.path]?.[op.method.toLowerCase()] as { responses: Record<string, { $ref?: string }> };
		const codes = Object.values(documented.responses).flatMap(({ $ref }) => ($ref ? codesOf($ref) : []));
		expect([...new Set(codes)].toSorted()).toEqual(errorsOf(op).toSorted());
		for (const status of successesOf(op).keys()) expect(documented.responses).toHaveProperty(String(status));
	});

	it("groups the operations under headings in words, each of which is listed once", () => {
		const used = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags as string[]));
		const listed = document.tags.map(({ name }) => name);
		expect(listed).toEqual([...new Set(used)].sort());
		for (const name of listed) expect(name).toMatch(/^[A-Z][a-z]+([ -][a-z]+)*$/);
		const tagsOf = (path: string) => Object.values(document.paths[path] ?? {}).flatMap(({ tags }) => tags);
		expect(tagsOf("/v1/accounts/loan/applications/partner")).toEqual(["Loans"]);
		expect(tagsOf("/v1/user/accounts/current")).toEqual(["Current accounts", "Current accounts"]);
	});

	it("documents the 200 of a repeated application and of a repeated payment, with their bodies", () => {
		for (const path of ["/v1/accounts/loan/applications/partner", "/v1/repayments"] as const) {
			const post = document.paths[path]?.post as { responses: Record<string, { content: Content }> } | undefined;
			const responses = post?.responses ?? {};
			const [again, first] = ["200", "201"].map((status) => responses[status]?.content["application/json"]?.schema);
			expect(again).toEqual(first);
			expect(Object.keys(responses).filter((status) => status < "300")).toEqual(["200", "201", "202"]);
		}
	});

	it("documents the 304 of exactly those operations that answer with an entity tag, and the headers that name one", () => {
		for (const op of operations) {
			const documented = document.paths[op.path]?.[op.method.toLowerCase()] as {
				responses: Record<string, { headers?: object; content?: unknown }>;
				parameters: { name: string; in: string }[];
			};
			const { responses, parameters } = documented;
			const tagged = op.method === "GET";
			expect({ id: op.id, has304: "304" in responses }).toEqual({ id: op.id, has304: tagged });
			if (tagged) expect(responses["304"]).not.toHaveProperty("content");
			for (const status of tagged ? ["200", "304"] : []) expect(responses[status]?.headers).toHaveProperty("ETag");
			const named = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
			expect(named.includes("If-None-Match")).toBe(tagged);
			expect(named.includes("If-Match")).toBe(errorsOf(op).includes("PRECONDITION_FAILED"));
		}
	});

	it("documents the 202 of exactly those operations that may be held, with where the request for approval is", () => {
		const approval = { $ref: "#/components/schemas/Approval" };
		for (const op of operations) {
			const documented = document.paths[op.path]?.[op.method.toLowerCase()] as {
				responses: Record<string, { headers?: object; content?: { "application/json": { schema: unknown } } }>;
			};
			const { headers, content } = documented.responses["202"] ?? {};
			expect({ id: op.id, located: "Location" in (headers ?? {}) }).toEqual({
				id: op.id,
				located: mayBeHeld(op) || (!!op.location && successesOf(op).has(202)),
			});
			for (const status of op.location ? successesOf(op).keys() : [])
				expect(documented.responses[status]?.headers, op.id).toHaveProperty("Location");
			if (!mayBeHeld(op)) continue;
			const schema = content?.["application/json"].schema;
			if (successesOf(op).has(202)) expect(schema).toMatchObject({ anyOf: [expect.anything(), approval] });
			else expect(schema).toEqual(approval);
		}
	});

	it("documents each refusal as an Error body and as a problem document", () => {
		const refusals = Object.values(document.components.responses) as { content: Content }[];
		expect(refusals.length).toBeGreaterThan(20);
		for (const { content } of refusals) {
			expect(Object.entries(content).map(([type, { schema }]) => [type, schema.allOf[0]])).toEqual([
				["application/json", { $ref: "#/components/schemas/ApiError" }],
				["application/problem+json", { $ref: "#/components/schemas/Problem" }],
			]);
		}
	});

	it("has the operations that exist in the environment, and no others", { tags: ["thorough"] }, async () => {
		const outside = { MESSAGE_SENDER_URL: "https://sms.example", MESSAGE_SENDER_TOKEN: "t", DISBURSER_URL: "https://d.example" };
		const deployed = { BASE_URL: "https://service.example", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on", ...outside };
		const pathsIn = async (ENVIRONMENT: string) =>
			Object.keys(((await (await servePath("/openapi.json", {}, { ...deployed, ENVIRONMENT })).json()) as typeof document).paths);
		const sandboxIn = async (environment: string) => (await pathsIn(environment)).filter((path) => path.startsWith("/v1/sandbox/")).sort();
		for (const environment of ["local", "sandbox"])
			expect(await sandboxIn(environment)).toEqual(
				["clock", "deliveries", "messages", "payments", "tokens"].map((name) => `/v1/sandbox/${name}`),
			);
		expect(await sandboxIn("production")).toEqual([]);
	});

	it("has a contact with an address, which is that of its reference", async () => {
		const { info, servers } = (await servedDocument()) as unknown as {
			info: { contact: { name: string; url: string } };
			servers: { url: string }[];
		};
		const { contact } = info;
		expect(contact.url).toBe(`${servers[0]?.url}/docs`);
		expect((await exports.default.fetch(contact.url)).status).toBe(200);
	});

	it("has no dangling references", () => {
		const text = JSON.stringify(document);
		for (const [, kind = "", name = ""] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
			expect(document.components[kind as keyof typeof document.components]).toHaveProperty([name]);
		}
		expect(text).not.toContain("#/$defs");
	});

	it("has no schema that contains itself, which generators of clients refuse, and no bound that every number has", () => {
		const references = (schema: unknown) =>
			[...JSON.stringify(schema).matchAll(/#\/components\/schemas\/([^"]+)"/g)].map(([, name = ""]) => name);
		const visit = (name: string, above: readonly string[]) => {
			expect(above).not.toContain(name);
			for (const inner of references(document.components.schemas[name])) visit(inner, [...above, name]);
		};
		for (const name of Object.keys(document.components.schemas)) visit(name, []);
		expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
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
				["webhook-id", true],
				["webhook-timestamp", true],
				["webhook-signature", true],
			]);
			expect(Object.keys(responses)).toEqual(["2XX", "default"]);
		},
	);

	it("are served", async () => {
		expect((await servedDocument()).webhooks).toEqual(published(document).webhooks);
	});
});

describe("the API reference", () => {
	const page = (path: string, init?: RequestInit) => exports.default.fetch(`http://localhost/docs${path}`, init);

	it("is served as pages that run no script but their own, with the address of the service", async () => {
		const response = await page("", { headers: { "x-request-id": "reader-1" } });
		expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
		expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
		expect(response.headers.get("x-request-id")).toBe("reader-1");
		expect(await response.text()).toContain("curl -s $API/v1/me");
		const loans = await (await page("/loans")).text();
		expect(loans).toContain("curl http://localhost/v1/accounts/loan");
		expect(loans).not.toMatch(/<script>|\s(?:on\w+|style)="/);
		expect((await page("/reference.css")).headers.get("content-type")).toBe("text/css; charset=UTF-8");
		expect((await page("/search.json")).headers.get("content-type")).toBe("application/json");
		for (const path of ["/nothing", "/guides/nothing", "/..%2fopenapi.json", "/reference.html"])
			expect((await page(path)).status).toBe(404);
	});

	it("is where the type of a problem document leads", async () => {
		const refused = await exports.default.fetch("http://localhost/v1/me", { headers: { accept: "application/problem+json" } });
		const { type } = (await refused.json()) as { type: string };
		expect(type).toBe("http://localhost/docs/errors#UNAUTHORISED");
		expect(await (await exports.default.fetch(type)).text()).toContain('id="UNAUTHORISED"');
	});
});
