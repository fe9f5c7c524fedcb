// App settings over HTTP, and the refusal of apps below the minimum version.

import { describe, expect, it, vi } from "vitest";
import { getAppSettings, putAppSettings } from "../../../src/domains/app-settings/operations";
import { createOrganization } from "../../../src/domains/organizations/operations";
import { getMe } from "../../../src/domains/users/profile.operations";
import { forgetAll } from "../../../src/shared/cache";
import { call, expectOk, send } from "../../support/client";
import { everyDatabase } from "../../support/databases";
import { givenUser, operatorToken } from "../../support/factories";
import { expectErrors } from "../../support/log";

const get = (query: Parameters<typeof call<undefined, typeof getAppSettings.request, typeof getAppSettings.response>>[1]["query"] = {}) =>
	call(getAppSettings, { query });
const put = async (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
	send(putAppSettings as never, { as: await operatorToken(), body, headers });

describe("app settings", () => {
	it("serve every version until an operator stores settings", async () => {
		const answer = await get({ version: "0.0.1" });
		expect(expectOk(answer)).toEqual({
			minimum_supported_version: "0.0.0",
			latest_version: "0.0.0",
			update_required: false,
			update_recommended: false,
			platforms: {},
			grace_until: null,
			maintenance: { active: false, message: null, until: null },
			default_currency: null,
			supported_countries: [],
			support: { mobile_number: null, email: null },
			features: {},
		});
		expect(answer.headers.get("cache-control")).toBe("public, max-age=300, stale-if-error=86100");
	});

	it("are returned as they were stored, and accepted back unchanged", async () => {
		const body = {
			minimum_supported_version: "4.2.0",
			latest_version: "4.10.0",
			platforms: { IOS: { minimum_supported_version: "5.0.0", latest_version: "5.1.0", store_url: "https://apps.example/1" } },
			grace_until: null,
			maintenance: { active: true, message: "Back soon", until: "2026-12-01T00:00:00Z" },
			default_currency: "KES",
			supported_countries: [{ country_code: "KE", calling_code: "+254", currency: "KES" }],
			support: { mobile_number: "+254700000000", email: "help@example.com" },
			features: { transfers: true },
		};
		const answer = await put(body);
		expect(answer).toMatchObject({ status: 200, body });
		const got = await get();
		expect(got.text).toBe(answer.text);
		expect(got.headers.get("etag")).toBe(answer.headers.get("etag"));
		expect((await put(expectOk(got))).text).toBe(got.text);
	});

	it("judge the requested version by the versions of its platform", async () => {
		await put({
			minimum_supported_version: "4.2.0",
			latest_version: "4.10.0",
			platforms: { IOS: { minimum_supported_version: "5.0.0" } },
		});
		expect(expectOk(await get({ version: "4.9.9" }))).toMatchObject({ update_required: false, update_recommended: true });
		expect(expectOk(await get({ version: "4.1.0", platform: "ANDROID" }))).toMatchObject({ update_required: true });
		expect(expectOk(await get({ version: "4.9.9", platform: "IOS" }))).toMatchObject({
			minimum_supported_version: "5.0.0",
			latest_version: "5.0.0",
			update_required: true,
		});
		expect(await send(getAppSettings as never, { query: { version: "newest" } })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "query.version" }] },
		});
	});

	it("are rejected with a version that is not semantic or with an unknown member", async () => {
		for (const body of [{}, { minimum_supported_version: "4.2" }, { minimum_supported_version: "4.2.0", colour: "red" }]) {
			expect(await put(body)).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
		}
		const { token } = await givenUser();
		expect(await send(putAppSettings as never, { as: token, body: { minimum_supported_version: "1.0.0" } })).toMatchObject({ status: 403 });
	});

	it("are not changed by an operator who has not seen the last change", async () => {
		const before = (await get()).headers.get("etag") ?? "";
		expect(await put({ minimum_supported_version: "1.0.0" }, { "if-match": before })).toMatchObject({ status: 200 });
		expect(await put({ minimum_supported_version: "2.0.0" }, { "if-match": before })).toMatchObject({
			status: 412,
			body: { code: "PRECONDITION_FAILED" },
		});
		const now = (await get()).headers.get("etag") ?? "";
		expect(await put({ minimum_supported_version: "2.0.0" }, { "if-match": `W/${now}` })).toMatchObject({ status: 412 });
		expect(await put({ minimum_supported_version: "2.0.0" }, { "if-match": `"x", ${now}` })).toMatchObject({ status: 200 });
		expect(await put({ minimum_supported_version: "3.0.0" }, { "if-match": "*" })).toMatchObject({ status: 200 });
	});

	it("accept one of two concurrent changes with the same If-Match", async () => {
		const seen = (await get()).headers.get("etag") ?? "";
		const answers = await Promise.all(["1.0.0", "2.0.0"].map((v) => put({ minimum_supported_version: v }, { "if-match": seen })));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
	});

	it("cost no round trip once an isolate knows them, and show a change immediately", async () => {
		await get();
		expect((await get()).headers.get("server-timing")).toContain("trips=0 ");
		await put({ minimum_supported_version: "1.0.0" });
		const answer = await get();
		expect(expectOk(answer).minimum_supported_version).toBe("1.0.0");
		expect(answer.headers.get("server-timing")).toContain("trips=0 ");
	});

	it("hold up no request of an app however long an isolate has known them, and are renewed after the answer", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		await put({ minimum_supported_version: "1.0.0" });
		await get();
		await everyDatabase
			.prepare("update app_settings set version = version + 1, settings = json_set(settings, '$.minimum_supported_version', '2.0.0')")
			.run();
		vi.setSystemTime(Date.now() + 86_400_000);
		const { token } = await givenUser();
		const asked = { as: token, headers: { "x-app-version": "1.0.0" }, vars: {} };
		const first = await call(getMe, asked);
		expect([first.status, first.headers.get("server-timing")]).toEqual([200, expect.stringContaining("trips=1 ")]);
		expect(await call(getMe, asked)).toMatchObject({ status: 426 });
	});

	it("are served from memory while the database is down, and are not to be kept", async () => {
		expectErrors("app settings could not be read");
		vi.useFakeTimers({ toFake: ["Date"] });
		await put({ minimum_supported_version: "1.0.0" });
		await everyDatabase.exec("drop table app_settings");
		vi.setSystemTime(Date.now() + 86_400_000);
		for (const query of [{}, { version: "0.9.0" }]) {
			const answer = await get(query);
			expect([expectOk(answer).minimum_supported_version, answer.headers.get("cache-control")]).toEqual(["1.0.0", "private, no-store"]);
		}
		forgetAll();
		expect(await get()).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
	});
});

