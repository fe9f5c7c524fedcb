// Brands over HTTP: who may write them, what is refused, and what a read before login gets.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getBrand, putBrand } from "../../../src/domains/branding/operations";
import { brands } from "../../../src/domains/branding/table";
import { webhookEvents } from "../../../src/events/table";
import { call, expectOk, send } from "../../support/client";
import { db, givenMember, givenOrganization, operatorToken } from "../../support/factories";
import { expectErrors } from "../../support/log";
import { servePath } from "../../support/serve";

const GREEN = { primary_color: "#0A7D38" };
const FULL = {
	...GREEN,
	logo_url: "https://cdn.example/logo.svg",
	icon_url: "https://cdn.example/icon.png",
	font_family: "Noto Sans, sans-serif",
	font_weight: 600,
	secondary_color: "#fff",
	name: "Umoja",
	support_email: "help@umoja.example",
	support_phone: "+254712345678",
	terms_url: "https://umoja.example/terms",
	privacy_url: "https://umoja.example/privacy",
};

async function givenParties() {
	const organization = await givenOrganization();
	return { ...organization, owner: await givenMember(organization.id) };
}
const put = (as: string, organizationId: string, body: object, headers: Record<string, string> = {}) =>
	send(putBrand as never, { as, path: { organizationId }, body, headers });
const get = (organizationId: string, headers: Record<string, string> = {}) => call(getBrand, { path: { organizationId }, headers });

