// What answers say to caches. Every answer that any test gets is held against the same rule by `test/support/caching.ts`, so here are those
// that no test of an operation asks for.

import { expect, it, vi } from "vitest";
import { getBrand } from "../../src/domains/branding/operations";
import { getKeys } from "../../src/domains/tokens/sessions/operations";
import { getMe } from "../../src/domains/users/profile.operations";
import { isPublic } from "../../src/http/callers/access";
import { METHODS } from "../../src/http/operation";
import { operations } from "../support/domains";
import { pathOf } from "../support/doors";
import { givenOrganization, givenUser } from "../support/factories";
import { probe, whoami } from "../support/probe";
import { servePath } from "../support/serve";

const PRIVATE = "private, no-store";
const said = ({ headers }: { headers: Headers }) => headers.get("cache-control");

it("no cache keeps an answer of any path, by any method, that is not a public success", async () => {
	const paths = new Set(operations.map((op) => pathOf(op, "nobodys")));
	for (const path of [...paths, "/", "/v1/nothing", "/docs/nothing/at/all", "/console/assets/nothing.js", "/v1/sandbox/receiver/nobody"]) {
		for (const method of ["OPTIONS", ...METHODS]) {
			const answer = await servePath(path, { method });
			if (answer.status !== 200) expect([method, path, answer.status, said(answer)]).toEqual([method, path, answer.status, PRIVATE]);
		}
	}
});

it("a 304 says the same as the answer that it stands for", async () => {
	const { token } = await givenUser();
	const { slug } = await givenOrganization();
	const me = { authorization: `Bearer ${token}` };
	for (const [path, headers, expected] of [
		[getMe.path, me, PRIVATE],
		[getKeys.path, {}, getKeys.cacheControl],
		[getBrand.path.replace(/{.*}/, slug), {}, getBrand.cacheControl],
	] as const) {
		const answer = await servePath(path, { headers });
		const again = await servePath(path, { headers: { ...headers, "if-none-match": answer.headers.get("etag") ?? "" } });
		expect([path, answer.status, said(answer), again.status, said(again)]).toEqual([path, 200, expected, 304, expected]);
	}
});

it("no cache keeps a failure, not even of a public operation", async () => {
	vi.spyOn(console, "error").mockImplementation(() => {});
	const unconfigured = await servePath(getKeys.path, {}, { SERVICE_KEYS: "none" });
	expect([unconfigured.status, said(unconfigured)]).toEqual([503, PRIVATE]);
	const failing = { ...whoami({}), cacheControl: "public, max-age=60", handle: () => Promise.reject(new Error("a defect")) };
	const failed = await probe([failing], {});
	expect([failed.status, said(failed)]).toEqual([500, PRIVATE]);
});

it("only what anybody may read is let into caches", () => {
	const kept = operations.filter(({ cacheControl }) => cacheControl !== undefined);
	expect(kept.filter(({ access }) => !isPublic(access)).map(({ id }) => id)).toEqual([]);
	// Cloudflare gives a copy that bounds nothing at any age while the core fails.
	for (const { id, method, cacheControl } of kept)
		expect([id, method, cacheControl]).toEqual([id, "GET", expect.stringMatching(/^public, max-age=\d.*, stale-if-error=\d+$/)]);
});
