// How batches of messages become attempts, deployed and locally.
// @module-tag thorough

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { retryAfterS } from "../../../../src/domains/webhooks/deliveries/consumer.job";
import { giveBack } from "../../../../src/domains/webhooks/deliveries/give-back.store";
import { updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { listWork } from "../../../../src/domains/work/operations";
import { call, expectOk } from "../../../support/client";
import { cron } from "../../../support/cron";
import { everyDatabase } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { operatorToken } from "../../../support/factories";
import { worker } from "../../../support/outbound";
import {
	attemptAt,
	attemptLog,
	claimOnly,
	deliveriesOf,
	endpoint,
	fakeWorld,
	givenWebhookOwner,
	messagesFor,
	onlyDelivery,
	quietQueues,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

const local = quietQueues;
const deployed = (): Env => ({
	...quietQueues(),
	ENVIRONMENT: "sandbox",
	BASE_URL: "https://api.example",
	WEBHOOK_ALLOWED_NETWORKS: "",
	WEBHOOK_ALLOWED_PORTS: "443",
	RATE_LIMITS: "on",
});

/** Resolves when the consumer has returned, which is when the platform processes its acknowledgements and delivers the next batch. */
async function consume(ids: readonly string[], bindings: Env, queue = "webhook-deliveries") {
	const batch = createMessageBatch(queue, await messagesFor(ids));
	const ctx = createExecutionContext();
	await worker.queue(batch as never, bindings, ctx);
	return { afterwards: () => getQueueResult(batch, ctx) };
}

async function givenDelivery(timeout = "PT30S") {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ timeout });
	await raiseQuietly(owner.organization.id);
	return { ...owner, webhook, delivery: await onlyDelivery(webhook.id) };
}

/** Receivers that hang until they are released. */
function hang(which: (url: string) => boolean = () => true) {
	const { promise, resolve } = Promise.withResolvers<void>();
	world.answer = async ({ url }) => {
		if (which(url)) await promise;
		return new Response(null, { status: 204 });
	};
	return resolve;
}

describe("a deployed consumer", () => {
	it("returns when its attempts have ended and are recorded", async () => {
		const { webhook, delivery } = await givenDelivery();
		const { afterwards } = await consume([delivery.id], deployed());
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
		expect((await afterwards()).explicitAcks).toEqual(["m0"]);
	});

	it("does not wait for a slow receiver: its endpoint moves to the RETRY lane and its attempt continues", async () => {
		const { webhook, delivery } = await givenDelivery();
		const letGo = hang();
		const { afterwards } = await consume([delivery.id], deployed());
		expect((await onlyDelivery(webhook.id)).claimedUntil).not.toBeNull();
		await eventually(async () => expect((await endpoint(webhook.id)).slow).toBe(true));
		letGo();
		expect((await afterwards()).explicitAcks).toEqual(["m0"]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
	});

	it("does not wait for a body that arrives slowly after the status", async () => {
		const { webhook, delivery } = await givenDelivery();
		let finish = () => {};
		world.answer = () =>
			new Response(
				new ReadableStream({
					start(controller) {
						controller.enqueue(new TextEncoder().encode("drip"));
						finish = () => controller.close();
					},
				}),
			);
		const { afterwards } = await consume([delivery.id], deployed());
		expect((await onlyDelivery(webhook.id)).claimedUntil).not.toBeNull();
		finish();
		await afterwards();
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED" });
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "DELIVERED", responseBody: "drip" }]);
		expect((await endpoint(webhook.id)).slow).toBe(false);
	});
});