describe("a brand", () => {
	it("has its URLs as the URL standard writes them", async () => {
		const { id, owner } = await givenParties();
		const sent = { ...GREEN, logo_url: `HTTPS://CDN.Example:443/a/../logo"<1>('x').svg`, icon_url: "https://bücher.example" };
		const { body } = await put(owner.token, id, sent);
		expect(body).toMatchObject({
			logo_url: "https://cdn.example/logo%22%3C1%3E%28%27x%27%29.svg",
			icon_url: "https://xn--bcher-kva.example/",
		});
		expect((await get(id)).body).toEqual(body);
		const long = await put(owner.token, id, { ...GREEN, logo_url: `https://cdn.example/${"é".repeat(700)}` });
		expect(long).toMatchObject({ status: 400, body: { invalid_params: [{ sub_code: "TOO_LONG" }] } });
	});

	it("needs only a primary colour, and has the organization's id even if the path has the slug", async () => {
		const { id, slug, owner } = await givenParties();
		const answer = await put(owner.token, slug, GREEN);
		expect(answer).toMatchObject({ status: 200 });
		expect(answer.body).toEqual({
			organization_id: id,
			logo_url: null,
			icon_url: null,
			font_family: null,
			font_weight: null,
			primary_color: "#0A7D38",
			secondary_color: null,
			name: slug,
			support_email: null,
			support_phone: null,
			terms_url: null,
			privacy_url: null,
			created_at: expect.stringMatching(/Z$/),
			updated_at: expect.stringMatching(/Z$/),
		});
		for (const reference of [id, id.toUpperCase(), slug]) expect((await get(reference)).body).toEqual(answer.body);
	});

	it("is the organization's name on a neutral colour until it publishes its own, which may be conditional on that", async () => {
		const { id, slug, owner } = await givenParties();
		const shown = await get(slug);
		expect(expectOk(shown)).toMatchObject({
			organization_id: id,
			name: slug,
			primary_color: "#1F2937",
			logo_url: null,
			support_email: null,
		});
		expect(shown.headers.get("cache-control")).toBe("public, max-age=60, stale-while-revalidate=600, stale-if-error=86340");
		expect(await put(owner.token, id, GREEN, { "if-match": '"another"' })).toMatchObject({ status: 412 });
		expect(await put(owner.token, id, GREEN, { "if-match": shown.headers.get("etag") ?? "" })).toMatchObject({ status: 200 });
		expect(expectOk(await get(slug))).toMatchObject(GREEN);
	});

	it("is refused with addresses that are not public, a number that is not international, or a name of control characters", async () => {
		const { id, owner } = await givenParties();
		for (const [member, value] of [
			["terms_url", "http://umoja.example/terms"],
			["privacy_url", "https://localhost/privacy"],
			["support_phone", "0712345678"],
			["support_email", "help"],
			["name", ""],
		] as const) {
			const { status, body } = await put(owner.token, id, { ...GREEN, [member]: value });
			expect({ status, body }).toMatchObject({ status: 400, body: { invalid_params: [{ path: member }] } });
		}
	});

	it("is replaced as a whole: members that are left out become null, and created_at stays", async () => {
		const { id, slug, owner } = await givenParties();
		const first = expectOk(await call(putBrand, { as: owner.token, path: { organizationId: id }, body: FULL }));
		expect(first).toMatchObject(FULL);
		await scheduler.wait(2);
		const second = expectOk(await call(putBrand, { as: owner.token, path: { organizationId: slug }, body: GREEN }));
		expect(second).toMatchObject({ ...GREEN, logo_url: null, font_weight: null, created_at: first.created_at });
		expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(first.updated_at));
		expect(await db.select().from(brands)).toHaveLength(1);
		for (const reference of [id, slug]) expect(expectOk(await get(reference))).toEqual(second);
	});

	it("raises one event for each change, with the fields that changed", async () => {
		const { id, owner } = await givenParties();
		await put(owner.token, id, GREEN);
		const before = await get(id);
		await scheduler.wait(2);
		const again = await put(owner.token, id, { ...GREEN, logo_url: null });
		expect(again.headers.get("etag")).toBe(before.headers.get("etag"));
		expect(again.body).toEqual(before.body);
		await put(owner.token, id, { primary_color: "#000000", font_weight: 500 });
		const events = await db.select().from(webhookEvents).where(eq(webhookEvents.eventType, "branding.updated"));
		const fields = events
			.toSorted((a, b) => a.sequence - b.sequence)
			.map(({ data }) => (JSON.parse(data) as { changed_fields: string[] }).changed_fields);
		expect(fields).toEqual([["primary_color"], ["font_weight", "primary_color"]]);
	});

	it("warns of low contrast, only in the answer to the PUT", async () => {
		const { id, owner } = await givenParties();
		expect((await put(owner.token, id, { primary_color: "#ffff00" })).body).toMatchObject({ warnings: ["LOW_CONTRAST"] });
		expect((await put(owner.token, id, { primary_color: "#ffff00" })).body).toMatchObject({ warnings: ["LOW_CONTRAST"] });
		expect((await get(id)).body).not.toHaveProperty("warnings");
	});

	it("is not changed by a client that has not seen the last change", async () => {
		const { id, owner } = await givenParties();
		expect(await put(owner.token, id, GREEN, { "if-match": "*" })).toMatchObject({ status: 412 });
		const first = await put(owner.token, id, GREEN);
		const seen = { "if-match": first.headers.get("etag") ?? "" };
		expect((await get(id)).headers.get("etag")).toBe(seen["if-match"]);
		const answers = await Promise.all(["#111111", "#222222"].map((primary_color) => put(owner.token, id, { primary_color }, seen)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
		expect(answers.find(({ ok }) => !ok)?.body).toMatchObject({ code: "PRECONDITION_FAILED", invalid_params: [] });
	});

	it("stores concurrent PUTs one after the other, and every read shows exactly one of them", { tags: ["thorough"] }, async () => {
		const { id, slug, owner } = await givenParties();
		const sent = Array.from({ length: 20 }, (_, index) => `#${(index + 16).toString(16)}${(index + 16).toString(16)}00`);
		const answers = await Promise.all(
			sent.map((color, index) => put(owner.token, index % 2 ? id : slug, { primary_color: color, secondary_color: color })),
		);
		const stored = answers.filter(({ ok }) => ok);
		expect(stored.length).toBeGreaterThan(0);
		for (const answer of answers) if (!answer.ok) expect(answer.body.code).toBe("INVALID_STATE");
		const [row] = await db.select().from(brands);
		expect(row?.version).toBe(stored.length);
		for (const reference of [id, slug]) {
			const { primary_color, secondary_color } = expectOk(await get(reference));
			expect(primary_color).toBe(secondary_color);
			expect(primary_color).toBe(row?.primaryColor);
		}
	});
});

describe("bad input", () => {
	it("is reported field by field, unknown fields included", async () => {
		const { id, owner } = await givenParties();
		const answer = await put(owner.token, id, {
			primary_color: "green",
			logo_url: "http://cdn.example/logo.svg",
			font_family: "x;}",
			font_weight: 1001,
			colour: "#fff",
		});
		expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS", identifier: answer.headers.get("x-request-id") } });
		expect(answer.ok ? [] : answer.body.invalid_params?.map(({ path, sub_code }) => `${path} ${sub_code}`).sort()).toEqual([
			"colour UNKNOWN_FIELD",
			"font_family INVALID_FORMAT",
			"font_weight OUT_OF_RANGE",
			"logo_url NOT_PUBLIC_HTTPS",
			"primary_color INVALID_FORMAT",
		]);
		expect(await put(owner.token, id, {})).toMatchObject({ body: { invalid_params: [{ path: "primary_color", sub_code: "REQUIRED" }] } });
	});

	it("includes a reference of 256 characters, and one with characters that no id or slug has", async () => {
		const { owner } = await givenParties();
		const wrong = [
			["x".repeat(256), "TOO_LONG"],
			["a b", "INVALID_FORMAT"],
			["a/b", "INVALID_FORMAT"],
			["асме", "INVALID_FORMAT"],
		] as const;
		for (const [organizationId, sub_code] of wrong) {
			const refused = { status: 400, body: { code: "INVALID_PARAMS", invalid_params: [{ path: "path.organizationId", sub_code }] } };
			expect(await get(organizationId)).toMatchObject(refused);
			expect(await put(owner.token, organizationId, GREEN)).toMatchObject(refused);
		}
		expect(await get("x".repeat(255))).toMatchObject({ status: 404 });
	});
});

describe("every error under /v1/branding", () => {
	const faults = async (response: Response, status: number) => {
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ identifier: response.headers.get("x-request-id"), invalid_params: [] });
		expect(response.headers.get("cache-control")).toBe("private, no-store");
		expect(response.headers.get("access-control-allow-origin")).toBe("*");
	};

	it("has identifier and invalid_params, the router's own errors included", async () => {
		expectErrors("configuration is missing or malformed: SERVICE_KEYS");
		const { id } = await givenParties();
		const stranger = await givenMember((await givenOrganization()).id);
		const json = { "content-type": "application/json" };
		const sent = (token: string) => ({
			method: "PUT",
			headers: { ...json, authorization: `Bearer ${token}` },
			body: JSON.stringify(GREEN),
		});
		await faults(await servePath("/v1/branding/nobodys"), 404);
		await faults(await servePath(`/v1/branding/${id}`, sent("rubbish")), 401);
		await faults(await servePath(`/v1/branding/${id}`, sent(stranger.token)), 403);
		await faults(await servePath("/v1/branding/nobodys", sent(stranger.token)), 404);
		await faults(await servePath(`/v1/branding/${id}`, { method: "DELETE" }), 405);
		await faults(await servePath(`/v1/branding/${id}`, { method: "PUT", body: new Uint8Array(300_000) }), 413);
		await faults(await servePath(`/v1/branding/${id}`, sent(stranger.token), { SERVICE_KEYS: "{" }), 503);
		const beyond = await servePath(`/v1/branding/${id}/assets`);
		expect(await beyond.json()).toMatchObject({ code: "NOT_FOUND", identifier: beyond.headers.get("x-request-id"), invalid_params: [] });
	});

	it("has the same members under /v1/financing", async () => {
		for (const path of ["/v1/financing", "/v1/financing/nothing/here"]) {
			expect(await (await servePath(path)).json()).toMatchObject({ code: "NOT_FOUND", invalid_params: [] });
		}
		expect(await (await servePath("/v1/financings")).json()).not.toHaveProperty("invalid_params");
	});
});

