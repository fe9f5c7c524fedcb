// Signing keys are rotated without a delivery that fails.

import { beforeEach, describe, expect, it } from "vitest";
import { getWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { createSigningKey, revokeSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { fakeWorld, givenWebhookOwner } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

describe("signing keys", () => {
	it("are at most two, newest first", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id, signing_keys } = await register();
		const path = { webhook_id: id };
		const second = expectOk(await call(createSigningKey, { as, path }));
		expect(second.secret).toMatch(/^whsec_/);
		const shown = expectOk(await call(getWebhook, { as, path })).signing_keys;
		expect(shown.map((key) => key.id)).toEqual([second.id, signing_keys[0]?.id]);
		expect(await call(createSigningKey, { as, path })).toMatchObject({ status: 409, body: { code: "TOO_MANY_SIGNING_KEYS" } });
	});

	it("never become three or zero under concurrent calls", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		const path = { webhook_id: id };
		const minted = await Promise.all([1, 2, 3].map(() => call(createSigningKey, { as, path })));
		expect(minted.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
		const keys = expectOk(await call(getWebhook, { as, path })).signing_keys;
		const revoked = await Promise.all(keys.map((key) => call(revokeSigningKey, { as, path: { ...path, signing_key_id: key.id } })));
		expect(revoked.map(({ status }) => status).sort()).toEqual([204, 409]);
	});

	it("can all be revoked while the webhook is suspended, which then cannot resume without a key", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id, signing_keys } = await register();
		const path = { webhook_id: id };
		const keyPath = { ...path, signing_key_id: signing_keys[0]?.id ?? "" };
		expect(await call(revokeSigningKey, { as, path: keyPath })).toMatchObject({ status: 409, body: { code: "LAST_SIGNING_KEY" } });
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		expect((await call(revokeSigningKey, { as, path: keyPath })).status).toBe(204);
		expect((await call(revokeSigningKey, { as, path: keyPath })).status).toBe(404);
		expect(await call(updateWebhook, { as, path, body: { status: "ACTIVE" } })).toMatchObject({ body: { code: "NO_SIGNING_KEY" } });
		await call(createSigningKey, { as, path });
		expect((await call(updateWebhook, { as, path, body: { status: "ACTIVE" } })).status).toBe(200);
	});
});

describe("rotating signing keys again and again", () => {
	it("keeps the latest 20 revoked keys", async () => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		await everyDatabase
			.prepare(
				"insert into webhook_signing_keys (id, webhook_id, sealed_secret, masked_secret, created_at, revoked_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < 30) select printf('k%02d', i), ?, 's', 'm', i, i from n",
			)
			.bind(id)
			.run();
		expect(await call(createSigningKey, { as, path: { webhook_id: id } })).toMatchObject({ status: 201 });
		const { results } = await everyDatabase.prepare("select id from webhook_signing_keys where revoked_at is not null order by id").all();
		expect(results.map((row) => row.id)).toEqual(Array.from({ length: 20 }, (_, i) => `k${i + 11}`));
	});
});
