// What is asked of OpenFGA over HTTP, and what its silence means.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { objectOf } from "../../src/providers/openfga/requests";
import { configuration } from "../../src/runtime/config";
import type { Question } from "../../src/runtime/ports";
import { PERMISSIONS, relationOf } from "../../src/shared/permissions";
import { expectErrors } from "../support/log";
import { type FakeOpenFga, fakeOpenFga, json, servicesAt } from "../support/openfga";
import { servicesFor } from "../support/outbound";

let fga: FakeOpenFga;
beforeEach(() => {
	fga = fakeOpenFga();
});

describe("OpenFGA over HTTP", () => {
	const question: Question = {
		subject: { userId: "u-1" },
		permission: "org:financing.merchants:read",
		resource: { type: "organization", id: "o-1" },
		write: false,
	};
	const check = async (about: Partial<Question> = {}, at?: number) =>
		(await servicesAt(at)).providers.resourceAccess("openfga").check({ ...question, ...about });
	const hold = (about: { relation?: string; object?: string } = {}) =>
		fga.tuples.add(`user:u-1 ${about.relation ?? "financing_merchants_read"} ${about.object ?? "organization:o-1"}`);

	it("calls the store's check with the pinned model and the token, and follows no redirect", async () => {
		hold();
		expect(await check()).toBe("ALLOW");
		const [{ url, check: sent, init } = { url: "", check: undefined, init: {} }] = fga.asked;
		expect(url).toBe("https://fga.example/stores/store-1/check");
		expect(sent).toEqual({
			tuple_key: { user: "user:u-1", relation: "financing_merchants_read", object: "organization:o-1" },
			authorization_model_id: "model-1",
		});
		expect(init).toMatchObject({ method: "POST", redirect: "manual" });
		expect(init.headers).toEqual({ "Content-Type": "application/json", Authorization: "Bearer fga-secret" });
	});

	it("asks for higher consistency for writes, and bypasses the cache", async () => {
		await check();
		hold();
		expect(await check({ write: true })).toBe("ALLOW");
		expect(fga.asked.at(-1)?.check.consistency).toBe("HIGHER_CONSISTENCY");
		expect(fga.asked).toHaveLength(2);
		// Later reads use the answer of the write.
		expect(await check()).toBe("ALLOW");
		expect(fga.asked).toHaveLength(2);
	});

	it("maps every permission to a relation of its own", () => {
		const relations = PERMISSIONS.map(relationOf);
		expect(new Set(relations).size).toBe(PERMISSIONS.length);
		for (const relation of relations) expect(relation).toMatch(/^[a-z_]{1,50}$/);
	});

	it("names a merchant by its lender and the digest of its id, so that none reads as another object", async () => {
		await check({ resource: { type: "merchant", id: "m-1", organizationId: "o-1" } });
		expect(fga.asked[0]?.check.tuple_key.object).toBe("merchant:o-1/a461b472cb41a9ec3dee5c90cf8e4a78252c9d82319adf75830031b8c309bfc6");
		for (const id of ["*", "m 1#member:x", "é".repeat(255)]) {
			await check({ resource: { type: "merchant", id, organizationId: "o-1" } });
			expect(fga.asked.at(-1)?.check.tuple_key.object).toMatch(/^merchant:o-1\/[0-9a-f]{64}$/);
		}
	});

	it("asks about a hundred merchants in two requests, and afterwards about those alone that it does not know", async () => {
		const start = Date.now();
		const merchantIds = Array.from({ length: 100 }, (_, at) => `m-${at}`);
		for (const id of merchantIds) hold({ object: await objectOf({ type: "merchant", id, organizationId: "o-1" }) });
		const ask = async (ids: readonly string[], at = start, write = false) =>
			(await servicesAt(at)).providers
				.resourceAccess("openfga")
				.checkMerchants({ ...about, write, organizationId: "o-1", merchantIds: ids });
		const about = { subject: question.subject, permission: question.permission };
		expect(await ask(merchantIds)).toBe("ALLOW");
		expect(fga.asked.map(({ url, check: { checks } }) => [url.split("/").at(-1), checks?.length])).toEqual([
			["batch-check", 50],
			["batch-check", 50],
		]);
		expect(fga.asked[0]?.check).toMatchObject({ authorization_model_id: "model-1" });
		expect(await ask([...merchantIds, "m-100"])).toBe("DENY");
		expect(fga.asked).toHaveLength(3);
		expect(fga.asked.at(-1)?.url).toMatch(/\/check$/);
		expect(await ask(["m-1", "m-2"], start, true)).toBe("ALLOW");
		expect(fga.asked.at(-1)?.check).toMatchObject({ consistency: "HIGHER_CONSISTENCY", checks: [{}, {}] });
	});

	it("fails when one of several checks does, or is not answered", async () => {
		expectErrors("authorization provider failed");
		const ask = async () =>
			(await servicesAt()).providers
				.resourceAccess("openfga")
				.checkMerchants({ ...question, organizationId: "o-1", merchantIds: ["a", "b"] });
		for (const result of [{ 0: { allowed: true } }, { 0: { allowed: true }, 1: { error: { message: "relation not found" } } }]) {
			fga.answer = () => json({ result });
			await expect(ask()).rejects.toThrow();
		}
	});

	it("logs what the provider said, bounded and without ids", async () => {
		const logged = vi.spyOn(console, "error").mockImplementation(() => {});
		const message = `object 'organization:o-1' of user:u-1 not found ${"x".repeat(1_000)}`;
		fga.answer = () => json({ code: "validation_error", message }, 400);
		await expect(check()).rejects.toThrow("status 400");
		const { reason, provider_code: code, provider_message: said } = JSON.parse(String(logged.mock.calls.at(-1)?.[0]));
		expect([reason, code]).toEqual(["status 400", "validation_error"]);
		expect(said).toMatch(/^object 'organization:… of user:… not found x+$/);
		expect(said.length).toBe(300);
	});

	it("tries again after the time that the provider names, unless that is too late", async () => {
		expectErrors("authorization provider failed");
		hold();
		const wait = vi.spyOn(scheduler, "wait").mockResolvedValue(undefined);
		const well = fga.answer;
		const busy = (seconds: string) => () => new Response(null, { status: 429, headers: { "Retry-After": seconds } });
		fga.answer = () => {
			fga.answer = well;
			return busy("1")();
		};
		expect(await check({ write: true })).toBe("ALLOW");
		expect(wait).toHaveBeenCalledExactlyOnceWith(1_000);
		fga.answer = busy("2");
		await expect(check({ write: true })).rejects.toThrow("status 429");
		expect(wait).toHaveBeenCalledOnce();
	});

	it("caches an allowance for 30 s and a denial for 5 s, by subject, permission and resource", async () => {
		const start = Date.now();
		hold();
		const denied = { permission: "org:branding:write" } as const;
		await check({}, start);
		await check(denied, start);
		expect(fga.asked).toHaveLength(2);
		await check({}, start + 29_999);
		await check(denied, start + 4_999);
		expect(fga.asked).toHaveLength(2);
		await check(denied, start + 5_000);
		await check({}, start + 30_000);
		expect(fga.asked).toHaveLength(4);
		await check({ subject: { userId: "u-2" } }, start + 30_001);
		await check({ resource: { type: "organization", id: "o-2" } }, start + 30_001);
		await check({ resource: { type: "merchant", id: "o-1", organizationId: "o-1" } }, start + 30_001);
		expect(fga.asked).toHaveLength(7);
	});

	it("tries a second time after no answer, 429 or 5xx", async () => {
		hold();
		for (const bad of [() => Promise.reject(new Error("connection lost")), () => json({}, 503), () => json({}, 429)]) {
			const before = fga.asked.length;
			const well = fga.answer;
			fga.answer = () => {
				fga.answer = well;
				return bad();
			};
			expect(await check({ write: true })).toBe("ALLOW");
			expect(fga.asked.length - before).toBe(2);
		}
	});

	it("gives up after the second try", async () => {
		expectErrors("authorization provider failed");
		fga.answer = () => json({}, 500);
		await expect(check()).rejects.toThrow("status 500");
		expect(fga.asked).toHaveLength(2);
	});

	it("rejects malformed answers", async () => {
		expectErrors("authorization provider failed");
		const answers = [
			() => json({}),
			() => json({ allowed: "true" }),
			() => json([true]),
			() => new Response("allowed"),
			() => new Response(null),
			() => json({ allowed: true }, 201),
			() => json({ allowed: true }, 400),
			() => new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } }),
		];
		for (const answer of answers) {
			fga.answer = answer;
			await expect(check()).rejects.toThrow();
		}
		expect(fga.asked).toHaveLength(answers.length);
	});

	it("waits at most 2 s for both tries together", async () => {
		expectErrors("authorization provider failed");
		const timer = new AbortController();
		const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(timer.signal);
		fga.answer = (_, { signal }) =>
			new Promise((_resolve, reject) => {
				signal?.addEventListener("abort", () => reject(signal.reason));
				timer.abort(new DOMException("too slow", "TimeoutError"));
			});
		await expect(check()).rejects.toThrow("timed out");
		expect(timeout).toHaveBeenCalledExactlyOnceWith(2_000);
		expect(fga.asked).toHaveLength(1);
	});

	it("does not cache failures", async () => {
		expectErrors("authorization provider failed");
		fga.answer = () => json({}, 500);
		await expect(check()).rejects.toThrow();
		hold();
		fga.answer = () => json({ allowed: true });
		expect(await check()).toBe("ALLOW");
	});

	it("is not called when its address is missing, and the log names the missing variable", async () => {
		expectErrors("authorization provider failed");
		const bad = configuration({ ...env, AUTHORIZATION_PROVIDER: "openfga" });
		const reason = "is required by openfga";
		await expect(bad).rejects.toMatchObject({ variables: { OPENFGA_URL: reason, OPENFGA_STORE_ID: reason, OPENFGA_MODEL_ID: reason } });
		const unconfigured = await servicesFor({ env, ctx: { waitUntil: () => {} } });
		await expect(unconfigured.providers.resourceAccess("openfga").check(question)).rejects.toThrow("not configured");
		expect(fga.asked).toEqual([]);
	});
});
