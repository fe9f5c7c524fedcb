// What another request changes between a request's read and its commit.

import { beforeEach, describe, expect, it } from "vitest";
import { retryDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { testWebhook } from "../../../../src/domains/webhooks/deliveries/test.operations";
import { deleteWebhook, getWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { createSigningKey, revokeSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { webhookSigningKeys } from "../../../../src/domains/webhooks/table";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { db } from "../../../support/factories";
import { beforeCommit } from "../../../support/loans";
import { attemptAt, deliveriesOf, fakeWorld, givenWebhookOwner, onlyDelivery, raiseQuietly } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

async function givenEndpoint() {
	const { as, register, organization } = await givenWebhookOwner();
	const { id, signing_keys } = await register();
	const path = { webhook_id: id };
	const keyPath = { ...path, signing_key_id: signing_keys[0]?.id ?? "" };
	return {
		...{ as, id, path, keyPath, organization },
		suspend: () => call(updateWebhook, { as, path, body: { status: "SUSPENDED" } }),
		resume: () => call(updateWebhook, { as, path, body: { status: "ACTIVE" } }),
		remove: () => call(deleteWebhook, { as, path }),
		revoke: () => call(revokeSigningKey, { as, path: keyPath }),
	};
}

describe("an endpoint that is deleted meanwhile", () => {
	it("gets no key, no test and no change, and is deleted once", async () => {
		const requests = [
			({ as, path }, vars) => call(createSigningKey, { as, path, vars }),
			({ as, path }, vars) => call(testWebhook, { as, path, vars }),
			({ as, path }, vars) => call(updateWebhook, { as, path, body: { description: "new" }, vars }),
			({ as, path }, vars) => call(deleteWebhook, { as, path, vars }),
		] satisfies ((given: Awaited<ReturnType<typeof givenEndpoint>>, vars: ReturnType<typeof beforeCommit>) => unknown)[];
		for (const request of requests) {
			const given = await givenEndpoint();
			expect(await request(given, beforeCommit(given.remove))).toMatchObject({ status: 404 });
			expect(await deliveriesOf(given.id)).toEqual([]);
		}
		expect(await db.select().from(webhookSigningKeys)).toEqual([]);
	});
});

describe("an endpoint that is suspended meanwhile", () => {
	it("gets no test", async () => {
		const { as, id, path, suspend } = await givenEndpoint();
		expect(await call(testWebhook, { as, path, vars: beforeCommit(suspend) })).toMatchObject({
			status: 409,
			body: { code: "WEBHOOK_SUSPENDED" },
		});
		expect(await deliveriesOf(id)).toEqual([]);
	});

	it("is sent nothing again", async () => {
		const { as, id, organization, suspend } = await givenEndpoint();
		await raiseQuietly(organization.id);
		await attemptAt(id);
		const path = { delivery_id: (await onlyDelivery(id)).id };
		expect(await call(retryDelivery, { as, path, vars: beforeCommit(suspend) })).toMatchObject({
			status: 409,
			body: { code: "WEBHOOK_SUSPENDED" },
		});
		expect(await onlyDelivery(id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
	});

	it("recovers nothing", async () => {
		const { as, id, path, organization, suspend, resume } = await givenEndpoint();
		await suspend();
		await raiseQuietly(organization.id);
		await resume();
		const body = { since: new Date(Date.now() - 60_000).toISOString() };
		expect(await call(recoverWebhook, { as, path, body, vars: beforeCommit(suspend) })).toMatchObject({
			status: 409,
			body: { code: "WEBHOOK_SUSPENDED" },
		});
		expect(await deliveriesOf(id)).toEqual([]);
	});
});

describe("a delivery that leaves meanwhile", () => {
	it("is not sent again", async () => {
		const { as, id, organization } = await givenEndpoint();
		await raiseQuietly(organization.id);
		await attemptAt(id);
		const path = { delivery_id: (await onlyDelivery(id)).id };
		const leave = () => everyDatabase.exec("delete from webhook_receipts");
		expect(await call(retryDelivery, { as, path, vars: beforeCommit(leave) })).toMatchObject({ status: 404 });
	});
});

describe("the last key of an endpoint", () => {
	it("is not revoked while the endpoint is resumed", async () => {
		const { as, keyPath, suspend, resume } = await givenEndpoint();
		await suspend();
		expect(await call(revokeSigningKey, { as, path: keyPath, vars: beforeCommit(resume) })).toMatchObject({
			status: 409,
			body: { code: "LAST_SIGNING_KEY" },
		});
	});

	it("keeps the endpoint suspended that is resumed while the key is revoked", async () => {
		const { as, path, suspend, revoke } = await givenEndpoint();
		await suspend();
		expect(await call(updateWebhook, { as, path, body: { status: "ACTIVE" }, vars: beforeCommit(revoke) })).toMatchObject({
			status: 409,
			body: { code: "NO_SIGNING_KEY" },
		});
		expect(expectOk(await call(getWebhook, { as, path })).status).toBe("SUSPENDED");
	});

	it("is revoked once", async () => {
		const { as, path, keyPath, revoke } = await givenEndpoint();
		expectOk(await call(createSigningKey, { as, path }));
		expect(await call(revokeSigningKey, { as, path: keyPath, vars: beforeCommit(revoke) })).toMatchObject({ status: 404 });
	});
});
