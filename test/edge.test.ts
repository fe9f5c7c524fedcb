// The edge, with the platform's cache in front of what anybody may read.

import { beforeEach, expect, it, vi } from "vitest";
import { putBrand } from "../src/domains/branding/operations";
import { forgetAll } from "../src/shared/cache";
import { DAY_MS } from "../src/shared/time";
import { changeBehind } from "./support/brands";
import { call, expectOk } from "./support/client";
import { wrapped } from "./support/databases";
import { givenMember, givenOrganization, givenUser, operatorToken } from "./support/factories";
import { Edge } from "./support/kept";
import { expectErrors } from "./support/log";

let edge: Edge;
beforeEach(() => {
	edge = new Edge();
});

async function givenBrand(primary_color: string) {
	const { id, slug } = await givenOrganization();
	const { token } = await givenMember(id);
	expectOk(await call(putBrand, { as: token, path: { organizationId: id }, body: { primary_color } }));
	return { id, slug, token };
}

const colorOf = async (reference: string) =>
	((await (await edge.fetch(`/v1/branding/${reference}`)).json()) as { primary_color: string }).primary_color;

const put = (reference: string, token: string, primary_color: string) =>
	edge.fetch(`/v1/branding/${reference}`, {
		method: "PUT",
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
		body: JSON.stringify({ primary_color }),
	});

it("a brand that is kept is answered while the core is stopped, to each reader as their own answer", async () => {
	const { id } = await givenBrand("#111111");
	const first = await edge.fetch(`/v1/branding/${id}`, { headers: { "x-request-id": "first" } });
	expect([first.status, first.headers.get("x-request-id"), first.headers.get("server-timing")]).toEqual([
		200,
		"first",
		expect.stringContaining("trips=1 "),
	]);
	edge.isCoreStopped = true;
	const own = { "x-request-id": "second", authorization: "Bearer of-anybody" };
	const second = await edge.fetch(`/v1/branding/${id}`, { headers: own });
	expect(await second.json()).toEqual(await first.json());
	expect([second.status, second.headers.get("x-request-id"), second.headers.get("server-timing")]).toEqual([
		200,
		"second",
		expect.stringContaining("trips=0 "),
	]);
	for (const answer of [first, second])
		for (const name of ["x-purge", "cache-tag", "x-d1-bookmark"]) expect([name, answer.headers.get(name)]).toEqual([name, null]);
	const etag = second.headers.get("etag") ?? "";
	expect((await edge.fetch(`/v1/branding/${id}`, { headers: { "if-none-match": etag } })).status).toBe(304);
	const head = await edge.fetch(`/v1/branding/${id}`, { method: "HEAD" });
	expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", etag]);
});

it("a public read reaches the cache without the caller's credentials, which the core would ignore", async () => {
	const { id, token } = await givenBrand("#111111");
	const headers = { authorization: `Bearer ${token}`, "x-api-key": "sk_anybodys", "x-d1-bookmark": "b", "accept-language": "sw" };
	expect((await edge.fetch(`/v1/branding/${id}`, { headers })).status).toBe(200);
	const [reached, ...others] = edge.reached.map((one) => Object.keys(Object.fromEntries(one)).toSorted());
	expect([reached, others]).toEqual([["accept-language", "x-request-id"], []]);
});

it("a brand is purged by its own change before that is answered, under its id and its slug, and is read again", async () => {
	const { id, slug, token } = await givenBrand("#111111");
	expect([await colorOf(id), await colorOf(slug)]).toEqual(["#111111", "#111111"]);
	const changed = await put(slug, token, "#222222");
	expect([changed.status, changed.headers.get("x-purge")]).toEqual([200, null]);
	expect([await colorOf(id), await colorOf(slug)]).toEqual(["#222222", "#222222"]);
	// An earlier purge may have failed.
	const again = await put(id, token, "#222222");
	expect(again.headers.get("x-purge")).toBeNull();
	edge.asked.length = 0;
	await colorOf(id);
	expect(edge.asked).toEqual([`GET /v1/branding/${id}`]);
});

it("a change that is sent again with its key purges again, because the first answer may have been lost", async () => {
	const { id, token } = await givenBrand("#111111");
	const change = {
		method: "PUT",
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "once" },
		body: JSON.stringify({ primary_color: "#222222" }),
	};
	await edge.fetch(`/v1/branding/${id}`, change);
	await colorOf(id);
	await edge.fetch(`/v1/branding/${id}`, change);
	edge.asked.length = 0;
	await colorOf(id);
	expect(edge.asked).toEqual([`GET /v1/branding/${id}`]);
});

