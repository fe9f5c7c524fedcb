// The sweep starts what is due and ends what was left behind.

import { beforeEach, describe, expect, it } from "vitest";
import { startDue } from "../../../../src/domains/webhooks/deliveries/job";
import type { Poked, WebhookQueue } from "../../../../src/runtime/ports";
import { cron } from "../../../support/cron";
import { everyDatabase } from "../../../support/databases";
import {
	deliveriesOf,
	fakeWorld,
	givenDelivery,
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

const recording = () => {
	const poked: Poked[] = [];
	const queue: WebhookQueue = { poke: async (some) => void poked.push(...some) };
	return { poked, queue };
};

describe("the sweep", () => {
	it("queues one message for each endpoint at which something is due, and not again a minute later", async () => {
		const { organization, register, webhook } = await givenDelivery();
		const other = await register({ url: "https://other.example/in" });
		for (let i = 0; i < 5; i++) await raiseQuietly(organization.id);
		const { poked, queue } = recording();
		await startDue({ ...(await services()), queue });
		expect(poked.map(({ webhookId }) => webhookId).toSorted()).toEqual([webhook.id, other.id].toSorted());
		expect(world.received).toEqual([]);
		poked.length = 0;
		await startDue({ ...(await services(60_000)), queue });
		expect(poked).toEqual([]);
	});

	it("delivers everything itself when the messages that it has queued do not arrive", async () => {
		const { organization, webhook } = await givenDelivery();
		for (let i = 0; i < 30; i++) await raiseQuietly(organization.id);
		await cron(quietQueues());
		expect(world.received).toEqual([]);
		await cron(quietQueues());
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(31).fill("DELIVERED"));
		expect(world.received).toHaveLength(31);
	});

	it("delivers everything itself immediately when the queue takes no messages", async () => {
		const { organization, webhook } = await givenDelivery();
		for (let i = 0; i < 3; i++) await raiseQuietly(organization.id);
		const broken = { sendBatch: async () => Promise.reject(new Error("Too Many Requests")) } as never;
		await cron({ ...quietQueues(), WEBHOOK_QUEUE: broken });
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(4).fill("DELIVERED"));
	});

	it("starts an endpoint however many deliveries of others have been due for longer", async () => {
		const { organization, webhook, register } = await givenDelivery();
		for (let i = 0; i < 20; i++) await raiseQuietly(organization.id);
		await everyDatabase.exec("update webhook_deliveries set next_attempt_at = 1");
		const late = await register({ url: "https://late.example/in" });
		await everyDatabase.prepare("update webhook_endpoints set slow = 1 where id = ?").bind(webhook.id).run();
		await raiseQuietly(organization.id);
		const { poked, queue } = recording();
		await startDue({ ...(await services()), queue });
		expect(poked).toContainEqual({ webhookId: late.id, lane: "QUICK" });
		expect(poked.filter(({ lane }) => lane === "SLOW")).toHaveLength(1);
	});

	it("does not touch held deliveries", async () => {
		const { webhook } = await givenDelivery();
		await everyDatabase.exec("update webhook_deliveries set next_attempt_at = null");
		const { poked, queue } = recording();
		await startDue({ ...(await services()), queue });
		await startDue({ ...(await services()), queue: quietQueue });
		expect(poked).toEqual([]);
		expect((await deliveriesOf(webhook.id)).map(({ attempts }) => attempts)).toEqual([0]);
	});
});