describe("scripts of other websites", () => {
	it("may read and write brands, with a token", async () => {
		const { id, owner } = await givenParties();
		const preflight = await servePath(`/v1/branding/${id}`, { method: "OPTIONS", headers: { origin: "https://app.example" } });
		expect(preflight.status).toBe(204);
		expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
		expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, PUT");
		expect(preflight.headers.get("access-control-allow-headers")).toMatch(/\bAuthorization\b/);
		const answers = [
			await put(owner.token, id, GREEN),
			await get(id),
			await await servePath(`/v1/branding/${id}`, { headers: { "if-none-match": "*" } }),
		];
		for (const { headers } of answers) expect(headers.get("access-control-allow-origin")).toBe("*");
		const elsewhere = await servePath("/v1/me", { method: "OPTIONS" });
		expect(elsewhere.headers.get("access-control-allow-origin")).toBeNull();
	});
});

describe("credentials", () => {
	it("of readers are ignored even if they are invalid, and so is the app's version", async () => {
		const { id, owner } = await givenParties();
		await put(owner.token, id, GREEN);
		const ignored: Record<string, string>[] = [
			{ authorization: "Bearer rubbish" },
			{ "x-api-key": "sk_wrong" },
			{ authorization: `Bearer ${owner.token}`, "x-api-key": "sk_wrong" },
			{ "x-organization-id": "nobodys" },
			{ "x-app-version": "0.0.1" },
		];
		for (const headers of ignored) {
			expect(await get(id, headers)).toMatchObject({ status: 200 });
			expect((await servePath("/v1/branding/nobodys", { headers })).status).toBe(404);
		}
	});

	it("of operators allow writing the brand of any organization", async () => {
		const { slug } = await givenParties();
		expect(await put(await operatorToken(), slug, GREEN)).toMatchObject({ status: 200 });
		expect(await put(await operatorToken(), "nobodys", GREEN)).toMatchObject({ status: 404, body: { invalid_params: [] } });
	});
});
