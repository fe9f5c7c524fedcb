// The HTTP behaviour that all operations share.

import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { getMe } from "../../src/domains/users/profile.operations";
import { configuration } from "../../src/runtime/config";
import { operations } from "../support/domains";
import { pathOf } from "../support/doors";
import { givenUser } from "../support/factories";
import { servePath } from "../support/serve";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const paths = [...new Set(operations.map(({ path }) => path))];
const shapeOf = (path: string) => path.replaceAll(/{\w+}/g, "{}");

describe.each(paths.map((path) => [path]))("the path %s", (path) => {
	const concrete = path.replaceAll(/{\w+}/g, "0190a0a0-0000-7000-8000-000000000000");
	const here = operations.filter((op) => shapeOf(op.path) === shapeOf(path)).map(({ method }) => method as string);

	it("lists its methods in Allow, for OPTIONS and for methods that it does not have", async () => {
		const options = await servePath(concrete, { method: "OPTIONS" });
		expect(options.status).toBe(204);
		expect(options.headers.get("x-request-id")).toMatch(/.+/);
		const allowed = (options.headers.get("allow") ?? "").split(", ");
		// A literal path has not the methods of its neighbour with parameters.
		expect(allowed.filter((method) => METHODS.some((one) => one === method)).toSorted()).toEqual(here.toSorted());
		expect(allowed.includes("HEAD")).toBe(allowed.includes("GET"));
		for (const method of METHODS.filter((one) => !allowed.includes(one))) {
			const response = await servePath(concrete, { method });
			expect(response.status, method).toBe(405);
			expect(response.headers.get("allow")).toBe(options.headers.get("allow"));
			expect(await response.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
		}
	});

	it.runIf(here.includes("GET"))("answers HEAD like GET, without the body", async () => {
		const [get, head] = [await servePath(concrete), await servePath(concrete, { method: "HEAD" })];
		expect(head.status).toBe(get.status);
		expect(await head.text()).toBe("");
	});
});

describe("any request", () => {
	const me = async (headers: Record<string, string> = {}, vars: Partial<Env> = {}) => {
		const { token } = await givenUser();
		return servePath(getMe.path, { headers: { authorization: `Bearer ${token}`, ...headers } }, vars);
	};

	it("to an unknown path gets 404 with an Error body", async () => {
		for (const path of ["/", "/v1", "/v1/nothing", "/v1/me/", "/v2/me", "/v1/%2e%2e/me", "/V1/ME"]) {
			const response = await servePath(path);
			expect({ path, status: response.status, body: await response.json() }).toEqual({
				path,
				status: 404,
				body: { code: "NOT_FOUND", description: "No operation has this path", reason: "NOT_FOUND" },
			});
			expect(response.headers.get("x-request-id")).toMatch(/.+/);
		}
	});

	it("keeps a well-formed X-Request-Id", async () => {
		for (const id of ["a", "A-b_c.1", "x".repeat(128)]) {
			for (const path of ["/v1/me", "/v1/nothing"]) {
				const response = await servePath(path, { headers: { "x-request-id": id } });
				expect(response.headers.get("x-request-id")).toBe(id);
			}
		}
		for (const id of ["", "a b", "x".repeat(129), "é", "<script>"]) {
			const response = await servePath("/v1/me", { headers: { "x-request-id": encodeURI(id) === id ? id : "a b" } });
			expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
		}
	});

	it("that accepts problem+json gets errors in the format of RFC 9457, with the Error body's members", async () => {
		for (const op of operations.filter((one) => Object.keys(one.access).length > 0)) {
			const path = pathOf(op, "nobodys");
			const response = await servePath(path, { method: op.method, headers: { accept: "application/problem+json, */*;q=0.1" } });
			expect(response.headers.get("content-type")).toBe("application/problem+json");
			expect(await response.json()).toMatchObject({
				type: expect.stringMatching(/^https?:\/\/[^/]+\/docs\/errors#UNAUTHORISED$/),
				title: "UNAUTHORISED",
				status: 401,
				instance: path,
				code: "UNAUTHORISED",
			});
		}
	});

	it("for an unchanged resource gets 304 without a body", async () => {
		const { token } = await givenUser();
		const get = (ifNoneMatch?: string) =>
			servePath(getMe.path, {
				headers: { authorization: `Bearer ${token}`, ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }) },
			});
		const etag = (await get()).headers.get("etag") ?? "";
		expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
		for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
			const response = await get(known);
			expect({ known, status: response.status, text: await response.text() }).toEqual({ known, status: 304, text: "" });
			expect(response.headers.get("etag")).toBe(etag);
		}
		for (const other of ['"other"', etag.replaceAll('"', "")]) expect((await get(other)).status).toBe(200);
	});

	it("gets D1's cost in Server-Timing and finds sandbox operations, but neither in production", async () => {
		const local = await me();
		expect(local.headers.get("server-timing")).toMatch(/^d1;desc="trips=1 read=\w+ written=0 statements=\d+";dur=\d/);
		const production: Partial<Env> = {
			ENVIRONMENT: "production",
			BASE_URL: "http://localhost",
			MESSAGE_SENDER: "http",
			MESSAGE_SENDER_URL: "https://messages.example/",
			MESSAGE_SENDER_TOKEN: "token",
			CUSTODIAN: "http",
			CUSTODIAN_URL: "https://custodian.example/",
			DISBURSER: "http",
			DISBURSER_URL: "https://disburser.example/",
			DISBURSER_SECRET: "0123456789abcdef0123456789abcdef",
			WEBHOOK_ALLOWED_NETWORKS: "",
			WEBHOOK_ALLOWED_PORTS: "443",
			RATE_LIMITS: "on",
		};
		const live = await me({}, production);
		expect(live.status).toBe(200);
		expect(live.headers.has("server-timing")).toBe(false);
		expect(live.headers.get("strict-transport-security")).toMatch(/^max-age=31536000/);
		expect(local.headers.has("strict-transport-security")).toBe(false);
		const error = vi.spyOn(console, "error").mockImplementation(() => {});
		for (const name of ["MESSAGE_SENDER_URL", "MESSAGE_SENDER_TOKEN", "CUSTODIAN_URL", "DISBURSER_URL", "DISBURSER_SECRET"]) {
			expect((await me({}, { ...production, [name]: undefined })).status, name).toBe(503);
			expect(error.mock.calls.at(-1)?.[0]).toContain(name);
		}
		error.mockRestore();
		const sandboxes = operations.filter((op) => op.only);
		for (const op of sandboxes) {
			for (const method of [op.method, "OPTIONS"]) {
				const response = await servePath(pathOf(op, "nobodys"), { method }, production);
				expect({ op: op.id, method, status: response.status, body: await response.json() }).toMatchObject({
					status: 404,
					body: { code: "NOT_FOUND", description: "No operation has this path" },
				});
			}
		}
	});

	it("gets headers against type guessing and referrers, and no cost in refusals", async () => {
		for (const path of ["/healthz", "/docs", "/v1/me", "/nowhere"]) {
			const { headers, status } = await servePath(path);
			expect(headers.get("x-content-type-options"), path).toBe("nosniff");
			expect(headers.get("referrer-policy"), path).toBe("no-referrer");
			if (status >= 400) expect(headers.has("server-timing"), path).toBe(false);
		}
	});

	it("gets identifier and invalid_params for unknown paths and methods of branding and invoice financing", async () => {
		for (const path of ["/v1/branding", "/v1/branding/a/b/c", "/v1/financing/nothing"]) {
			const response = await servePath(path, { method: "DELETE", headers: { "x-request-id": "r1" } });
			expect([404, 405]).toContain(response.status);
			expect(await response.json()).toMatchObject({ identifier: "r1", invalid_params: [] });
		}
		expect(Object.keys((await (await servePath("/v1/brandings")).json()) as object)).toEqual(["code", "description", "reason"]);
	});

	it("gets a bookmark, and may send back a valid or an invalid one", async () => {
		const bookmark = (await me()).headers.get("x-d1-bookmark") ?? "";
		expect(bookmark).toMatch(/^\w+\.[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}(,|$)/);
		for (const sent of [bookmark, `OTHER.${bookmark}`, "first-unconstrained", "nonsense", `${bookmark}0`]) {
			expect((await me({ "x-d1-bookmark": sent })).status, sent).toBe(200);
		}
	});

	it("gets 503 while configuration is missing or malformed, and the log has the variable's name but not its value", async () => {
		const error = vi.spyOn(console, "error").mockImplementation(() => {});
		const [serviceKey] = (await configuration(env)).SERVICE_KEYS.keys;
		const wrong: Partial<Env>[] = [
			{ MASTER_KEY: "swordfish" },
			{ SERVICE_KEYS: "swordfish" },
			{ SERVICE_KEYS: JSON.stringify({ keys: [{ kty: "RSA", n: "swordfish", e: "AQAB", d: "swordfish", kid: "a" }] }) },
			{ SERVICE_KEYS: JSON.stringify({ keys: [{ ...serviceKey, d: "swordfish" }] }) },
			{ SERVICE_KEYS: JSON.stringify({ keys: [serviceKey, serviceKey] }) },
			{ TRUSTED_ISSUERS: '[{"issuer":"swordfish"}]' },
			{
				TRUSTED_ISSUERS: JSON.stringify(
					["partner", "operator"].map((kind) => ({ issuer: "swordfish", kind, jwks_uri: "https://swordfish.example/jwks.json" })),
				),
			},
			{ MESSAGE_BUDGET_PER_MINUTE: "swordfish" },
			{ ENVIRONMENT: "swordfish" },
			{ RATE_LIMITS: "swordfish" },
			{ MESSAGE_SENDER_URL: "swordfish" },
			{ OPENFGA_URL: "swordfish" },
			{ OPENFGA_URL: "http://swordfish.example" },
			{ DNS_OVER_HTTPS_URL: "http://swordfish.example/dns-query" },
		];
		for (const vars of wrong) {
			const [name = ""] = Object.keys(vars);
			error.mockClear();
			const response = await servePath("/v1/me", {}, vars);
			expect({ name, status: response.status }).toEqual({ name, status: 503 });
			expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
			const text = await response.text();
			expect(JSON.parse(text)).toMatchObject({ code: "SERVICE_UNAVAILABLE", description: "The service is not available" });
			const logged = error.mock.calls.flat().join("\n");
			expect(logged).toContain(name);
			expect(`${logged}${text}`).not.toContain("swordfish");
		}
		const wanted: [vars: Partial<Env>, variables: Record<string, string>][] = [
			[
				{ MASTER_KEY: undefined as never, RATE_LIMITS: "slow" },
				{ MASTER_KEY: "is required", RATE_LIMITS: 'must be one of "on", "off"' },
			],
			[{ SERVICE_KEYS: undefined as never }, { SERVICE_KEYS: "is required" }],
			[{ SERVICE_KEYS: "{" }, { SERVICE_KEYS: "is not valid JSON" }],
			[{ MASTER_KEY: "short" }, { MASTER_KEY: "must be 32 bytes in base64, or several such keys separated by commas, each once" }],
			[{ DISBURSER_URL: "swordfish" }, { DISBURSER_URL: "must be a URL" }],
			[{ TRUSTED_ISSUERS: '[{"kind":"partner"}]' }, { TRUSTED_ISSUERS: "0.issuer is required" }],
		];
		for (const [vars, variables] of wanted) {
			error.mockClear();
			expect((await servePath("/v1/me", {}, vars)).status).toBe(503);
			expect(error.mock.calls.map(([line]) => JSON.parse(String(line)).variables)).toEqual([variables]);
		}
		error.mockRestore();
	});
});
