// Registering, changing and reading webhooks, and which addresses they may have.

import { beforeEach, describe, expect, it, vi } from "vitest";
import {
	createWebhook,
	deleteWebhook,
	getWebhook,
	listWebhooks,
	updateWebhook,
} from "../../../../src/domains/webhooks/endpoints/operations";
import { createSigningKey, revokeSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { call, expectOk, send } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { givenMember, givenOrganization, operatorToken } from "../../../support/factories";
import type { Vars } from "../../../support/serve";
import { fakeWorld, givenWebhookOwner, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

const body = { name: "billing", url: "https://hooks.example/in", events: ["user.admitted"] };

describe("registering a webhook", () => {
	it("allows every port unless the configuration names some", async () => {
		const { as } = await givenWebhookOwner();
		const at = (port: number, vars: Vars) => ({
			as,
			body: { ...body, name: `port ${port}`, url: `https://hooks.example:${port}/in` },
			vars,
		});
		const live = { ENVIRONMENT: "sandbox", BASE_URL: "http://localhost", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on" } as const;
		expect(await call(createWebhook, at(9443, { ...live, WEBHOOK_ALLOWED_PORTS: undefined }))).toMatchObject({ status: 201 });
		expect(await call(createWebhook, at(9444, { ...live, WEBHOOK_ALLOWED_PORTS: "*" }))).toMatchObject({ status: 201 });
		expect(await call(createWebhook, at(443, { WEBHOOK_ALLOWED_PORTS: "443" }))).toMatchObject({ status: 201 });
		expect(await call(createWebhook, at(9445, { WEBHOOK_ALLOWED_PORTS: "443" }))).toMatchObject({
			body: { invalid_params: [{ path: "url", sub_code: "NOT_PUBLIC_HTTPS" }] },
		});
	});

	it("refuses the service's own host and an empty user name", async () => {
		const { as } = await givenWebhookOwner();
		for (const url of ["https://API.example./hook", "https://@hooks.example/"]) {
			const answer = await call(createWebhook, { as, body: { ...body, url }, vars: { BASE_URL: "https://api.example" } });
			expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path: "url", sub_code: "NOT_PUBLIC_HTTPS" }] } });
		}
		expect(world.lookups).toEqual([]);
	});

	it("answers a timeout in seconds, however it was written", async () => {
		const { register } = await givenWebhookOwner();
		expect((await register({ timeout: "PT0M30S" })).timeout).toBe("PT30S");
		expect((await register({ timeout: "PT0.025M" })).timeout).toBe("PT1.5S");
	});

	it("responds 201 with the first signing key, and shows its secret only this once", async () => {
		const { as } = await givenWebhookOwner();
		const created = await call(createWebhook, { as, body });
		expect(created).toMatchObject({
			status: 201,
			body: { name: "billing", description: null, url: body.url, status: "ACTIVE", events: ["user.admitted"], timeout: "PT5S" },
		});
		const webhook = expectOk(created);
		const [key] = webhook.signing_keys;
		expect(key?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
		expect(key?.masked_secret).toBe(`whsec_...${key?.secret?.slice(-4)}`);
		const secret = key?.secret ?? "";
		const read = await call(getWebhook, { as, path: { webhook_id: webhook.id } });
		const listed = await call(listWebhooks, { as });
		expect(expectOk(read)).toEqual({ ...webhook, signing_keys: [{ ...key, secret: undefined }].map(({ secret: _, ...rest }) => rest) });
		expect(expectOk(listed)).toEqual([expectOk(read)]);
		expect(read.text + listed.text).not.toContain(secret);
		const { results } = await everyDatabase.prepare("select * from webhook_signing_keys").all();
		expect(JSON.stringify(results)).not.toContain(secret);
	});

	it("repeats the secret for ten minutes, and stores it only under the caller's own key", async () => {
		const { as } = await givenWebhookOwner();
		const headers = { "idempotency-key": "once" };
		const first = await call(createWebhook, { as, headers, body });
		const again = await call(createWebhook, { as, headers, body });
		expect(again.headers.get("idempotent-replayed")).toBe("true");
		expect(first.text).toContain('"secret"');
		expect(again.text).toBe(first.text);
		for (const table of ["idempotency_records", "sealed_answers"]) {
			const { results } = await everyDatabase.prepare(`select * from ${table}`).all();
			expect(results).toHaveLength(1);
			expect(JSON.stringify(results)).not.toContain(expectOk(first).signing_keys[0]?.secret);
		}
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 });
		const late = await call(createWebhook, { as, headers, body });
		expect(late).toMatchObject({ status: 201, body: { id: expectOk(first).id } });
		expect(late.text).not.toContain('"secret"');
	});

	it("accepts a name once in an organization", async () => {
		const { as, register } = await givenWebhookOwner();
		await register({ name: "billing" });
		expect(await call(createWebhook, { as, body })).toMatchObject({ status: 409, body: { code: "WEBHOOK_NAME_TAKEN" } });
		const other = await givenWebhookOwner();
		expect(await other.register({ name: "billing" })).toMatchObject({ name: "billing" });
	});

	it("accepts one of two concurrent requests with the same name", async () => {
		const { as } = await givenWebhookOwner();
		const answers = await Promise.all([call(createWebhook, { as, body }), call(createWebhook, { as, body })]);
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
	});

	it("stops at 100 endpoints, even for concurrent requests", async () => {
		const { as, organization } = await givenWebhookOwner();
		await everyDatabase
			.prepare(
				"with recursive n(i) as (select 1 union all select i + 1 from n where i < 98) insert into webhook_endpoints (id, organization_id, name, url, status, events, timeout_ms, created_at, updated_at) select 'w' || i, ?, 'n' || i, 'https://a.example', 'SUSPENDED', '[]', 5000, 0, 0 from n",
			)
			.bind(organization.id)
			.run();
		const names = ["a", "b", "c", "d"];
		const answers = await Promise.all(names.map((name) => call(createWebhook, { as, body: { ...body, name } })));
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
		expect(await call(createWebhook, { as, body })).toMatchObject({ body: { code: "TOO_MANY_WEBHOOKS" } });
	});

	it.each([
		["no name", { ...body, name: undefined }, "name", "REQUIRED"],
		["a name of 101 characters", { ...body, name: "é".repeat(101) }, "name", "TOO_LONG"],
		["a description of 256 characters", { ...body, description: "x".repeat(256) }, "description", "TOO_LONG"],
		["no events", { ...body, events: [] }, "events", "TOO_SHORT"],
		["an unknown event", { ...body, events: ["user.admitted", "no.such"] }, "events[1]", "NOT_ALLOWED"],
		["the test event, which needs no subscription", { ...body, events: ["webhook.test"] }, "events[0]", "NOT_ALLOWED"],
		["a timeout beyond PT30S", { ...body, timeout: "PT31S" }, "timeout", "OUT_OF_RANGE"],
		["a timeout that is not a duration", { ...body, timeout: "5 s" }, "timeout", "INVALID_FORMAT"],
		["an unknown member", { ...body, secret: "mine" }, "secret", "UNKNOWN_FIELD"],
	])("rejects %s", async (_, sent, path, sub_code) => {
		const { as } = await givenWebhookOwner();
		const answer = await send(createWebhook as never, { as, body: sent });
		expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS", invalid_params: [{ path, sub_code }] } });
	});

	it("counts 100 characters, regardless of their size in UTF-16", async () => {
		const { register } = await givenWebhookOwner();
		expect(await register({ name: "🦊".repeat(100) })).toMatchObject({ name: "🦊".repeat(100) });
	});
});

