// The delivery log, the sandbox's clock, manual retries and tests over HTTP.

import { beforeEach, describe, expect, it } from "vitest";
import { getDelivery, listDeliveries, retryDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { testWebhook } from "../../../../src/domains/webhooks/deliveries/test.operations";
import { createWebhook, deleteWebhook, getWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { getEvent } from "../../../../src/domains/webhooks/feed/operations";
import { advanceClock, getClock } from "../../../../src/wiring/clock.operations";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { operatorToken } from "../../../support/factories";
import { attemptAt, deliveriesOf, fakeWorld, givenWebhookOwner, onlyDelivery, raiseQuietly, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

const advance = async (duration: string) => expectOk(await call(advanceClock, { as: await operatorToken(), body: { advance: duration } }));

describe("the delivery log", () => {
	it("is newest first, with all filters, without bodies", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const [a, b] = [await register({ url: "https://a.example/in" }), await register({ url: "https://b.example/in" })];
		world.answer = ({ url }) => new Response(null, { status: url.includes("a.example") ? 204 : 500 });
		for (let i = 0; i < 3; i++) await raiseQuietly(organization.id, -180_000 + i * 60_000);
		await attemptAt(a.id);
		await attemptAt(b.id);
		const all = expectOk(await call(listDeliveries, { as, query: {} }));
		expect(all.data).toHaveLength(6);
		expect(all).toMatchObject({ next: null, prev: null });
		expect(all.data.map(({ created_at }) => created_at)).toEqual(
			all.data
				.map(({ created_at }) => created_at)
				.toSorted()
				.reverse(),
		);
		expect(all.data[0]).not.toHaveProperty("body");
		const ofA = expectOk(await call(listDeliveries, { as, query: { webhook_id: a.id, size: "2" } }));
		expect(ofA.data.map(({ webhook_id, status }) => [webhook_id, status])).toEqual([
			[a.id, "DELIVERED"],
			[a.id, "DELIVERED"],
		]);
		const rest = expectOk(await call(listDeliveries, { as, query: { webhook_id: a.id, size: "2", after: ofA.next ?? "" } }));
		expect(rest.data).toHaveLength(1);
		expect(expectOk(await call(listDeliveries, { as, query: { webhook_id: a.id, size: "2", before: rest.prev ?? "" } })).data).toEqual(
			ofA.data,
		);
		expect((await call(listDeliveries, { as, query: { webhook_id: b.id, after: ofA.next ?? "" } })).status).toBe(400);
		expect(expectOk(await call(listDeliveries, { as, query: { status: "PENDING" } })).data).toHaveLength(3);
		const middle = all.data[2]?.created_at ?? "";
		expect(expectOk(await call(listDeliveries, { as, query: { created_from: middle } })).data).toHaveLength(4);
		expect(expectOk(await call(listDeliveries, { as, query: { created_until: middle } })).data).toHaveLength(2);
		expect(expectOk(await call(listDeliveries, { as, query: { event_type: "webhook.test" } })).data).toEqual([]);
		expect(await call(listDeliveries, { as, query: { event_type: "no.such" } })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "query.event_type", sub_code: "NOT_ALLOWED" }] },
		});
		const stranger = await givenWebhookOwner();
		expect(expectOk(await call(listDeliveries, { as: stranger.as, query: { webhook_id: a.id } })).data).toEqual([]);
	});

	it("shows one delivery with its body and every attempt, read in one round trip", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		const { id } = await onlyDelivery(webhook.id);
		expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ body: null, attempts: 0, attempt_log: [] });
		world.answer = () => new Response("try later", { status: 503 });
		await attemptAt(webhook.id);
		const answer = await call(getDelivery, { as, path: { id } });
		const record = expectOk(answer);
		expect(record).toMatchObject({
			id,
			webhook_id: webhook.id,
			status: "PENDING",
			attempts: 1,
			next_attempt_at: expect.any(String),
			body: world.received[0]?.body,
			last_error: "The endpoint responded with 503.",
			attempt_log: [{ number: 1, trigger: "AUTOMATIC", outcome: "HTTP_ERROR", response_status: 503, response_body: "try later" }],
		});
		expect(answer.headers.get("server-timing")).toContain("trips=1 ");
		const stranger = await givenWebhookOwner();
		expect((await call(getDelivery, { as: stranger.as, path: { id } })).status).toBe(404);
	});
});

