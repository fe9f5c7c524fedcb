import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openapi } from "../../src/http/openapi";
import { errorsOf } from "../../src/http/operation";
import { operations } from "../../src/wiring/app";

const document = openapi(operations, "http://localhost");

describe("the OpenAPI document", () => {
	it("is served and holds every operation once", async () => {
		const response = await exports.default.fetch("http://localhost/openapi.json");
		const served = (await response.json()) as typeof document;
		const ids = Object.values(served.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
		expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
		expect(new Set(ids).size).toBe(ids.length);
	});

	it.each(operations.map((op) => [op.id, op] as const))("names the answers and errors of %s", (_, op) => {
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

describe("the API reference", () => {
	it("is one page without scripts that shows every operation", async () => {
		const response = await exports.default.fetch("http://localhost/docs", { headers: { "x-request-id": "reader-1" } });
		const page = await response.text();
		expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
		expect(response.headers.get("x-request-id")).toBe("reader-1");
		expect(page).not.toMatch(/<script|https?:\/\/(?!localhost)/);
		for (const op of operations) expect(page).toContain(`id="${op.id}"`);
	});
});