describe("the address of a webhook", () => {
	it.each([
		["plain HTTP", "http://hooks.example/in"],
		["user info", "https://user:secret@hooks.example/in"],
		["a private IP address", "https://10.0.0.1/in"],
		["a public IP address", "https://1.1.1.1/in"],
		["a link-local address in hexadecimal", "https://0xa9fea9fe/in"],
		["an IPv4-mapped loopback address", "https://[::ffff:127.0.0.1]/in"],
		["text that is not a URL", "hooks.example"],
		["a label of 64 characters", `https://${"a".repeat(64)}.example/in`],
	])("is rejected for %s, without a DNS look-up", async (_, url) => {
		const { as } = await givenWebhookOwner();
		const answer = await call(createWebhook, { as, body: { ...body, url } });
		expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path: "url", sub_code: "NOT_PUBLIC_HTTPS" }] } });
		expect(world.lookups).toEqual([]);
	});

	it.each([
		["A public", ["1.1.1.1"], 201],
		["only a public AAAA record", ["2606:4700:4700::1111"], 201],
		["A public and A loopback", ["1.1.1.1", "10.0.0.1"], 400],
		["A public and AAAA link-local", ["1.1.1.1", "fe80::1"], 400],
		["AAAA public and A private", ["2606:4700:4700::1111", "10.0.0.1"], 400],
		["the cloud metadata address", ["169.254.169.254"], 400],
		["no address", [], 400],
		["an unknown name", "NXDOMAIN", 400],
		["a resolver that fails", "SERVFAIL", 503],
		["a resolver that does not respond", "TIMEOUT", 503],
	] as const)("is accepted or rejected by the addresses of its name: %s", async (_, addresses, status) => {
		const { as } = await givenWebhookOwner();
		world.names["hooks.example"] = addresses;
		const answer = await call(createWebhook, { as, body });
		expect(answer.status).toBe(status);
		if (status === 400) expect(answer.body).toMatchObject({ invalid_params: [{ path: "url", sub_code: "NOT_PUBLIC_HTTPS" }] });
		if (status === 503) expect(answer.headers.get("retry-after")).toBeTruthy();
		expect(world.lookups.toSorted()).toEqual(["A hooks.example", "AAAA hooks.example"]);
	});

	it("may be an IP address in an allowed network, without a DNS look-up", async () => {
		const { register } = await givenWebhookOwner();
		await register({ url: "https://127.0.0.1:9443/in" });
		expect(world.lookups).toEqual([]);
		expect(world.received).toEqual([]);
	});

	it("is checked in the same way when it is changed, and stays unchanged when the check fails", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		world.names["inside.example"] = ["10.0.0.1"];
		for (const url of ["http://hooks.example/in", "https://inside.example/in"]) {
			const answer = await call(updateWebhook, { as, path: { webhook_id: id }, body: { url } });
			expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ sub_code: "NOT_PUBLIC_HTTPS" }] } });
		}
		expect(expectOk(await call(getWebhook, { as, path: { webhook_id: id } }))).toMatchObject({ url: body.url, status: "ACTIVE" });
	});
});

