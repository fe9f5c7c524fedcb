// A fault on our side never counts against an endpoint.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { claim } from "../../../../src/domains/webhooks/deliveries/claim.procedure";
import { DeliveryRun } from "../../../../src/domains/webhooks/deliveries/engine.job";
import { endExpired } from "../../../../src/domains/webhooks/deliveries/job";
import { deleteWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { createSigningKey, revokeSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import type { Poked } from "../../../../src/runtime/ports";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { expectErrors } from "../../../support/log";
import {
	attemptAll,
	attemptAt,
	attemptLog,
	consumeNow,
	deliveriesOf,
	endpoint,
	expectSigned,
	fakeWorld,
	givenDelivery,
	givenWebhookOwner,
	onlyDelivery,
	quietQueue,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** Claims the deliveries of the endpoint at that time, and lets the process die. */
async function crash(webhookId: string, aheadMs: number): Promise<void> {
	const targets = await deliveriesOf(webhookId);
	const later = { ...(await services(aheadMs)), queue: quietQueue };
	const { url } = await endpoint(webhookId);
	await claim(later, { targets, urls: [url], most: 1_000 });
	await everyDatabase.exec("update webhook_deliveries set claimed_until = 1 where claimed_until is not null");
	await endExpired(later);
}

const dueIn = async (webhookId: string, aheadMs: number) =>
	((await onlyDelivery(webhookId)).nextAttemptAt ?? Number.NaN) - Date.now() - aheadMs;

describe("an attempt that our own crash interrupts", () => {
	it("is repeated immediately the first time in a round, and after the ordinary delay each further time", async () => {
		const { webhook } = await givenDelivery();
		await crash(webhook.id, 0);
		expect(await dueIn(webhook.id, 0)).toBeLessThanOrEqual(0);
		let ahead = 0;
		for (const seconds of [45, 135, 405, 1215]) {
			await crash(webhook.id, ahead);
			const wait = await dueIn(webhook.id, ahead);
			expect(wait).toBeGreaterThan(seconds * 900 - 5_000);
			expect(wait).toBeLessThan(seconds * 1_100);
			ahead += wait + 1_000;
		}
	});

	it("never counts against the endpoint, however many deliveries fail by it, and recovery retries them", async () => {
		const { as, organization, webhook, path } = await givenDelivery();
		for (let i = 1; i < 10; i++) await raiseQuietly(organization.id);
		await everyDatabase.exec("update webhook_deliveries set attempts = 5, round_attempts = 5, round_interrupted = 5");
		await everyDatabase.exec("update webhook_endpoints set failures_in_row = 9");
		await crash(webhook.id, 0);
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(10).fill("FAILED"));
		expect(await endpoint(webhook.id)).toMatchObject({ status: "ACTIVE", failuresInRow: 9 });
		const since = new Date(Date.now() - 60_000).toISOString();
		expect(expectOk(await call(recoverWebhook, { as, path, body: { since } }))).toEqual({ created: 0, retried: 10, remaining: 0 });
		expect((await deliveriesOf(webhook.id)).map(({ status, roundInterrupted }) => [status, roundInterrupted])).toEqual(
			Array(10).fill(["PENDING", 0]),
		);
	});

	it("leaves the failed delivery counted if the endpoint failed another attempt of the round", async () => {
		const { webhook } = await givenDelivery();
		world.answer = () => new Response(null, { status: 500 });
		await attemptAt(webhook.id);
		await everyDatabase.exec(
			"update webhook_deliveries set attempts = 5, round_attempts = 5, round_interrupted = 4, next_attempt_at = created_at",
		);
		await crash(webhook.id, 0);
		expect(await endpoint(webhook.id)).toMatchObject({ failuresInRow: 1 });
	});
});

describe("a signing key that cannot be opened", () => {
	it("is recorded immediately as the service's own failure, and nothing is sent", async () => {
		const { webhook, delivery } = await givenDelivery();
		await everyDatabase.exec("update webhook_signing_keys set sealed_secret = 'moved'");
		await attemptAt(webhook.id);
		expect(world.received).toEqual([]);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "INTERRUPTED" }]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({
			status: "PENDING",
			claimedUntil: null,
			lastError: "The service could not sign the delivery; the endpoint did not receive it.",
		});
	});
});

describe("failures at an old URL", () => {
	it("do not suspend or count against the new one, nor does a success there clear its count", async () => {
		const { as, organization, webhook, path } = await givenDelivery();
		for (let i = 1; i < 10; i++) await raiseQuietly(organization.id);
		await everyDatabase.exec("update webhook_deliveries set attempts = 5, round_attempts = 5");
		let status = 500;
		let url = "https://new.example/in";
		world.answer = async () => {
			if (url !== "") await call(updateWebhook, { as, path, body: { url } });
			url = "";
			return new Response(null, { status });
		};
		await attemptAt(webhook.id, 0, 3);
		expect((await deliveriesOf(webhook.id)).filter((one) => one.status === "FAILED")).toHaveLength(3);
		expect(await endpoint(webhook.id)).toMatchObject({ status: "ACTIVE", failuresInRow: 0 });
		await attemptAt(webhook.id, 0, 6);
		expect(await endpoint(webhook.id)).toMatchObject({ failuresInRow: 3 });
		status = 204;
		world.answer = async () => {
			await everyDatabase.exec("update webhook_endpoints set url = 'https://third.example/in'");
			return new Response(null, { status });
		};
		await attemptAt(webhook.id, 0, 7);
		expect(await endpoint(webhook.id)).toMatchObject({ failuresInRow: 3 });
	});
});

