// Brands that an isolate remembers, for direct callers and while D1 is down. Copies near readers are tried in test/edge.test.ts.

import { describe, expect, it, vi } from "vitest";
import { getBrand, putBrand } from "../../../src/domains/branding/operations";
import { forgetAll } from "../../../src/shared/cache";
import { changeBehind } from "../../support/brands";
import { call, expectOk } from "../../support/client";
import { alone, wrapped } from "../../support/databases";
import { givenMember, givenOrganization } from "../../support/factories";
import { expectErrors } from "../../support/log";
import { servePath } from "../../support/serve";
import { meteredBindings } from "../../support/statements";

async function givenBrand(primary_color = "#0A7D38") {
	const { id, slug } = await givenOrganization();
	const owner = await givenMember(id);
	const put = (color: string) => call(putBrand, { as: owner.token, path: { organizationId: id }, body: { primary_color: color } });
	expectOk(await put(primary_color));
	return { id, slug, put };
}
const get = (organizationId: string, headers: Record<string, string> = {}) => call(getBrand, { path: { organizationId }, headers });
const colorOf = async (reference: string) => expectOk(await get(reference)).primary_color;
const trips = (headers: Headers) => /trips=(\d+)/.exec(headers.get("server-timing") ?? "")?.[1];

const BROKEN = wrapped(
	() =>
		({
			prepare: () => {
				throw new Error("D1 is down");
			},
			withSession: () => ({
				prepare: () => {
					throw new Error("D1 is down");
				},
				getBookmark: () => null,
			}),
		}) as unknown as D1Database,
);

describe("a repeated read of a brand", () => {
	it("costs no round trip, by id and by slug", async () => {
		const { id, slug } = await givenBrand();
		for (const reference of [id, slug, id.toUpperCase()]) {
			{
				const answer = await get(reference, { "x-request-id": "mine" });
				expect(trips(answer.headers)).toBe("0");
				expect(answer.headers.get("x-request-id")).toBe("mine");
				expect(answer.headers.get("cache-control")).toBe("public, max-age=60, stale-while-revalidate=600, stale-if-error=86340");
				expect(answer.headers.get("etag")).toMatch(/^"[0-9a-f]{32}"$/);
			}
		}
	});

	it("answers 304 to a client that has the brand, and HEAD without a body, from a copy and from D1", async () => {
		const { id } = await givenBrand();
		const etag = (await get(id)).headers.get("etag") ?? "";
		for (const forget of [forgetAll, () => {}]) {
			forget();
			const answer = await servePath(`/v1/branding/${id}`, { headers: { "if-none-match": `W/${etag}` } });
			expect(answer.status).toBe(304);
			expect(answer.headers.get("etag")).toBe(etag);
			expect(await answer.text()).toBe("");
		}
		const head = await servePath(`/v1/branding/${id}`, { method: "HEAD" });
		expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", etag]);
	});

	it("shows the writer's change immediately under both references", async () => {
		const { id, slug, put } = await givenBrand();
		for (const color of ["#111111", "#222222"]) {
			await put(color);
			expect([await colorOf(id), await colorOf(slug)]).toEqual([color, color]);
		}
	});

	it("looks the brand up once for fifty concurrent readers", async () => {
		const { id } = await givenBrand();
		forgetAll();
		const { vars, meter } = meteredBindings();
		const answers = await Promise.all(Array.from({ length: 50 }, () => servePath(`/v1/branding/${id}`, {}, vars)));
		expect(answers.every(({ status }) => status === 200)).toBe(true);
		if (alone) expect(meter.trips).toBe(1);
	});
});

describe("a remembered brand", () => {
	it("over ten seconds old is not answered while D1 responds, nor a younger one to a reader that keeps the answer", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		const { id } = await givenBrand("#111111");
		await changeBehind(id, "#222222");
		vi.setSystemTime(Date.now() + 9_000);
		const young = await get(id);
		expect([expectOk(young).primary_color, young.headers.get("age")]).toEqual(["#111111", "9"]);
		expect(expectOk(await get(id, { "cache-control": "no-cache" })).primary_color).toBe("#222222");
		await changeBehind(id, "#333333");
		vi.setSystemTime(Date.now() + 10_000);
		expect(await colorOf(id)).toBe("#333333");
	});

	it("of any age is answered while D1 is down, and is not to be kept", async () => {
		expectErrors("request failed");
		vi.useFakeTimers({ toFake: ["Date"] });
		const { id, slug } = await givenBrand();
		const etag = (await get(id)).headers.get("etag");
		vi.setSystemTime(Date.now() + 6 * 86_400_000);
		for (const reference of [id, slug]) {
			const answer = await call(getBrand, { path: { organizationId: reference }, vars: BROKEN });
			expect(expectOk(answer).primary_color).toBe("#0A7D38");
			expect([answer.headers.get("etag"), answer.headers.get("cache-control")]).toEqual([etag, "private, no-store"]);
		}
		const unknown = await call(getBrand, { path: { organizationId: "nobodys" }, vars: BROKEN });
		expect([unknown.status, unknown.ok ? null : unknown.body.invalid_params]).toEqual([500, []]);
	});

	it("is answered without a valid configuration", async () => {
		const { id } = await givenBrand();
		expect(await call(getBrand, { path: { organizationId: id }, vars: { SERVICE_KEYS: "{" } })).toMatchObject({ status: 200 });
	});
});

describe("a reference that no organization has", () => {
	it("is remembered for a few seconds", async () => {
		expect(await get("nobodys")).toMatchObject({ status: 404 });
		expect(await call(getBrand, { path: { organizationId: "nobodys" }, vars: BROKEN })).toMatchObject({ status: 404 });
	});
});

describe("the default brand", () => {
	it("is cached like another, and gives way to the organization's own at once", async () => {
		const { id, slug } = await givenOrganization();
		const owner = await givenMember(id);
		for (const reference of [id, slug]) {
			expect(expectOk(await get(reference))).toMatchObject({ name: slug, primary_color: "#1F2937" });
			expect(await call(getBrand, { path: { organizationId: reference }, vars: BROKEN })).toMatchObject({ status: 200 });
		}
		await call(putBrand, { as: owner.token, path: { organizationId: slug }, body: { primary_color: "#333333" } });
		expect([await colorOf(id), await colorOf(slug)]).toEqual(["#333333", "#333333"]);
	});
});

describe("a read of a brand", () => {
	it("counts towards the limit of the reader's address, while copies do not", async () => {
		const { id } = await givenBrand();
		let counted = 0;
		const vars = { RATE_LIMITS: "on", EXCHANGE_LIMIT: { limit: async () => ({ success: ++counted < 1 }) } };
		expect(await call(getBrand, { path: { organizationId: id }, vars })).toMatchObject({ status: 200 });
		expect(counted).toBe(0);
		const refused = await call(getBrand, { path: { organizationId: "nobodys" }, vars });
		expect([refused.status, refused.ok ? null : refused.body.invalid_params]).toEqual([429, []]);
	});
});
