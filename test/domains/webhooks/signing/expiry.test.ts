// Keys with an end sign until then, and not after.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { verifySignature } from "../../../../src/domains/webhooks/diagnosis/operations";
import { getWebhook, listWebhooks, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { expireSigningKeys } from "../../../../src/domains/webhooks/signing/job";
import { createSigningKey, revokeSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { DAY_MS, HOUR_MS } from "../../../../src/shared/time";
import { call, expectOk, send } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import {
	attemptAt,
	deliveriesOf,
	expectSigned,
	fakeWorld,
	givenDelivery,
	givenWebhookOwner,
	quietQueue,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** An endpoint whose first key ends a day after it was replaced by a second one. */
async function givenRotation() {
	const given = await givenDelivery();
	const { as, path, webhook } = given;
	const second = expectOk(await call(createSigningKey, { as, path, body: { expire_others_in: "PT24H" } }));
	const [firstKey] = webhook.signing_keys;
	const keys = async () => expectOk(await call(getWebhook, { as, path })).signing_keys;
	const revoke = (id = "") => call(revokeSigningKey, { as, path: { ...path, signing_key_id: id } });
	const announced = async () =>
		expectOk(await call(listEvents, { as, query: { type: "webhook.key_expired" } })).data.map(({ data }) => data);
	const sweep = async (aheadMs = 0) => expireSigningKeys({ ...(await services(aheadMs)), queue: quietQueue });
	return { ...given, first: { id: firstKey?.id ?? "", secret: webhook.secret }, second, keys, revoke, announced, sweep };
}

describe("a rotation with an end", () => {
	it("shows when the older key ends, and no end of the new one", async () => {
		const { second, first, keys, as } = await givenRotation();
		expect(second.expires_at).toBeNull();
		const [newer, older] = await keys();
		expect([newer?.id, newer?.expires_at, older?.id]).toEqual([second.id, null, first.id]);
		expect(Date.parse(older?.expires_at ?? "") - Date.parse(second.created_at)).toBe(DAY_MS);
		expect(expectOk(await call(listWebhooks, { as }))[0]?.signing_keys).toEqual(await keys());
	});

	it("signs with both keys up to that instant, and then with the new one alone, without any sweep", async () => {
		const { webhook, first, second } = await givenRotation();
		world.answer = () => new Response(null, { status: 500 });
		await attemptAt(webhook.id, DAY_MS - HOUR_MS);
		await attemptAt(webhook.id, DAY_MS);
		const [before, after] = world.received;
		if (!before || !after) throw new Error("expected two requests");
		expectSigned(before, [second.secret ?? "", first.secret]);
		expectSigned(after, [second.secret ?? ""]);
	});

	it("stops signing with the older key even when the instant passes between claim and request", async () => {
		const { webhook, second } = await givenRotation();
		const real = Date.now.bind(Date);
		world.resolving = async () => {
			vi.spyOn(Date, "now").mockImplementation(() => real() + DAY_MS);
		};
		await attemptAt(webhook.id);
		vi.restoreAllMocks();
		const [request] = world.received;
		if (!request) throw new Error("expected a request");
		expect(request.headers.get("webhook-signature")?.split(" ")).toHaveLength(1);
		expectSigned(request, [second.secret ?? ""]);
	});

	it("announces the end once, to every subscribed endpoint, and hides the key", async () => {
		const { as, path, webhook, first, second, keys, announced, sweep } = await givenRotation();
		await call(updateWebhook, { as, path, body: { events: ["webhook.key_expired"] } });
		await sweep(DAY_MS - HOUR_MS);
		expect(await announced()).toEqual([]);
		await moveClock(DAY_MS);
		expect((await keys()).map(({ id }) => id)).toEqual([second.id]);
		await Promise.all([sweep(), sweep()]);
		await sweep(HOUR_MS);
		expect(await announced()).toEqual([
			{ webhook_id: webhook.id, name: webhook.name, signing_key_id: first.id, expired_at: expect.any(String) },
		]);
		expect((await deliveriesOf(webhook.id)).map(({ eventType }) => eventType)).toEqual(["user.admitted", "webhook.key_expired"]);
	});

	it("makes room for another key at its end, before any sweep", async () => {
		const { as, path, keys } = await givenRotation();
		expect(await call(createSigningKey, { as, path })).toMatchObject({ status: 409, body: { code: "TOO_MANY_SIGNING_KEYS" } });
		await moveClock(DAY_MS);
		expect(await call(createSigningKey, { as, path })).toMatchObject({ status: 201 });
		expect(await keys()).toHaveLength(2);
	});

	it("announces nothing when the older key is revoked before its end", async () => {
		const { first, revoke, announced, sweep } = await givenRotation();
		expect((await revoke(first.id)).status).toBe(204);
		await sweep(2 * DAY_MS);
		expect(await announced()).toEqual([]);
	});

	it("keeps the new key from being revoked: it is the only key without an end", async () => {
		const { as, path, second, revoke } = await givenRotation();
		expect(await revoke(second.id)).toMatchObject({ status: 409, body: { code: "LAST_SIGNING_KEY" } });
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		expect((await revoke(second.id)).status).toBe(204);
		expect(await call(updateWebhook, { as, path, body: { status: "ACTIVE" } })).toMatchObject({ body: { code: "NO_SIGNING_KEY" } });
	});

	it("makes the signature debugger call the expired key revoked", async () => {
		const { as, path, webhook, first } = await givenRotation();
		await attemptAt(webhook.id);
		const [request] = world.received;
		const header = request?.headers.get("x-service-signature")?.replace(/,v1=[0-9a-f]{64}/, "") ?? "";
		const verdict = async () => expectOk(await call(verifySignature, { as, path, body: { header, body: request?.body ?? "" } })).reason;
		expect(first.secret).toMatch(/^whsec_/);
		expect(await verdict()).toBe("VALID");
		await moveClock(DAY_MS);
		expect(await verdict()).toBe("REVOKED_KEY");
	});
});

describe("expire_others_in", () => {
	it.each([
		["PT0S", "OUT_OF_RANGE"],
		["P31D", "OUT_OF_RANGE"],
		["P30DT0.001S", "OUT_OF_RANGE"],
		["P1Y", "OUT_OF_RANGE"],
		["a day", "INVALID_FORMAT"],
		["-PT1H", "INVALID_FORMAT"],
		[3600, "INVALID_TYPE"],
	])("is refused as %s", async (expire_others_in, sub_code) => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		const answer = await send(createSigningKey as never, { as, path: { webhook_id: id }, body: { expire_others_in } });
		expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path: "expire_others_in", sub_code }] } });
	});

	it.each(["PT1S", "P30D", "P4W"])("is accepted as %s", async (expire_others_in) => {
		const { as, register } = await givenWebhookOwner();
		const { id } = await register();
		expect((await call(createSigningKey, { as, path: { webhook_id: id }, body: { expire_others_in } })).status).toBe(201);
	});
});