describe("changing a webhook", () => {
	it("changes the given members and nothing else", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id, secret: _, ...before } = await register({ description: "old" });
		const path = { webhook_id: id };
		expect(expectOk(await call(updateWebhook, { as, path, body: {} }))).toMatchObject({
			description: "old",
			updated_at: before.updated_at,
		});
		const changed = await call(updateWebhook, {
			as,
			path,
			body: { description: null, timeout: "PT30S", events: ["loan.disbursed", "webhook.failing"] },
		});
		expect(expectOk(changed)).toMatchObject({
			name: before.name,
			description: null,
			timeout: "PT30S",
			events: ["loan.disbursed", "webhook.failing"],
		});
		expect(expectOk(await call(getWebhook, { as, path }))).toEqual(expectOk(changed));
	});

	it("does not change the name", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		const answer = await send(updateWebhook as never, { as, path: { webhook_id: id }, body: { name: "other" } });
		expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path: "name", sub_code: "UNKNOWN_FIELD" }] } });
	});

	it("suspends and resumes by status, with reason and time", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		const path = { webhook_id: id };
		const suspended = expectOk(await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } }));
		expect(suspended).toMatchObject({ status: "SUSPENDED", suspension_reason: "MANUAL", suspended_at: expect.any(String) });
		const again = expectOk(await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } }));
		expect(again.suspended_at).toBe(suspended.suspended_at);
		const resumed = expectOk(await call(updateWebhook, { as, path, body: { status: "ACTIVE" } }));
		expect(resumed).toMatchObject({ status: "ACTIVE", suspension_reason: null, suspended_at: null });
	});
});

describe("a webhook of another organization", () => {
	it("is not found by any operation", async () => {
		const { register } = await givenWebhookOwner();
		const { id, signing_keys } = await register();
		const { as } = await givenWebhookOwner();
		const path = { webhook_id: id };
		expect((await call(getWebhook, { as, path })).status).toBe(404);
		expect((await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } })).status).toBe(404);
		expect((await call(deleteWebhook, { as, path })).status).toBe(404);
		expect((await call(createSigningKey, { as, path })).status).toBe(404);
		expect((await call(revokeSigningKey, { as, path: { ...path, signing_key_id: signing_keys[0]?.id ?? "" } })).status).toBe(404);
		expect(expectOk(await call(listWebhooks, { as }))).toEqual([]);
	});

	it("is found by its id in capital letters", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		expect((await call(getWebhook, { as, path: { webhook_id: id.toUpperCase() } })).status).toBe(200);
	});

	it("is managed by roles with the permission, and by operators who name the organization", async () => {
		const organization = await givenOrganization();
		const developer = await givenMember(organization.id, "organization-developer");
		const viewer = await givenMember(organization.id, "organization-viewer");
		expect((await call(createWebhook, { as: developer.token, body })).status).toBe(201);
		expect((await call(listWebhooks, { as: viewer.token })).status).toBe(403);
		const headers = { "x-organization-id": organization.slug };
		expect(expectOk(await call(listWebhooks, { as: await operatorToken(), headers }))).toHaveLength(1);
		expect((await call(listWebhooks, {})).status).toBe(401);
	});
});
