// An endpoint can be sent a test of every event type.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Orm, Statement } from "../../../../src/db/database";
import { getDelivery, listDeliveries } from "../../../../src/domains/webhooks/deliveries/operations";
import { newTest } from "../../../../src/domains/webhooks/deliveries/plan";
import { testWebhook } from "../../../../src/domains/webhooks/deliveries/test.operations";
import { updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { getEvent, listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { getWebhookStats } from "../../../../src/domains/webhooks/statistics/operations";
import { deliveryHoldings, storageLevels, webhookDeliveries, webhookEndpoints } from "../../../../src/events/table";
import type { Poked } from "../../../../src/runtime/ports";
import { call, expectOk } from "../../../support/client";
import { eventTypes } from "../../../support/domains";
import { eventually } from "../../../support/eventually";
import { db } from "../../../support/factories";
import {
	attemptAt,
	deliveriesOf,
	endpoint,
	fakeWorld,
	givenWebhookOwner,
	lastAttempts,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

async function givenEndpoint() {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ url: "https://a.example/in" });
	const path = { webhook_id: webhook.id };
	const send = (event_type?: string) =>
		call(testWebhook, { as: owner.as, path, ...(event_type !== undefined && { body: { event_type } }) });
	/** Sends a test, and waits until no attempt of it is under way. */
	const sent = async (event_type?: string) => {
		const { id } = expectOk(await send(event_type));
		await eventually(async () => {
			const [row] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
			expect(row?.attemptOutcome).toBeTruthy();
		});
		return id;
	};
	return { ...owner, webhook, path, send, sent };
}

const TYPE = "loan.disbursement_failed";

describe("a test of any event type", () => {
	it("sends the example of the catalogue to its endpoint, with any subscriptions", async () => {
		const { as, organization, send, webhook } = await givenEndpoint();
		const answer = await send(TYPE);
		expect(answer).toMatchObject({ status: 202, body: { event_type: TYPE, webhook_id: webhook.id, status: "PENDING", body: null } });
		const { id } = expectOk(answer);
		await eventually(() => expect(world.received).toHaveLength(1));
		const [request] = world.received;
		const envelope = JSON.parse(request?.body ?? "");
		expect(Object.keys(envelope)).toEqual(["delivery_id", "event_type", "payload_version", "sent_at", "organization_id", "data"]);
		expect(envelope).toMatchObject({ delivery_id: id, event_type: TYPE, payload_version: 1, organization_id: organization.id });
		expect(envelope.data).toEqual(eventTypes.get(TYPE)?.example);
		await eventually(async () =>
			expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ status: "DELIVERED", body: request?.body }),
		);
		expect(expectOk(await call(listDeliveries, { as, query: { event_type: TYPE } })).data.map((row) => row.id)).toEqual([id]);
	});

	it("can be of every type, with a payload that fits the type's schema", async () => {
		const { as, path, webhook } = await givenEndpoint();
		for (const { type } of eventTypes.values())
			expect((await call(testWebhook, { as, path, body: { event_type: type } })).status).toBe(202);
		for (const { eventType, testData } of await deliveriesOf(webhook.id)) {
			const data = JSON.parse(testData ?? "null");
			expect({ eventType, fits: eventTypes.get(eventType)?.data.safeParse(data).success }).toEqual({ eventType, fits: true });
		}
		expect(await deliveriesOf(webhook.id)).toHaveLength(eventTypes.size);
	});

	it.each<[string, (orm: Orm, organizationId: string) => Statement]>([
		["its organization is at its quota", (orm, organizationId) => orm.insert(deliveryHoldings).values({ organizationId, quota: 0 })],
		["the database is nearly full", (orm) => orm.insert(storageLevels).values({ id: 1, level: "CLOSED" })],
	])("is not made while %s", async (_, fill) => {
		const { organization, send, webhook } = await givenEndpoint();
		const { db: there } = (await services()).at(organization.id);
		await there.commit([fill(there.orm, organization.id)]);
		expect(await send(TYPE)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await deliveriesOf(webhook.id)).toEqual([]);
	});

	it("is no event of the feed, and no other endpoint recovers it", async () => {
		const { as, send, register } = await givenEndpoint();
		const other = await register({ url: "https://b.example/in", events: [TYPE] });
		const { event_id } = expectOk(await send(TYPE));
		expect(expectOk(await call(listEvents, { as, query: {} })).data).toEqual([]);
		expect((await call(getEvent, { as, path: { event_id } })).status).toBe(404);
		const recovered = await call(recoverWebhook, { as, path: { webhook_id: other.id }, body: { since: "2020-01-01T00:00:00Z" } });
		expect(expectOk(recovered)).toMatchObject({ created: 0, retried: 0 });
		expect(await deliveriesOf(other.id)).toEqual([]);
	});

	it("sends the same bytes in every attempt", async () => {
		const { sent, webhook } = await givenEndpoint();
		world.answer = () => new Response(null, { status: 500 });
		await sent(TYPE);
		await attemptAt(webhook.id, 60_000);
		await attemptAt(webhook.id, 600_000);
		expect(world.received.length).toBeGreaterThan(1);
		expect(new Set(world.received.map(({ body }) => body)).size).toBe(1);
	});

	it("is refused for a type that is not in the catalogue, and for a suspended endpoint", async () => {
		const { as, path, send } = await givenEndpoint();
		const refused = { status: 400, body: { invalid_params: [{ path: "event_type", sub_code: "NOT_ALLOWED" }] } };
		for (const type of ["no.such", "toString", ""]) expect(await send(type)).toMatchObject(refused);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		expect(await send(TYPE)).toMatchObject({ status: 409, body: { code: "WEBHOOK_SUSPENDED" } });
	});
});

