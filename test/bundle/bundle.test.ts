// The Worker as it is deployed, with its chunks, its assets and the bindings of its own configuration. All other tests run the sources.

import { applyD1Migrations, env, SELF } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";

/** Sandbox tokens are issued on loopback addresses alone. */
const ORIGIN = "http://127.0.0.1";

beforeAll(() => applyD1Migrations(env.DB, env.TEST_MIGRATIONS));

type Operations = Record<string, { readonly operationId: string }>;

async function call<T>(pathname: string, token?: string, body?: object): Promise<T> {
	const response = await SELF.fetch(`${ORIGIN}${pathname}`, {
		method: body ? "POST" : "GET",
		headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
		...(body && { body: JSON.stringify(body) }),
	});
	expect(response.ok, `${pathname} answered ${response.status}`).toBe(true);
	return response.json();
}

it("the Worker as built serves the reference from its assets", async () => {
	const page = await SELF.fetch(`${ORIGIN}/docs/health`);
	expect(page.headers.get("content-type")).toBe("text/html; charset=UTF-8");
	expect(await page.text()).toContain("Health of the service");
	expect(await call("/openapi.json")).toMatchObject({ servers: [{ url: ORIGIN }], openapi: expect.stringMatching(/^3\.1/) });
	// Assets are not served by their own names.
	expect((await SELF.fetch(`${ORIGIN}/production/openapi.json`)).status).toBe(404);
});

it("the Worker as built serves every page of the console as one document under its policy, and what that loads for ever", async () => {
	const [home, deep] = await Promise.all(["/console", "/console/endpoints/one"].map((path) => SELF.fetch(`${ORIGIN}${path}`)));
	const document = (await home?.text()) ?? "";
	expect(await deep?.text()).toBe(document);
	const policy = home?.headers.get("content-security-policy");
	expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';");
	expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
	expect(Object.fromEntries(home?.headers ?? [])).toMatchObject({
		"content-type": "text/html; charset=utf-8",
		"cache-control": "no-cache",
		// The window of the provider's sign-in stays known to the page that opened it.
		"cross-origin-opener-policy": "same-origin-allow-popups",
		"cross-origin-resource-policy": "same-origin",
		"referrer-policy": "no-referrer",
		"x-content-type-options": "nosniff",
	});
	const files = Array.from(document.matchAll(/(?:src|href)="([^"]+)"/g), ([, path]) => path);
	expect(files.length).toBe(3);
	for (const file of files) {
		const { status, headers } = await SELF.fetch(`${ORIGIN}${file}`);
		expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
	}
	expect((await SELF.fetch(`${ORIGIN}/console/assets/none.js`)).status).toBe(404);
	expect(await call("/console/config.json")).toMatchObject({ environment: "local", sign_in: [] });
});

it("the Worker as built loads every operation of the reference, and refuses or serves it", async () => {
	const { paths } = await call<{ paths: Record<string, Operations> }>("/openapi.json");
	const operations = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })));
	expect(operations.length).toBeGreaterThan(100);
	const answered = await Promise.all(
		operations.map(async ({ path, method }) => {
			const url = `${ORIGIN}${path.replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000")}`;
			const { status } = await SELF.fetch(url, { method: method.toUpperCase() });
			return { operation: `${method} ${path}`, status };
		}),
	);
	expect(answered.filter(({ status }) => status >= 500 || status === 405)).toEqual([]);
	// The only operation that looks for what its path names before it knows the caller.
	expect(answered.filter(({ status }) => status === 404).map(({ operation }) => operation)).toEqual(["get /v1/branding/{organizationId}"]);
});

it("the Worker as built writes through its database and its objects", async () => {
	const { token } = await call<{ token: string }>("/v1/sandbox/tokens", undefined, { kind: "operator", subject: "root" });
	const create = (key: string) =>
		SELF.fetch(`${ORIGIN}/v1/platform/organizations`, {
			method: "POST",
			headers: { "content-type": "application/json", authorization: `Bearer ${token}`, "idempotency-key": key },
			body: JSON.stringify({ name: "Acme", slug: "acme" }),
		});
	const [first, replayed, other] = [await create("one"), await create("one"), await create("two")];
	expect([first.status, replayed.status, other.status]).toEqual([201, 201, 409]);
	expect(await replayed.text()).toBe(await first.text());
});