describe("the sandbox's clock", () => {
	it("takes a delivery through six attempts in half an hour, one for each call", async () => {
		world.answer = () => new Response(null, { status: 500 });
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		const counts: number[] = [];
		for (const duration of ["PT1S", "PT17S", "PT50S", "PT150S", "PT450S", "PT1340S", "PT1H"]) {
			await advance(duration);
			counts.push(world.received.length);
		}
		expect(counts).toEqual([1, 2, 3, 4, 5, 6, 6]);
		const { id } = await onlyDelivery(webhook.id);
		expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ status: "FAILED", attempts: 6 });
	});

	it("makes one attempt for each delivery, however far it is moved, in due order", async () => {
		world.answer = () => new Response(null, { status: 500 });
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		const raised: string[] = [];
		for (let i = 0; i < 7; i++) raised.push(await raiseQuietly(organization.id));
		await advance("P1D");
		expect(world.received.map(({ body }) => JSON.parse(body).data.user_id).toSorted()).toEqual(raised.toSorted());
		expect((await deliveriesOf(webhook.id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 1, 1]);
	});

	it("does not affect the time in signatures, only the recorded times", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await advance("P30D");
		await raiseQuietly(organization.id, 0);
		await advance("PT1S");
		const t = Number(/t=(\d+)/.exec(world.received[0]?.headers.get("x-service-signature") ?? "")?.[1]);
		expect(Math.abs(t - Date.now() / 1000)).toBeLessThan(60);
		const { id } = await onlyDelivery(webhook.id);
		const record = expectOk(await call(getDelivery, { as, path: { id } }));
		expect(Date.parse(record.delivered_at ?? "")).toBeGreaterThan(Date.now() + 29 * 86_400_000);
		expect(Date.parse(expectOk(await call(getClock, { as: await operatorToken() })).now)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
	});

	it.each(["PT0S", "-PT1S", "P367D", "half an hour", ""])("is not moved by %j", async (duration) => {
		const answer = await call(advanceClock, { as: await operatorToken(), body: { advance: duration } });
		expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path: "advance" }] } });
	});

	it("is for operators only", async () => {
		const { as } = await givenWebhookOwner();
		expect((await call(advanceClock, { as, body: { advance: "PT1S" } })).status).toBe(403);
	});
});

async function givenFinished(status = 204) {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register();
	await raiseQuietly(owner.organization.id);
	world.answer = () => new Response(null, { status });
	await attemptAt(webhook.id);
	const { id } = await onlyDelivery(webhook.id);
	return { ...owner, webhook, id, path: { delivery_id: id } };
}