it("a test sends a message to the queue, unless an earlier delivery of its endpoint is due and has one", async () => {
	const { organization, webhook } = await givenEndpoint();
	const poked: string[] = [];
	for (const aheadMs of [0, 5]) {
		const made = {
			...(await services(aheadMs)),
			queue: { poke: async (some: readonly Poked[]) => void poked.push(...some.map(({ lane }) => lane)) },
		};
		const there = made.at(organization.id);
		await there.db.commit(newTest(there, await endpoint(webhook.id)).writes);
		expect(poked).toEqual(["QUICK"]);
	}
	expect(await deliveriesOf(webhook.id)).toHaveLength(2);
});

describe.each([undefined, TYPE])("a test of the type %s", (type) => {
	it("that fails does not count as a failure in a row, and does not suspend the endpoint", async () => {
		const { sent, webhook } = await givenEndpoint();
		world.answer = () => new Response(null, { status: 500 });
		for (let i = 0; i < 10; i++) await sent(type);
		await lastAttempts(webhook.id);
		await attemptAt(webhook.id);
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => "FAILED"));
		expect(await endpoint(webhook.id)).toMatchObject({ status: "ACTIVE", failuresInRow: 0 });
	});

	it("that succeeds does not end a row of failures", async () => {
		const { sent, webhook } = await givenEndpoint();
		await db.update(webhookEndpoints).set({ failuresInRow: 3 }).where(eq(webhookEndpoints.id, webhook.id));
		await sent(type);
		expect(await endpoint(webhook.id)).toMatchObject({ failuresInRow: 3 });
	});

	it("does not count in the statistics", async () => {
		const { as, path, sent } = await givenEndpoint();
		await sent(type);
		world.answer = () => new Response(null, { status: 500 });
		await sent(type);
		const { deliveries, latency_ms, buckets } = expectOk(await call(getWebhookStats, { as, path, query: {} }));
		expect({ deliveries, latency_ms }).toEqual({ deliveries: { delivered: 0, failed: 0, pending: 0 }, latency_ms: null });
		expect(buckets.every(({ attempts }) => attempts === 0)).toBe(true);
	});
});
