// The Worker's own entry, without the helpers of other tests.

import { exports } from "cloudflare:workers";
import { expect, it } from "vitest";

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
	exports.default.fetch(`http://localhost${path}`, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

it("the router answers an unknown path in the Error body", async () => {
	const response = await exports.default.fetch("http://localhost/v1/nothing");
	expect(response.status).toBe(404);
	expect(await response.json()).toEqual({ code: "NOT_FOUND", description: "No operation has this path", reason: "NOT_FOUND" });
});

it("issues a sandbox token", async () => {
	const response = await post("/v1/sandbox/tokens", JSON.stringify({ kind: "operator", subject: "root" }));
	expect(await response.json()).toEqual({ token: expect.stringMatching(/^ey/) });
	expect(response.status).toBe(200);
	expect(response.headers.get("server-timing")).toMatch(/^d1;desc="trips=0 read=0 written=0 statements=0";dur=/);
});