describe("a manual retry", () => {
	it("sends the recorded bytes again under the same id, and continues the attempt count", async () => {
		const { as, id, path } = await givenFinished();
		const record = expectOk(await call(retryDelivery, { as, path }));
		expect(record).toMatchObject({ id, status: "PENDING", attempts: 1, delivered_at: null });
		await eventually(async () =>
			expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({
				status: "DELIVERED",
				attempts: 2,
				attempt_log: [
					{ number: 1, trigger: "AUTOMATIC" },
					{ number: 2, trigger: "MANUAL", outcome: "DELIVERED" },
				],
			}),
		);
		expect(world.received[1]?.body).toBe(world.received[0]?.body);
		expect(world.received[1]?.headers.get("x-service-delivery-id")).toBe(id);
	});

	it("is accepted once a minute by the service's clock, even for concurrent calls", { tags: ["thorough"] }, async () => {
		const { as, id, path } = await givenFinished();
		const answers = await Promise.all(Array.from({ length: 20 }, () => call(retryDelivery, { as, path })));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		for (const { status } of answers) expect([200, 409, 429]).toContain(status);
		await eventually(async () => expect(expectOk(await call(getDelivery, { as, path: { id } })).status).toBe("DELIVERED"));
		const early = await call(retryDelivery, { as, path });
		expect(early).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(50);
		await advance("PT61S");
		expect((await call(retryDelivery, { as, path })).status).toBe(200);
	});

	it("is rejected while the delivery is pending or the webhook suspended, before the wait is checked", async () => {
		const { as, path, webhook } = await givenFinished(500);
		expect(await call(retryDelivery, { as, path })).toMatchObject({ status: 409, body: { code: "DELIVERY_IN_PROGRESS" } });
		world.answer = () => new Response(null, { status: 204 });
		await attemptAt(webhook.id, 60_000);
		await call(updateWebhook, { as, path: { webhook_id: webhook.id }, body: { status: "SUSPENDED" } });
		for (let i = 0; i < 2; i++) {
			expect(await call(retryDelivery, { as, path })).toMatchObject({ status: 409, body: { code: "WEBHOOK_SUSPENDED" } });
		}
		await call(updateWebhook, { as, path: { webhook_id: webhook.id }, body: { status: "ACTIVE" } });
		expect((await call(retryDelivery, { as, path })).status).toBe(200);
	});

	it("has six attempts again", async () => {
		const { as, id, path, webhook } = await givenFinished();
		await call(retryDelivery, { as, path });
		await eventually(async () => expect((await onlyDelivery(webhook.id)).status).toBe("DELIVERED"));
		world.answer = () => new Response(null, { status: 500 });
		await advance("PT61S");
		await call(retryDelivery, { as, path });
		for (let i = 0; i < 7; i++) await advance("PT45M");
		expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ status: "FAILED", attempts: 8 });
	});

	it("responds 404 for the delivery of another organization or of a deleted webhook", async () => {
		const { as, path, webhook } = await givenFinished();
		const stranger = await givenWebhookOwner();
		expect((await call(retryDelivery, { as: stranger.as, path })).status).toBe(404);
		await call(deleteWebhook, { as, path: { webhook_id: webhook.id } });
		expect((await call(retryDelivery, { as, path })).status).toBe(404);
	});
});

describe("a test event", () => {
	it("goes to its endpoint only, with any subscriptions, and responds 202 with the delivery", async () => {
		const { as, register } = await givenWebhookOwner();
		const webhook = await register({ url: "https://a.example/in" });
		await register({ url: "https://b.example/in" });
		const answer = await call(testWebhook, { as, path: { webhook_id: webhook.id } });
		expect(answer).toMatchObject({ status: 202, body: { event_type: "webhook.test", status: "PENDING", body: null, attempt_log: [] } });
		const { id, event_id } = expectOk(answer);
		await eventually(async () => expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ status: "DELIVERED" }));
		expect(world.received.map(({ url }) => url)).toEqual(["https://a.example/in"]);
		expect(expectOk(await call(getEvent, { as, path: { event_id } })).event_type).toBe("webhook.test");
	});

	it("is rejected for a suspended endpoint", async () => {
		const { as, register } = await givenWebhookOwner();
		const path = { webhook_id: (await register()).id };
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		expect(await call(testWebhook, { as, path })).toMatchObject({ status: 409, body: { code: "WEBHOOK_SUSPENDED" } });
	});
});

describe("deleting a webhook", () => {
	it("fails its pending deliveries, keeps the records readable and frees the name", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register({ name: "billing" });
		const path = { webhook_id: webhook.id };
		await raiseQuietly(organization.id);
		const { id } = await onlyDelivery(webhook.id);
		expect((await call(deleteWebhook, { as, path })).status).toBe(204);
		expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({
			status: "FAILED",
			last_error: "WEBHOOK_DELETED",
			failed_at: expect.any(String),
			next_attempt_at: null,
		});
		expect((await call(getWebhook, { as, path })).status).toBe(404);
		expect((await call(deleteWebhook, { as, path })).status).toBe(404);
		await attemptAt(webhook.id);
		expect(world.received).toEqual([]);
		expect(
			(await call(createWebhook, { as, body: { name: "billing", url: "https://a.example/in", events: ["loan.disbursed"] } })).status,
		).toBe(201);
		expect(
			await everyDatabase.prepare("select count(*) as n from webhook_signing_keys where webhook_id = ?").bind(webhook.id).first("n"),
		).toBe(0);
	});
});