describe("a local consumer, which runs one batch at a time", () => {
	it("returns once its deliveries are claimed, however many receivers hang", async () => {
		const { organization, register, webhook } = await givenDelivery();
		for (let i = 1; i < 80; i++) await raiseQuietly(organization.id);
		const healthy = await register({ url: "https://healthy.example/in" });
		await raiseQuietly(organization.id);
		const letGo = hang((url) => !url.includes("healthy"));
		const running: { afterwards: () => Promise<unknown> }[] = [];
		for (const { id } of await deliveriesOf(webhook.id)) running.push(await consume([id], local()));
		const [delivery] = await deliveriesOf(healthy.id);
		running.push(await consume([delivery?.id ?? ""], local()));
		await eventually(async () => expect(await onlyDelivery(healthy.id)).toMatchObject({ status: "DELIVERED" }));
		letGo();
		await Promise.all(running.map(({ afterwards }) => afterwards()));
		expect(new Set((await deliveriesOf(webhook.id)).map(({ status }) => status))).toContain("DELIVERED");
	});
});

describe("queues under other names", () => {
	it("deliver by the lane that their messages say, and dead letters are those of DEAD_LETTER_QUEUE", async () => {
		const { webhook, delivery } = await givenDelivery();
		const renamed = { ...local(), DEAD_LETTER_QUEUE: "staging-dead" };
		const logged = vi.spyOn(console, "error").mockImplementation(() => {});
		await (await consume([delivery.id], renamed, "staging-dead")).afterwards();
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", attempts: 0 });
		expect(logged.mock.calls.flat().join()).toContain('"queue":"staging-dead","count":1');
		await (await consume([delivery.id], renamed, "staging-quick")).afterwards();
		await eventually(async () => expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED" }));
	});
});

describe("dead letters", () => {
	it("are logged, listed and acknowledged, and the sweep queues their deliveries again", async () => {
		const { organization, webhook, delivery } = await givenDelivery();
		const logged = vi.spyOn(console, "error").mockImplementation(() => {});
		const { afterwards } = await consume([delivery.id, crypto.randomUUID()], local(), "webhook-dead-letters");
		const result = await afterwards();
		expect(result.outcome).toBe("ok");
		expect(result.retryMessages).toEqual([]);
		expect(logged.mock.calls.flat().join()).toContain('"queue":"webhook-dead-letters","count":2');
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", attempts: 0 });
		const letters = expectOk(await call(listWork, { as: await operatorToken(), query: { kind: "DEAD_LETTER" } })).data;
		expect(letters).toMatchObject([{ id: webhook.id, organization_id: organization.id, state: "QUICK" }]);
		const ids: string[] = [];
		const queue = {
			sendBatch: async (batch: { body: { webhookId: string } }[]) => void ids.push(...batch.map(({ body }) => body.webhookId)),
		};
		await cron({ ...local(), WEBHOOK_QUEUE: queue as never });
		expect(ids).toEqual([webhook.id]);
	});
});

describe("an endpoint that is suspended", () => {
	it("gets nothing from messages that were queued before", async () => {
		const { as, webhook, delivery } = await givenDelivery();
		expectOk(await call(updateWebhook, { as, path: { webhook_id: webhook.id }, body: { status: "SUSPENDED" } }));
		const { afterwards } = await consume([delivery.id], deployed());
		expect((await afterwards()).explicitAcks).toEqual(["m0"]);
		expect(world.received).toEqual([]);
	});
});

describe("a claim that is given back", () => {
	it("leaves the attempt before it in place", async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		world.answer = () => new Response("no", { status: 500 });
		await attemptAt(webhook.id);
		const before = await onlyDelivery(webhook.id);
		await everyDatabase.exec("update webhook_deliveries set next_attempt_at = 1");
		const made = await services();
		await made.db.commit(giveBack(await claimOnly(before)));
		expect(await onlyDelivery(webhook.id)).toEqual({ ...before, nextAttemptAt: 1 });
		expect(await attemptLog(before.id)).toMatchObject([{ number: 1, outcome: "HTTP_ERROR", responseBody: "no" }]);
	});
});

it("a message is tried again twice as late each time, over more than half an hour", () => {
	const delays = Array.from({ length: 10 }, (_, index) => retryAfterS(index + 1));
	expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
	expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(30 * 60);
});
