// The throughput and the static headers of an endpoint over HTTP.

import { beforeEach, describe, expect, it } from "vitest";
import { createWebhook, getWebhook, listWebhooks, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { call, expectOk, send } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { expectErrors } from "../../../support/log";
import { attemptAt, attemptLog, fakeWorld, givenDelivery, givenWebhookOwner, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

const SECRET = "Bearer 5f1c7a90e3d24b68";
const headers = { Authorization: SECRET, "X-Tenant": "acme" };
const MASKED = { Authorization: "...4b68", "X-Tenant": "..." };
const body = { name: "billing", url: "https://hooks.example/in", events: ["user.admitted"] };

describe("the throughput of a webhook", () => {
	it("is ten concurrent attempts without a rate limit by default, and can be set and changed", async () => {
		const { as, register } = await givenWebhookOwner();
		expect(await register()).toMatchObject({ max_in_flight: 10, rate_limit: null });
		const { id } = await register({ max_in_flight: 50, rate_limit: 1_000 });
		const path = { webhook_id: id };
		expect(expectOk(await call(getWebhook, { as, path }))).toMatchObject({ max_in_flight: 50, rate_limit: 1_000 });
		const changed = expectOk(await call(updateWebhook, { as, path, body: { max_in_flight: 1, rate_limit: null } }));
		expect(changed).toMatchObject({ max_in_flight: 1, rate_limit: null });
		expect(expectOk(await call(getWebhook, { as, path }))).toEqual(changed);
	});

	it.each([
		[{ max_in_flight: 0 }, "max_in_flight", "OUT_OF_RANGE"],
		[{ max_in_flight: 51 }, "max_in_flight", "OUT_OF_RANGE"],
		[{ max_in_flight: 1.5 }, "max_in_flight", "OUT_OF_RANGE"],
		[{ max_in_flight: null }, "max_in_flight", "INVALID_TYPE"],
		[{ rate_limit: 0 }, "rate_limit", "OUT_OF_RANGE"],
		[{ rate_limit: 1_001 }, "rate_limit", "OUT_OF_RANGE"],
	])("is refused as %j", async (sent, path, sub_code) => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		const refused = { status: 400, body: { code: "INVALID_PARAMS", invalid_params: [{ path, sub_code }] } };
		expect(await send(createWebhook as never, { as, body: { ...body, ...sent } })).toMatchObject(refused);
		expect(await send(updateWebhook as never, { as, path: { webhook_id: id }, body: sent })).toMatchObject(refused);
	});
});

describe("the static headers of a webhook", () => {
	it("are shown with masked values and stored sealed", async () => {
		const { as } = await givenWebhookOwner();
		const created = await call(createWebhook, { as, body: { ...body, headers } });
		const { id, headers: shown } = expectOk(created);
		expect(shown).toEqual(MASKED);
		const read = await call(getWebhook, { as, path: { webhook_id: id } });
		const listed = await call(listWebhooks, { as });
		expect(expectOk(read).headers).toEqual(MASKED);
		expect(created.text + read.text + listed.text).not.toContain(SECRET);
		for (const table of ["webhook_endpoints", "audit_rows", "idempotency_records"]) {
			const { results } = await everyDatabase.prepare(`select * from ${table}`).all();
			expect(JSON.stringify(results)).not.toContain(SECRET);
		}
	});

	it("are sent with every delivery, in addition to the service's own", async () => {
		const { as, path, webhook } = await givenDelivery();
		await call(updateWebhook, { as, path, body: { headers } });
		world.answer = () => new Response(null, { status: 500 });
		await attemptAt(webhook.id);
		await attemptAt(webhook.id, 60_000);
		expect(world.received).toHaveLength(2);
		for (const request of world.received) {
			expect(request.headers.get("authorization")).toBe(SECRET);
			expect(request.headers.get("x-tenant")).toBe("acme");
			expect(request.headers.get("content-type")).toBe("application/json");
		}
	});

	it("are replaced as a whole by a change, and kept by a change of something else", async () => {
		const { as, path } = await givenDelivery();
		const changed = (change: Record<string, unknown>) => call(updateWebhook, { as, path, body: change });
		expect(expectOk(await changed({ headers })).headers).toEqual(MASKED);
		expect(expectOk(await changed({ description: "other" })).headers).toEqual(MASKED);
		expect(expectOk(await changed({ headers: { "X-Tenant": "other" } })).headers).toEqual({ "X-Tenant": "..." });
		expect(expectOk(await changed({ headers: {} })).headers).toEqual({});
	});

	it("that cannot be decrypted interrupt the attempt: the request is not sent without them", async () => {
		expectErrors("what an endpoint keeps sealed cannot be decrypted");
		const { as, path, webhook, delivery } = await givenDelivery();
		await call(updateWebhook, { as, path, body: { headers } });
		await everyDatabase.prepare("update webhook_endpoints set sealed_headers = 'other.AAAA.AAAA' where id = ?").bind(webhook.id).run();
		await attemptAt(webhook.id);
		expect(world.received).toEqual([]);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "INTERRUPTED" }]);
	});

	it.each([
		["eleven", Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`x-${i}`, "v"])), "headers", "TOO_LONG"],
		["a header of the service's own", { "X-Service-Signature": "v" }, "headers.X-Service-Signature", "NOT_ALLOWED"],
		["a header of Standard Webhooks", { "webhook-id": "v" }, "headers.webhook-id", "NOT_ALLOWED"],
		["a header of the connection", { Host: "v" }, "headers.Host", "NOT_ALLOWED"],
		["a line break in a value", { "X-A": "v\r\nX-B: w" }, "headers.X-A", "INVALID_FORMAT"],
		["a name twice", { "X-A": "v", "x-a": "w" }, "headers.x-a", "DUPLICATE"],
		["a value that is not text", { "X-A": 1 }, "headers.X-A", "INVALID_TYPE"],
	])("are refused: %s", async (_, refused, path, sub_code) => {
		const { as } = await givenWebhookOwner();
		const answer = await send(createWebhook as never, { as, body: { ...body, headers: refused } });
		expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path, sub_code }] } });
	});
});
