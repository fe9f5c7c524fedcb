// Endpoints that recover by themselves after a suspension by failures.
// @module-tag thorough

import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { getWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { healEndpoints } from "../../../../src/domains/webhooks/healing/job";
import { keepToQuotas } from "../../../../src/domains/webhooks/keeping/quota.job";
import { carryOnRecoveries } from "../../../../src/domains/webhooks/recovery/job";
import { webhookRecoveries } from "../../../../src/domains/webhooks/table";
import { webhookDeliveries, webhookEvents } from "../../../../src/events/table";
import { DAY_MS, HOUR_MS, MINUTE_MS, toTimestamp } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { db } from "../../../support/factories";
import {
	attemptAt,
	deliveriesOf,
	endpoint,
	fakeWorld,
	givenFailing,
	quietQueue,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** A receiver that is down, and its endpoint, which ten failures have suspended. `held`: how many deliveries wait. */
async function givenSuspended(held: number) {
	const given = await givenFailing(world);
	const { as, path, webhook, organization } = given;
	expectOk(await call(updateWebhook, { as, path, body: { auto_recover: true } }));
	await given.fail(9);
	for (let i = 0; i < held; i++) await raiseQuietly(organization.id);
	await attemptAt(webhook.id);
	await given.fail(1);
	world.received.length = 0;
	const { suspendedAt } = await endpoint(webhook.id);
	const shown = async () => {
		const { status, suspension_reason, next_probe_at } = expectOk(await call(getWebhook, { as, path }));
		return [status, suspension_reason, next_probe_at];
	};
	const instant = (ms: number) => toTimestamp((suspendedAt ?? 0) + ms);
	return { ...given, shown, instant };
}

const heal = async (aheadMs: number) => healEndpoints({ ...(await services(aheadMs)), queue: quietQueue });
const up = () => {
	world.answer = () => new Response(null, { status: 204 });
};

describe("an endpoint with auto_recover, suspended by failures", () => {
	it("is probed with the oldest delivery that waits, and resumed by a 2xx with all that it missed", async () => {
		const { as, webhook, organization, shown, instant, raised } = await givenSuspended(0);
		await db.update(webhookDeliveries).set({ status: "PENDING", nextAttemptAt: null, failedAt: null, roundAttempts: 2 });
		const [oldest] = await deliveriesOf(webhook.id);
		for (let i = 0; i < 2; i++) await raiseQuietly(organization.id, 30_000);
		expect(await shown()).toEqual(["SUSPENDED", "TEN_FAILED_DELIVERIES", instant(MINUTE_MS)]);
		await heal(30_000);
		expect(world.received).toHaveLength(0);
		await Promise.all([heal(MINUTE_MS + 5_000), heal(MINUTE_MS + 5_000)]);
		expect(world.received.map(({ headers }) => headers.get("x-service-delivery-id"))).toEqual([oldest?.id]);
		expect(await shown()).toEqual(["SUSPENDED", "TEN_FAILED_DELIVERIES", instant(5 * MINUTE_MS)]);
		expect(await raised("webhook.probe_failed")).toMatchObject([{ error_class: "STATUS", next_probe_at: instant(5 * MINUTE_MS) }]);
		const probed = expectOk(await call(getDelivery, { as, path: { id: oldest?.id ?? "" } }));
		expect(probed).toMatchObject({ status: "PENDING", next_attempt_at: null });
		expect(probed.attempt_log.at(-1)).toMatchObject({ trigger: "PROBE", outcome: "HTTP_ERROR" });
		expect((await deliveriesOf(webhook.id)).map(({ roundAttempts }) => roundAttempts)).toEqual(Array(10).fill(2));

		up();
		await heal(5 * MINUTE_MS + 5_000);
		expect(await shown()).toEqual(["ACTIVE", null, null]);
		expect(await raised("webhook.recovered")).toMatchObject([{ webhook_id: webhook.id, suspended_at: instant(0) }]);
		await carryOnRecoveries({ ...(await services(5 * MINUTE_MS + 6_000)), queue: quietQueue });
		for (const seconds of [10, 20, 30]) await attemptAt(webhook.id, 5 * MINUTE_MS + seconds * 1000);
		const rows = await deliveriesOf(webhook.id);
		expect(rows.map(({ status }) => status)).toEqual(Array(12).fill("DELIVERED"));
		expect(world.received).toHaveLength(1 + 12);
	});

	it("is probed with a delivery of the outage that FAILED where none waits, and those that FAILED are sent again", async () => {
		const { webhook, shown } = await givenSuspended(0);
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(10).fill("FAILED"));
		await heal(MINUTE_MS + 5_000);
		expect((await deliveriesOf(webhook.id)).filter(({ status }) => status === "PENDING")).toHaveLength(1);
		up();
		await heal(5 * MINUTE_MS + 5_000);
		expect((await shown())[0]).toBe("ACTIVE");
		await carryOnRecoveries({ ...(await services(5 * MINUTE_MS + 6_000)), queue: quietQueue });
		await attemptAt(webhook.id, 5 * MINUTE_MS + 10_000);
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(10).fill("DELIVERED"));
	});

	it("is probed with a delivery that was made long before the outage where no other is left", async () => {
		const { webhook, shown } = await givenSuspended(0);
		await db.update(webhookDeliveries).set({ createdAt: sql`${webhookDeliveries.createdAt} - ${5 * HOUR_MS}` });
		up();
		await heal(MINUTE_MS + 5_000);
		expect((await shown())[0]).toBe("ACTIVE");
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status).toSorted()).toEqual(["DELIVERED", ...Array(9).fill("FAILED")]);
	});

	it("recovers what was made from the first of the outage on that FAILED", async () => {
		const { webhook } = await givenSuspended(0);
		const { suspendedAt } = await endpoint(webhook.id);
		const ago = (minutes: number) => (suspendedAt ?? 0) - minutes * MINUTE_MS;
		const [earlier, arrived, probed, first] = await deliveriesOf(webhook.id);
		const change = (row: typeof first, changed: Partial<typeof webhookDeliveries.$inferInsert>) =>
			db
				.update(webhookDeliveries)
				.set(changed)
				.where(eq(webhookDeliveries.id, row?.id ?? ""));
		await change(earlier, { createdAt: ago(300) });
		await change(arrived, { createdAt: ago(30), status: "DELIVERED", failedAt: null });
		await change(probed, { createdAt: ago(10) });
		await change(first, { createdAt: ago(5) });
		// Its probe is a delivery of an event of long before: another recovery has made the delivery.
		await db
			.update(webhookEvents)
			.set({ createdAt: ago(300) })
			.where(eq(webhookEvents.id, probed?.eventId ?? ""));
		up();
		await heal(MINUTE_MS + 5_000);
		expect(await db.select().from(webhookRecoveries)).toMatchObject([{ webhookId: webhook.id, since: ago(5) }]);
	});

	it("is probed with an event that it missed where a quota has left no delivery, and gets those that FAILED from the feed", async () => {
		const { webhook, shown } = await givenSuspended(0);
		await db.run(sql`update delivery_holdings set quota = 1`);
		const dayAfter = DAY_MS + MINUTE_MS;
		while (await keepToQuotas({ ...(await services(dayAfter)), queue: quietQueue }));
		expect(await deliveriesOf(webhook.id)).toEqual([]);
		await heal(dayAfter);
		expect(world.received).toHaveLength(1);
		expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: "PENDING", nextAttemptAt: null, attempts: 1 }]);
		up();
		await heal(dayAfter + HOUR_MS);
		expect((await shown())[0]).toBe("ACTIVE");
		await db.run(sql`update delivery_holdings set quota = null`);
		await carryOnRecoveries({ ...(await services(dayAfter + HOUR_MS + 1_000)), queue: quietQueue });
		await attemptAt(webhook.id, dayAfter + HOUR_MS + 5_000);
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(10).fill("DELIVERED"));
		expect(new Set(world.received.map(({ headers }) => headers.get("x-service-delivery-id"))).size).toBe(10);
	});

	it("is left alone after 72 hours, and its last probe says so", async () => {
		const { shown, instant, raised } = await givenSuspended(0);
		await heal(71.5 * HOUR_MS);
		expect(await shown()).toEqual(["SUSPENDED", "TEN_FAILED_DELIVERIES", instant(72 * HOUR_MS)]);
		await heal(72 * HOUR_MS + 5_000);
		expect((await raised("webhook.probe_failed")).map(({ next_probe_at }) => next_probe_at)).toEqual([instant(72 * HOUR_MS), null]);
		await heal(80 * HOUR_MS);
		expect(world.received).toHaveLength(2);
	});

	it("is not healed once its receiver answers 410, its name leads to a private address, or its owner suspends it too", async () => {
		const gone = await givenSuspended(0);
		world.answer = () => new Response(null, { status: 410 });
		await heal(MINUTE_MS + 5_000);
		expect(await gone.shown()).toEqual(["SUSPENDED", "GONE", null]);
		expect(await gone.raised("webhook.suspended")).toMatchObject([{ reason: "TEN_FAILED_DELIVERIES" }, { reason: "GONE" }]);
		const moved = await givenSuspended(0);
		world.names = { "dead.example": ["10.0.0.1"] };
		await heal(MINUTE_MS + 5_000);
		expect(await moved.shown()).toEqual(["SUSPENDED", "PRIVATE_ADDRESS", null]);
		world.names = {};
		const stopped = await givenSuspended(0);
		expectOk(await call(updateWebhook, { as: stopped.as, path: stopped.path, body: { status: "SUSPENDED" } }));
		expect(await stopped.shown()).toEqual(["SUSPENDED", "MANUAL", null]);
		up();
		world.received.length = 0;
		await heal(HOUR_MS);
		expect(world.received).toHaveLength(0);
	});
});

it("without it, and after a suspension by hand, nothing is probed", async () => {
	const plain = await givenFailing(world);
	await plain.fail(10);
	const byHand = await givenFailing(world);
	expectOk(await call(updateWebhook, { as: byHand.as, path: byHand.path, body: { auto_recover: true } }));
	expectOk(await call(updateWebhook, { as: byHand.as, path: byHand.path, body: { status: "SUSPENDED" } }));
	for (const { webhook } of [plain, byHand]) expect((await endpoint(webhook.id)).probeAt).toBe(null);
	// Asked for later, it is probed at the next hour of its suspension.
	const later = expectOk(await call(updateWebhook, { as: plain.as, path: plain.path, body: { auto_recover: true } }));
	expect(later.next_probe_at).not.toBe(null);
	const feed = expectOk(await call(listEvents, { as: plain.as, query: { type: "webhook.probe_failed" } })).data;
	expect(feed).toEqual([]);
});