describe("an app below the minimum", () => {
	const STORE = "https://apps.apple.com/app/id1";
	const app = (version: string, platform = "ANDROID") => ({ "x-app-version": version, "x-app-platform": platform });

	it("gets the answer to upgrade before its credentials or input are checked", async () => {
		await put({ minimum_supported_version: "4.2.0", platforms: { IOS: { minimum_supported_version: "5.0.0", store_url: STORE } } });
		const refused = { status: 426, body: { code: "UPGRADE_REQUIRED" } };
		const ios = { status: 426, body: { code: "UPGRADE_REQUIRED", store_url: STORE } };
		expect((await call(getMe, { headers: app("4.1.9") })).body).not.toHaveProperty("store_url");
		expect(await call(getMe, { headers: app("4.1.9") })).toMatchObject(refused);
		expect(await send(createOrganization as never, { body: "{", headers: app("4.1.9") })).toMatchObject(refused);
		const { token } = await givenUser();
		expect(await call(getMe, { as: token, headers: app("4.9.0", "IOS") })).toMatchObject(ios);
		expect(await call(getMe, { as: token, headers: app("4.9.0", "ios") })).toMatchObject(ios);
		const served = await call(getMe, { as: token, headers: app("4.9.0") });
		expect(served).toMatchObject({ status: 200 });
		expect(served.headers.get("server-timing")).toContain("trips=1 ");
	});

	it("can still read the settings, and operators can still fix them", async () => {
		await put({ minimum_supported_version: "4.2.0" });
		expect(await call(getAppSettings, { query: {}, headers: app("1.0.0") })).toMatchObject({ status: 200 });
		expect(await put({ minimum_supported_version: "1.0.0" }, app("1.0.0"))).toMatchObject({ status: 200 });
		const { token } = await givenUser();
		expect(await call(getMe, { as: token, headers: app("1.0.0") })).toMatchObject({ status: 200 });
	});

	it("is served during the grace period", async () => {
		await put({ minimum_supported_version: "4.2.0", grace_until: new Date(Date.now() + 60_000).toISOString() });
		const { token } = await givenUser();
		expect(await call(getMe, { as: token, headers: app("1.0.0") })).toMatchObject({ status: 200 });
		await put({ minimum_supported_version: "4.2.0", grace_until: new Date(Date.now() - 1).toISOString() });
		expect(await call(getMe, { as: token, headers: app("1.0.0") })).toMatchObject({ status: 426 });
	});

	it("is recognized only by its version header: a missing or unreadable version is served", async () => {
		await put({ minimum_supported_version: "4.2.0" });
		const { token } = await givenUser();
		for (const headers of [{}, { "x-app-platform": "IOS" }, app("unknown"), app("")]) {
			expect(await call(getMe, { as: token, headers: headers as Record<string, string> })).toMatchObject({ status: 200 });
		}
	});
});
