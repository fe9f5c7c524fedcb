// The reference that is built with the Worker equals the reference that the service would make.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, startService } from "../../src/dev/service.ts";

type Model = { description?: string; examples?: [object]; discriminator?: { mapping: Record<string, string> } };
type Document = {
	servers: object[];
	paths: Record<string, Record<string, { summary: string; description: string }>>;
	components: { schemas: Record<string, Model> };
};

const statePath = mkdtempSync(path.join(tmpdir(), "api-reference-"));
let service: Service;

beforeAll(async () => {
	service = await startService({ port: 0, statePath, onLog() {} });
});

afterAll(async () => {
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
});

async function call<T>(pathname: string, headers: Record<string, string> = {}, body?: object): Promise<T> {
	const sent = body && { method: "POST", body: JSON.stringify(body) };
	const response = await fetch(`${service.url}${pathname}`, { ...sent, headers: { ...headers, "content-type": "application/json" } });
	expect(response.ok, pathname).toBe(true);
	return (await response.json()) as T;
}

const descriptionsIn = (schema: object): string[] =>
	[...JSON.stringify(schema).matchAll(/"description":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text) as string);

it("the reference is served from the assets of the bundle, with its texts and the address of the service", async () => {
	const response = await fetch(`${service.url}/openapi.json`);
	expect(response.headers.get("content-type")).toBe("application/json");
	expect(response.headers.get("cache-control")).toBe("public, max-age=300, stale-if-error=86100");
	const { servers, paths, components } = (await response.json()) as Document;
	expect(servers).toEqual([{ url: service.url }]);
	expect(paths).toHaveProperty(["/v1/sandbox/tokens"]);
	expect(paths["/healthz"]?.get).toMatchObject({
		summary: "Health of the service",
		description: expect.stringMatching(/^At most five seconds old/),
	});
	expect(descriptionsIn(components.schemas.WebhookEndpoint ?? {})).toContain("Active keys, newest first");
	const page = await fetch(`${service.url}/docs/health`);
	expect(page.headers.get("content-type")).toBe("text/html; charset=UTF-8");
	const text = await page.text();
	expect(text).toContain("Health of the service");
	expect(text).toContain(`curl ${service.url}/healthz`);
	expect((await fetch(`${service.url}/docs/reference.js`)).headers.get("content-type")).toBe("text/javascript; charset=UTF-8");
});

/** The document says in words which values an open enumeration has; the list of event types has them as an enumeration. */
const withoutValues = (description: string): string => description.replace(/(?:^|\. )`[^.]+` or a later one$/, "");

it("documents the event types as the service lists them", async () => {
	const { token } = await call<{ token: string }>("/v1/sandbox/tokens", {}, { kind: "operator", subject: "root" });
	const operator = { authorization: `Bearer ${token}` };
	const { id } = await call<{ id: string }>("/v1/platform/organizations", operator, { name: "Acme", slug: "lists" });
	const listed = await call<{ event: string; description: string; schema: object; example: object }[]>("/v1/webhooks/events/types", {
		...operator,
		"x-organization-id": id,
	});
	const { schemas } = (await call<Document>("/openapi.json")).components;
	expect(listed.length).toBeGreaterThan(20);
	for (const { event, description, schema, example } of listed) {
		const model = schemas.DeliveredEvent?.discriminator?.mapping[event]?.split("/").at(-1) ?? "";
		expect(schemas[model]?.description).toBe(description);
		const data = schemas[`${model}Data`];
		expect(data?.examples).toEqual([example]);
		// The document names a schema that several payloads share; the list has it in each of them.
		const named = JSON.parse(JSON.stringify(data ?? {}), (_, value) => schemas[value?.$ref?.split("/").at(-1)] ?? value);
		expect(descriptionsIn(schema)).toEqual(descriptionsIn(named).map(withoutValues).filter(Boolean));
	}
	expect(listed.flatMap(({ schema }) => descriptionsIn(schema))).not.toEqual([]);
});