it("a brand that nobody has changed here is never older than its answer says, also after a pause", async () => {
	vi.useFakeTimers({ toFake: ["Date"] });
	const { id } = await givenBrand("#111111");
	expect(await colorOf(id)).toBe("#111111");
	await changeBehind(id, "#222222");
	const after = (ms: number) => vi.setSystemTime(Date.now() + ms);
	after(59_000);
	expect(await colorOf(id)).toBe("#111111");
	after(600_000);
	expect(await colorOf(id)).toBe("#111111");
	await vi.waitFor(async () => expect(await colorOf(id)).toBe("#222222"));
	await changeBehind(id, "#333333");
	after(661_000);
	expect(await colorOf(id)).toBe("#333333");
});

it("a kept copy is answered for a day while the core does not answer, and no longer", async () => {
	expectErrors("the core does not answer");
	vi.useFakeTimers({ toFake: ["Date"] });
	const { id } = await givenBrand("#111111");
	const began = Date.now();
	for (const path of [`/v1/branding/${id}`, "/v1/app/settings"]) {
		vi.setSystemTime(began);
		edge.isCoreStopped = false;
		expect((await edge.fetch(path)).status).toBe(200);
		edge.isCoreStopped = true;
		for (const [ms, status] of [
			[DAY_MS - 1_000, 200],
			[DAY_MS, 503],
		] as const) {
			vi.setSystemTime(began + ms);
			expect([path, ms, (await edge.fetch(path)).status]).toEqual([path, ms, status]);
		}
	}
});

it("what an isolate of the core remembers of a brand is not kept after the brand has changed in another", async () => {
	const { id, slug, token } = await givenBrand("#111111");
	await put(id, token, "#222222");
	await changeBehind(id, "#333333");
	expect([await colorOf(id), await colorOf(slug)]).toEqual(["#333333", "#333333"]);
});

it("a brand that the core answers from memory while D1 is down is not kept", async () => {
	expectErrors("request failed");
	const { id } = await givenBrand("#111111");
	const down = wrapped(
		() =>
			({
				withSession: () => {
					throw new Error("D1 is down");
				},
			}) as unknown as D1Database,
	);
	const answer = await edge.fetch(`/v1/branding/${id}`, {}, down);
	expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
	await changeBehind(id, "#222222");
	expect(await colorOf(id)).toBe("#222222");
});

it("the app settings are kept, and purged by their change", async () => {
	const settings = () => edge.fetch("/v1/app/settings");
	const minimum = async () => ((await (await settings()).json()) as { minimum_supported_version: string }).minimum_supported_version;
	expect(await minimum()).toBe("0.0.0");
	edge.isCoreStopped = true;
	expect(await minimum()).toBe("0.0.0");
	edge.isCoreStopped = false;
	await edge.fetch("/v1/platform/app/settings", {
		method: "PUT",
		headers: { authorization: `Bearer ${await operatorToken()}`, "content-type": "application/json" },
		body: JSON.stringify({ minimum_supported_version: "1.0.0" }),
	});
	expect(await minimum()).toBe("1.0.0");
});

it("what belongs to a caller goes past what is kept, and is asked of the core each time", async () => {
	const { token } = await givenUser();
	for (const headers of [{ authorization: `Bearer ${token}` }, { "x-api-key": "sk_nobodys" }] as Record<string, string>[])
		for (let time = 0; time < 2; time++) {
			edge.asked.length = 0;
			const answer = await edge.fetch("/v1/me", { headers });
			expect([edge.asked, answer.headers.get("cf-cache-status")]).toEqual([["GET /v1/me"], null]);
		}
});

it("a purge that the platform refuses is logged, and the change is answered all the same", async () => {
	expectErrors("what is kept was not purged");
	const { id, token } = await givenBrand("#111111");
	edge.purged = { success: false, errors: [{ code: 971, message: "rate limited" }] };
	expect((await put(id, token, "#222222")).status).toBe(200);
});

it("while the core does not answer, what is not kept is 503 with the time after which to ask again", async () => {
	expectErrors("the core does not answer");
	forgetAll();
	edge.isCoreStopped = true;
	for (const [path, method, members] of [
		["/v1/me", "GET", []],
		["/v1/repayments", "POST", []],
		["/v1/branding/acme", "GET", ["identifier", "invalid_params"]],
	] as const) {
		const answer = await edge.fetch(path, { method, headers: { "x-request-id": "mine" } });
		const body = (await answer.json()) as object;
		expect([answer.status, Object.keys(body).slice(3)]).toEqual([503, members]);
		expect(body).toMatchObject({ code: "SERVICE_UNAVAILABLE", reason: "SERVICE_UNAVAILABLE", description: "The service is not available" });
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"cache-control": "private, no-store",
			"retry-after": "5",
			"x-request-id": "mine",
		});
	}
});
