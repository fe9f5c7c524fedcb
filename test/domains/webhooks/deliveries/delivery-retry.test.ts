// Of many manual retries at once, one is taken.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { MANUAL_RETRY_INTERVAL_MS } from "../../../../src/domains/webhooks/attempts/policy";
import { retryDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { call } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { inObject, runAlarm, type Stub } from "../../../support/durable-objects";
import { eventually } from "../../../support/eventually";
import { testEnv } from "../../../support/storage";
import { attemptAt, fakeWorld, givenWebhookOwner, onlyDelivery, raiseQuietly } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

const guard = () => testEnv.DELIVERY_RETRIES.getByName(crypto.randomUUID());
const kept = (stub: Stub) => inObject(stub, ({ storage }) => [...storage.kv.list()].length);

describe("the limit on manual retries of a delivery", () => {
	it("permits one of many calls, and answers the others how long to wait", async () => {
		const stub = guard();
		const permits = await Promise.all([0, 1, 2, 3].map(() => stub.take(1_000)));
		expect(permits.filter(({ taken }) => taken)).toHaveLength(1);
		expect(permits.filter(({ taken }) => !taken)).toEqual(Array(3).fill({ taken: false, waitMs: MANUAL_RETRY_INTERVAL_MS }));
	});

	it("permits the next call a minute later by the service's clock", async () => {
		const stub = guard();
		await stub.take(1_000);
		expect(await stub.take(1_000 + MANUAL_RETRY_INTERVAL_MS - 1)).toEqual({ taken: false, waitMs: 1 });
		expect(await stub.take(1_000 + MANUAL_RETRY_INTERVAL_MS)).toEqual({ taken: true });
	});

	it("deletes its state by alarm", async () => {
		const stub = guard();
		await stub.take(1_000);
		expect(await kept(stub)).toBe(1);
		expect(await runAlarm(stub)).toBe(true);
		expect(await kept(stub)).toBe(0);
		expect(await runAlarm(stub)).toBe(false);
	});

	it("permits another call when the retry could not be committed", async () => {
		const { as, organization, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		const { id } = await onlyDelivery(webhook.id);
		const retry = () => call(retryDelivery, { as, path: { delivery_id: id } });
		await everyDatabase.exec(
			"create trigger refuse before update of round on webhook_deliveries begin select raise(abort, 'refused'); end",
		);
		vi.spyOn(console, "error").mockImplementation(() => {});
		expect((await retry()).status).toBe(500);
		await everyDatabase.exec("drop trigger refuse");
		expect((await retry()).status).toBe(200);
		await eventually(async () => expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 2 }));
	});

	it("holds even if its state is lost: D1 still rejects a second retry within the minute", async () => {
		const { as, organization, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		const { id } = await onlyDelivery(webhook.id);
		const retry = () => call(retryDelivery, { as, path: { delivery_id: id } });
		expect((await retry()).status).toBe(200);
		await eventually(async () => expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 2 }));
		await testEnv.DELIVERY_RETRIES.getByName(id).giveBack();
		const refused = await retry();
		expect(refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	});
});
