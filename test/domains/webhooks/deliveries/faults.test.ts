// Lost messages, crashes and storage failures cost time, not deliveries.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { deleteWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { purgeWebhooks } from "../../../../src/domains/webhooks/keeping/purge.job";
import { DAY_MS } from "../../../../src/shared/time";
import { sweepAtStart } from "../../../../src/wiring/cron";
import { call } from "../../../support/client";
import { cron } from "../../../support/cron";
import { everyDatabase } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { expectErrors } from "../../../support/log";
import {
	attemptAt,
	attemptLog,
	claimOnly,
	consumeNow,
	deliveriesOf,
	endpoint,
	fakeWorld,
	givenDelivery,
	onlyDelivery,
	quietQueue,
	quietQueues,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** Sweeps as the cron does, with the real queues unless others are given. */
const sweepNow = (bindings: Env = env) => cron(bindings);

const expireClaims = () => everyDatabase.exec("update webhook_deliveries set claimed_until = 1 where claimed_until is not null");

describe("queue messages", () => {
	it("that arrive twice, together or in sequence, cause one request", async () => {
		const { webhook, delivery } = await givenDelivery();
		await Promise.all([consumeNow([delivery.id, delivery.id]), consumeNow([delivery.id]), consumeNow([delivery.id], "SLOW")]);
		await consumeNow([delivery.id]);
		expect(world.received).toHaveLength(1);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
	});

	it("that arrive early, late or out of order attempt only what is due", async () => {
		world.answer = () => new Response(null, { status: 500 });
		const { organization, webhook, delivery } = await givenDelivery();
		await raiseQuietly(organization.id);
		const ids = (await deliveriesOf(webhook.id)).map(({ id }) => id);
		await consumeNow(ids.toReversed());
		await consumeNow([delivery.id], "SLOW");
		expect(world.received).toHaveLength(2);
		expect((await deliveriesOf(webhook.id)).map(({ attempts }) => attempts)).toEqual([1, 1]);
	});

	it("that are lost cost a minute: the sweep queues them again", async () => {
		const { webhook } = await givenDelivery();
		await sweepNow();
		await eventually(async () => expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED" }));
		expect(world.received).toHaveLength(1);
	});

	it("that name no known delivery are acknowledged and hold up no others", async () => {
		expectErrors("dropped a queue message without an endpoint id");
		const { webhook, delivery } = await givenDelivery();
		const result = await consumeNow([null, "not an id", crypto.randomUUID(), delivery.id]);
		expect(result.explicitAcks.toSorted()).toEqual(["m0", "m1", "m2", "m3"]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED" });
	});

	it("are retried one by one when D1 fails", async () => {
		expectErrors("deliveries could not be claimed", "dropped a queue message without an endpoint id");
		const { delivery } = await givenDelivery();
		await everyDatabase.exec("alter table webhook_attempts rename to gone");
		const result = await consumeNow([delivery.id, null]);
		expect(result.retryMessages).toEqual([{ msgId: "m0" }]);
		expect(result.explicitAcks).toEqual(["m1"]);
		expect(world.received).toEqual([]);
	});
});

describe("a crash", () => {
	it("during an attempt shows as INTERRUPTED once the claim expires, and the delivery is due again immediately", async () => {
		const { webhook, delivery } = await givenDelivery();
		const [claimed] = await claimOnly(delivery);
		expect(claimed).toMatchObject({ id: delivery.id, position: 1 });
		expect(await attemptLog(delivery.id)).toMatchObject([{ number: 1, outcome: null }]);
		await sweepNow(quietQueues());
		await consumeNow([delivery.id]);
		expect(world.received).toEqual([]);
		await expireClaims();
		await sweepNow(quietQueues());
		expect(await attemptLog(delivery.id)).toMatchObject([{ number: 1, outcome: "INTERRUPTED", durationMs: null }]);
		const due = await onlyDelivery(webhook.id);
		expect(due).toMatchObject({ status: "PENDING", attempts: 1, claimedUntil: null });
		expect(due.nextAttemptAt).toBeLessThanOrEqual(Date.now());
		await attemptAt(webhook.id);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 2 });
	});

	it("of the local process is found by the next process as soon as it starts, without a cron", async () => {
		const { webhook, delivery } = await givenDelivery();
		await claimOnly(delivery);
		const starting = { ...(await services()), queue: quietQueue };
		await sweepAtStart(starting);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: null }]);
		await everyDatabase.exec("update webhook_deliveries set claim = 'earlier process:' || claim");
		await sweepAtStart(starting);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "INTERRUPTED" }]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", claimedUntil: null });
	});

	it("leaves the claim in place for the endpoint's timeout plus ten seconds", async () => {
		const { delivery } = await givenDelivery("PT30S");
		const before = Date.now();
		await claimOnly(delivery);
		const { claimedUntil } = (await deliveriesOf(delivery.webhookId))[0] ?? {};
		expect(claimedUntil).toBeGreaterThanOrEqual(before + 40_000);
		expect(claimedUntil).toBeLessThan(Date.now() + 41_000);
	});

	it("during the sixth attempt ends the delivery as FAILED", async () => {
		const { webhook, delivery } = await givenDelivery();
		await everyDatabase.exec("update webhook_deliveries set attempts = 5, round_attempts = 5");
		await claimOnly(delivery);
		await expireClaims();
		await sweepNow(quietQueues());
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "FAILED", attempts: 6 });
		expect((await endpoint(webhook.id)).failuresInRow).toBe(1);
	});

	it("does not let a late answer overwrite the recorded outcome or count twice", async () => {
		const { webhook, delivery } = await givenDelivery();
		world.answer = async () => {
			await expireClaims();
			await sweepNow(quietQueues());
			return new Response(null, { status: 204 });
		};
		await attemptAt(webhook.id);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "INTERRUPTED" }]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", attempts: 1 });
	});
});