describe("a change during the look-up of the endpoint's name", () => {
	/** Changes the endpoint while its name is looked up for the first time. */
	const whileResolving = (change: () => Promise<unknown>) => {
		let changed = false;
		world.resolving = async () => {
			if (changed) return;
			changed = true;
			await change();
		};
	};

	it("of the URL takes effect: nothing goes to the old URL, and the name in the new one is resolved before it is called", async () => {
		const { as, webhook, delivery, path } = await givenDelivery();
		whileResolving(() => call(updateWebhook, { as, path, body: { url: "https://new.example/in" } }));
		await consumeNow([delivery.id]);
		expect(world.received).toEqual([]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", attempts: 0, claimedUntil: null });
		await consumeNow([delivery.id]);
		expect(world.received.map(({ url }) => url)).toEqual(["https://new.example/in"]);
		expect(world.lookups.at(-1)).toContain("new.example");
	});

	it("of the URL wakes the delivery up again", async () => {
		const { as, webhook, delivery, path } = await givenDelivery();
		whileResolving(() => call(updateWebhook, { as, path, body: { url: "https://new.example/in" } }));
		const poked: string[] = [];
		const queue = { poke: async (some: readonly Poked[]) => void poked.push(...some.map(({ webhookId }) => webhookId)) };
		await attemptAll({ ...(await services()), queue }, [delivery.id]);
		expect(poked).toEqual([webhook.id]);
	});

	it("of the keys is obeyed: a revoked one signs nothing", async () => {
		const { as, webhook, delivery, path } = await givenDelivery();
		const second = expectOk(await call(createSigningKey, { as, path }));
		whileResolving(() => call(revokeSigningKey, { as, path: { ...path, signing_key_id: webhook.signing_keys[0]?.id ?? "" } }));
		await consumeNow([delivery.id]);
		const [request] = world.received;
		if (!request) throw new Error("expected a request");
		expectSigned(request, [second.secret ?? ""]);
	});

	it.each([
		["suspends", updateWebhook, { status: "SUSPENDED" }],
		["deletes", deleteWebhook, undefined],
	] as const)("that %s the endpoint is obeyed: nothing is sent", async (_, operation, body) => {
		const { as, delivery, path } = await givenDelivery();
		whileResolving(() => call(operation as typeof updateWebhook, { as, path, body } as never));
		await consumeNow([delivery.id]);
		expect(world.received).toEqual([]);
	});
});

describe("a connection that breaks", () => {
	it("within a second and before any answer is tried once more immediately, in the same attempt", async () => {
		const { webhook, delivery } = await givenDelivery();
		world.answer = () => {
			if (world.received.length === 1) throw new Error("Network connection lost.");
			return new Response(null, { status: 204 });
		};
		await consumeNow([delivery.id]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
		expect(world.received.map(({ body }) => body)).toEqual([world.received[0]?.body, world.received[0]?.body]);
	});

	it("again, or later, fails the attempt", async () => {
		const { organization, webhook, delivery } = await givenDelivery();
		world.answer = () => {
			throw new Error("Network connection lost.");
		};
		await consumeNow([delivery.id]);
		expect(world.received).toHaveLength(2);
		expect(await attemptLog(delivery.id)).toMatchObject([{ number: 1, outcome: "CONNECTION_FAILED" }]);
		await raiseQuietly(organization.id);
		world.answer = async () => {
			await scheduler.wait(1_100);
			throw new Error("Network connection lost.");
		};
		await attemptAt(webhook.id);
		expect(world.received).toHaveLength(3);
	});
});

describe("a clock that is behind", () => {
	it("by up to a second wastes no message: the attempt begins that much early", async () => {
		const { webhook, delivery } = await givenDelivery();
		await attemptAt(webhook.id, delivery.createdAt - Date.now() - 1_200);
		expect(world.received).toHaveLength(0);
		await attemptAt(webhook.id, delivery.createdAt - Date.now() - 900);
		expect(world.received).toHaveLength(1);
	});
});

it("an attempt that breaks off keeps no other end of its run from being recorded", async () => {
	const { organization, register } = await givenWebhookOwner();
	const { id } = await register({ url: "https://hooks.example/in" });
	for (let raised = 0; raised < 2; raised++) await raiseQuietly(organization.id);
	world.answer = async () => {
		await scheduler.wait(20);
		return new Response(null, { status: 204 });
	};
	const made = await services();
	let broken = false;
	const newId = () => {
		if (broken) return made.newId();
		broken = true;
		throw new Error("no id");
	};
	expectErrors("an attempt failed with an internal error");
	const run = new DeliveryRun({ ...made, newId });
	await run.start([id]);
	await run.ended();
	expect((await deliveriesOf(id)).map(({ status }) => status).toSorted()).toEqual(["DELIVERED", "PENDING"]);
});
