// Ten failed deliveries in a row suspend an endpoint, and nothing is lost meanwhile.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { endExpired } from "../../../../src/domains/webhooks/deliveries/job";
import { getWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { metered } from "../../../support/metering";
import {
	attemptAt,
	consumeNow,
	deliveriesOf,
	endpoint,
	fakeWorld,
	givenDelivery,
	givenFailing,
	lastAttempts,
	onlyDelivery,
	raiseQuietly,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

describe("an answer of 410", () => {
	it("suspends the endpoint as GONE, holds the delivery, and says nothing of the kind to a test", async () => {
		const { as, webhook, path } = await givenDelivery();
		world.answer = () => new Response(null, { status: 410 });
		await attemptAt(webhook.id);
		expect(await endpoint(webhook.id)).toMatchObject({ status: "SUSPENDED", suspensionReason: "GONE" });
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", attempts: 1, nextAttemptAt: null });
		const feed = expectOk(await call(listEvents, { as, query: { type: "webhook.suspended" } })).data;
		expect(feed.map(({ data }) => data.reason)).toEqual(["GONE"]);
		await call(updateWebhook, { as, path, body: { status: "ACTIVE", url: "https://back.example/in" } });
		world.answer = ({ url }) => new Response(null, { status: url.includes("back") ? 204 : 410 });
		await attemptAt(webhook.id);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED" });
	});
});

describe("ten failed deliveries in a row", () => {
	it("suspend the endpoint, with warnings at five and eight; each notice goes once to the feed and to the other endpoints", async () => {
		const { as, register, webhook, path, fail, raised } = await givenFailing(world, [
			"user.admitted",
			"webhook.failing",
			"webhook.suspended",
		]);
		const watcher = await register({ url: "https://watch.example/in", events: ["webhook.failing", "webhook.suspended"] });
		for (let failed = 1; failed <= 9; failed++) {
			await fail(1);
			expect(await endpoint(webhook.id)).toMatchObject({ status: "ACTIVE", failuresInRow: failed });
			expect(await raised("webhook.failing")).toHaveLength(failed < 5 ? 0 : failed < 8 ? 1 : 2);
		}
		await fail(1);
		expect(expectOk(await call(getWebhook, { as, path }))).toMatchObject({
			status: "SUSPENDED",
			suspension_reason: "TEN_FAILED_DELIVERIES",
			suspended_at: expect.any(String),
			failures_in_row: 10,
			events: webhook.events,
			signing_keys: [{ id: webhook.signing_keys[0]?.id }],
		});
		expect(await raised("webhook.failing")).toMatchObject([{ failures_in_row: 5 }, { failures_in_row: 8 }]);
		expect(await raised("webhook.suspended")).toMatchObject([{ webhook_id: webhook.id, reason: "TEN_FAILED_DELIVERIES" }]);
		expect((await deliveriesOf(watcher.id)).map(({ eventType }) => eventType).toSorted()).toEqual([
			"webhook.failing",
			"webhook.failing",
			"webhook.suspended",
		]);
		expect((await deliveriesOf(webhook.id)).every(({ eventType }) => eventType === "user.admitted")).toBe(true);
	});

	it("are counted correctly when they finish concurrently", async () => {
		const { webhook, fail, raised, organization } = await givenFailing(world);
		for (let i = 0; i < 14; i++) await raiseQuietly(organization.id);
		await lastAttempts(webhook.id);
		const ids = (await deliveriesOf(webhook.id)).map(({ id }) => id);
		await Promise.all(ids.map((id) => consumeNow([id], "SLOW")));
		const { status, failuresInRow } = await endpoint(webhook.id);
		expect(status).toBe("SUSPENDED");
		const rows = await deliveriesOf(webhook.id);
		expect(rows.filter((row) => row.status === "FAILED")).toHaveLength(failuresInRow);
		expect(rows.filter((row) => row.status === "PENDING").every((row) => row.nextAttemptAt === null)).toBe(true);
		expect(await raised("webhook.failing")).toMatchObject([{ failures_in_row: 5 }, { failures_in_row: 8 }]);
		expect(await raised("webhook.suspended")).toHaveLength(1);
		await fail(0);
	});

	it("are counted from zero again after a success, a resume or a new URL", async () => {
		const { as, webhook, path, fail, organization } = await givenFailing(world);
		await fail(9);
		world.answer = () => new Response(null, { status: 204 });
		await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		expect(await endpoint(webhook.id)).toMatchObject({ failuresInRow: 0 });
		world.answer = () => new Response(null, { status: 500 });
		for (const body of [{ status: "ACTIVE" as const }, { url: "https://dead.example/other" }]) {
			await fail(9);
			expect(await endpoint(webhook.id)).toMatchObject({ status: "ACTIVE", failuresInRow: 9 });
			await call(updateWebhook, { as, path, body });
			expect((await endpoint(webhook.id)).failuresInRow).toBe(0);
		}
	});

	it("still suspend the endpoint when the count is already past ten", async () => {
		const { webhook, fail } = await givenFailing(world);
		await everyDatabase.prepare("update webhook_endpoints set failures_in_row = 10 where id = ?").bind(webhook.id).run();
		await fail(1);
		expect(await endpoint(webhook.id)).toMatchObject({ status: "SUSPENDED", failuresInRow: 11 });
	});

	it("are deliveries, not attempts", async () => {
		const { organization, webhook } = await givenFailing(world);
		for (let i = 0; i < 12; i++) await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		expect(await endpoint(webhook.id)).toMatchObject({ status: "ACTIVE", failuresInRow: 0 });
	});
});

describe("a suspended endpoint", () => {
	it("is sent nothing: pending deliveries wait without spending an attempt, new events make none but stay in the feed", async () => {
		const { as, organization, webhook, path } = await givenFailing(world);
		await raiseQuietly(organization.id);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		await raiseQuietly(organization.id);
		const held = await onlyDelivery(webhook.id);
		expect(held).toMatchObject({ status: "PENDING", attempts: 0, nextAttemptAt: null });
		await attemptAt(webhook.id, 86_400_000);
		await consumeNow([held.id]);
		expect(world.received).toEqual([]);
		const feed = expectOk(await call(listEvents, { as, query: {} })).data;
		expect(feed.map(({ event_type }) => event_type)).toEqual(["user.admitted", "webhook.suspended", "user.admitted"]);
		expect(feed[1]?.data).toMatchObject({ reason: "MANUAL" });
	});

	it("suspended by hand for the second time raises an event with a key of its own", async () => {
		const { as, path } = await givenFailing(world);
		for (const status of ["SUSPENDED", "ACTIVE", "SUSPENDED"] as const) expectOk(await call(updateWebhook, { as, path, body: { status } }));
		const feed = expectOk(await call(listEvents, { as, query: {} })).data;
		const keys = feed.filter(({ event_type }) => event_type === "webhook.suspended").map(({ event_key }) => event_key);
		expect(new Set(keys).size).toBe(2);
	});

	it("also holds the delivery that was in flight when it was suspended", async () => {
		const { as, organization, webhook, path } = await givenFailing(world);
		await raiseQuietly(organization.id);
		world.answer = async () => {
			await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
			return new Response(null, { status: 500 });
		};
		await attemptAt(webhook.id);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", attempts: 1, nextAttemptAt: null });
	});

	it("gets one probe after it is resumed, and the rest once the probe is delivered", async () => {
		const { as, organization, webhook, path } = await givenFailing(world);
		const raised: string[] = [];
		for (let i = 0; i < 5; i++) raised.push(await raiseQuietly(organization.id, (i - 10) * 1_000));
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		let received = 0;
		const answer = Promise.withResolvers<void>();
		world.answer = async () => {
			received++;
			await answer.promise;
			return new Response(null, { status: 204 });
		};
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		await eventually(() => expect(received).toBe(1));
		await attemptAt(webhook.id);
		expect((await deliveriesOf(webhook.id)).map(({ nextAttemptAt }) => nextAttemptAt === null)).toEqual([false, true, true, true, true]);
		answer.resolve();
		const statuses = async () => (await deliveriesOf(webhook.id)).map(({ status }) => status);
		await eventually(async () => expect(await statuses()).toEqual(Array(5).fill("DELIVERED")));
		expect(world.received.map(({ body }) => JSON.parse(body).data.user_id)).toEqual(expect.arrayContaining(raised));
	});

	it.each<[string, World["answer"]]>([
		["an error", () => new Response(null, { status: 500 })],
		["a redirect", () => new Response(null, { status: 302, headers: { Location: "https://elsewhere.example/" } })],
		[
			"a broken connection",
			() => {
				throw new Error("connection reset");
			},
		],
	])("gets the rest once the probe's first attempt has ended, also with %s", async (_, answer) => {
		const { as, organization, webhook, path } = await givenFailing(world);
		for (let i = 0; i < 12; i++) await raiseQuietly(organization.id, (i - 20) * 1_000);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		world.answer = answer;
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		await eventually(async () => {
			const rows = await deliveriesOf(webhook.id);
			expect(rows[0]?.attempts).toBe(1);
			expect(rows.filter(({ nextAttemptAt }) => nextAttemptAt === null)).toEqual([]);
		});
	});

	it("gets the rest also when the probe's first attempt was interrupted", async () => {
		const { as, organization, webhook, path } = await givenFailing(world);
		for (let i = 0; i < 3; i++) await raiseQuietly(organization.id, (i - 10) * 1_000);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		world.answer = () => new Promise(() => {});
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		await eventually(async () => expect((await deliveriesOf(webhook.id))[0]?.claimedUntil).not.toBeNull());
		await everyDatabase
			.prepare("update webhook_deliveries set claimed_until = 1 where webhook_id = ? and claimed_until > 1")
			.bind(webhook.id)
			.run();
		await endExpired((await metered(organization.id)).services);
		expect((await deliveriesOf(webhook.id)).filter(({ nextAttemptAt }) => nextAttemptAt === null)).toEqual([]);
	});

	it("is not flooded after it recovers: ten are due immediately, and ten more each second", async () => {
		const { as, organization, webhook, path } = await givenFailing(world);
		for (let i = 0; i < 24; i++) await raiseQuietly(organization.id, (i - 30) * 1_000);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		world.answer = () => new Response(null, { status: 204 });
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		const before = await deliveriesOf(webhook.id);
		await eventually(async () => expect((await deliveriesOf(webhook.id))[23]?.nextAttemptAt).not.toBeNull());
		const released = (await deliveriesOf(webhook.id)).slice(1);
		const due = before
			.slice(1)
			.map(({ id }) => released.find((row) => row.id === id))
			.map((row) => row?.deliveredAt ?? row?.nextAttemptAt ?? 0);
		expect((due[22] ?? 0) - (due[0] ?? 0)).toBeGreaterThanOrEqual(1_500);
		await eventually(async () => expect((await deliveriesOf(webhook.id)).every(({ status }) => status === "DELIVERED")).toBe(true));
		expect(world.received).toHaveLength(24);
	});
});