describe("a storage failure after a 2xx", () => {
	/** Makes D1 refuse the first `times` commits of outcomes. */
	function refuse(times: number) {
		const trigger = "create trigger refuse before insert on webhook_receipts begin select raise(abort, 'refused'); end";
		let left = times;
		world.answer = async () => {
			await everyDatabase.exec(trigger);
			return new Response(null, { status: 204 });
		};
		const logged = vi.spyOn(console, "error").mockImplementation((line: unknown) => {
			if (!String(line).includes("stored")) return;
			left--;
			if (left === 0) void everyDatabase.exec("drop trigger refuse");
		});
		return logged;
	}

	it("is retried until the outcome is stored, without a second request", async () => {
		const { webhook } = await givenDelivery();
		refuse(1);
		await attemptAt(webhook.id);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
		expect(world.received).toHaveLength(1);
	});

	it("that lasts is logged, and leads to INTERRUPTED and another attempt of the same delivery", async () => {
		const { webhook, delivery } = await givenDelivery();
		const logged = refuse(Number.POSITIVE_INFINITY);
		await attemptAt(webhook.id);
		expect(logged.mock.calls.flat().join()).toContain(`"delivery_id":"${delivery.id}","outcome":"DELIVERED"`);
		await everyDatabase.exec("drop trigger refuse");
		await expireClaims();
		world.answer = () => new Response(null, { status: 204 });
		await sweepNow(quietQueues());
		await attemptAt(webhook.id);
		expect((await attemptLog(delivery.id)).map(({ outcome }) => outcome)).toEqual(["INTERRUPTED", "DELIVERED"]);
		expect(new Set(world.received.map(({ headers }) => headers.get("x-service-delivery-id")))).toEqual(new Set([delivery.id]));
	});
});

describe("a poison delivery", () => {
	it("whose secret cannot be decrypted delays no other delivery and does not count against the endpoint", async () => {
		const { organization, register, webhook } = await givenDelivery();
		await everyDatabase.exec("update webhook_signing_keys set sealed_secret = 'moved'");
		const healthy = await register({ url: "https://healthy.example/in" });
		await raiseQuietly(organization.id);
		const ids = [...(await deliveriesOf(webhook.id)), ...(await deliveriesOf(healthy.id))].map(({ id }) => id);
		await consumeNow(ids);
		expect(world.received.map(({ url }) => url)).toEqual(["https://healthy.example/in"]);
		expect((await deliveriesOf(healthy.id))[0]?.status).toBe("DELIVERED");
		expect(await endpoint(webhook.id)).toMatchObject({ slow: false, failuresInRow: 0 });
	});

	it("whose secret was moved from another row cannot be decrypted", async () => {
		const { webhook, register } = await givenDelivery();
		const other = await register();
		await everyDatabase
			.prepare(
				"update webhook_signing_keys set sealed_secret = (select sealed_secret from webhook_signing_keys where webhook_id = ?) where webhook_id = ?",
			)
			.bind(other.id, webhook.id)
			.run();
		await attemptAt(webhook.id);
		expect(world.received).toEqual([]);
	});
});

describe("an endpoint deleted during an attempt", () => {
	it("leaves the delivery FAILED and its attempt INTERRUPTED", async () => {
		const { as, webhook, delivery, path } = await givenDelivery();
		world.answer = async () => {
			await call(deleteWebhook, { as, path });
			return new Response(null, { status: 204 });
		};
		await attemptAt(webhook.id);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "FAILED", lastError: "WEBHOOK_DELETED", claimedUntil: null });
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "INTERRUPTED" }]);
	});
});

describe("retention", () => {
	const RETENTION_MS = 30 * DAY_MS;
	it("removes old events and finished deliveries, but never a pending delivery, its attempts or its event", async () => {
		const { as, organization, webhook, path } = await givenDelivery();
		await attemptAt(webhook.id);
		await raiseQuietly(organization.id);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		await purgeWebhooks(await services(RETENTION_MS - 60_000));
		expect(await deliveriesOf(webhook.id)).toHaveLength(2);
		await purgeWebhooks(await services(RETENTION_MS + 60_000));
		const [held, another] = await deliveriesOf(webhook.id);
		expect(another).toBeUndefined();
		expect(held?.status).toBe("PENDING");
		expect(
			await everyDatabase
				.prepare("select id from webhook_events")
				.all()
				.then(({ results }) => results),
		).toEqual([{ id: held?.eventId }]);
		expect(await everyDatabase.prepare("select count(*) as n from webhook_attempts").first("n")).toBe(0);
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		await eventually(async () => expect((await onlyDelivery(webhook.id)).status).toBe("DELIVERED"));
	});
});
