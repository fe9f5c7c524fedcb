// Endpoints that hang delay no others.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { Connections } from "../../../../src/runtime/connections";
import type { Lane, Poked } from "../../../../src/runtime/ports";
import { call } from "../../../support/client";
import { eventually } from "../../../support/eventually";
import { answerOutbound } from "../../../support/outbound";
import {
	attemptAll,
	attemptAt,
	deliveriesOf,
	endpoint,
	fakeWorld,
	givenDelivery,
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

describe("isolation", () => {
	it("records an outcome immediately while another receiver is slow", async () => {
		const { organization, register, webhook } = await givenDelivery("PT30S");
		const healthy = await register({ url: "https://healthy.example/in" });
		await raiseQuietly(organization.id);
		const slow = Promise.withResolvers<Response>();
		world.answer = ({ url }) => (url.includes("healthy") ? new Response(null, { status: 204 }) : slow.promise);
		const ids = [...(await deliveriesOf(webhook.id)).slice(0, 1), ...(await deliveriesOf(healthy.id))].map(({ id }) => id);
		const ended = attemptAll({ ...(await services()), queue: quietQueue }, ids, { lane: "QUICK" });
		await eventually(async () => expect((await deliveriesOf(healthy.id))[0]?.status).toBe("DELIVERED"));
		expect((await deliveriesOf(webhook.id))[0]?.claimedUntil).not.toBeNull();
		slow.resolve(new Response(null, { status: 204 }));
		await ended;
		expect((await deliveriesOf(webhook.id))[0]?.claimedUntil).toBeNull();
	});

	/** Attempts the delivery for a message of this lane. Returns the lanes of the messages that are queued for its endpoint. */
	const attemptIn = async (lane: Lane, id: string) => {
		const poked: Poked[] = [];
		const queue = { poke: async (some: readonly Poked[]) => void poked.push(...some) };
		await attemptAll({ ...(await services()), queue }, [id], { lane, until: 0 });
		return poked.map(({ lane }) => lane);
	};
	/** Raises an event, and returns the delivery that it makes. */
	const newest = async (organizationId: string, webhookId: string) => {
		const before = new Set((await deliveriesOf(webhookId)).map(({ id }) => id));
		await raiseQuietly(organizationId);
		return (await deliveriesOf(webhookId)).find(({ id }) => !before.has(id))?.id ?? "";
	};

	it("leaves an endpoint that answers quickly in its lane, even with errors, and its retries too", async () => {
		world.answer = () => new Response(null, { status: 500 });
		const { organization, webhook, delivery } = await givenDelivery();
		expect(await attemptIn("QUICK", delivery.id)).toEqual(["QUICK"]);
		expect((await endpoint(webhook.id)).slow).toBe(false);
		const second = await newest(organization.id, webhook.id);
		await attemptIn("QUICK", second);
		expect(world.received).toHaveLength(2);
	});

	it("moves the queued messages of a slow endpoint to the other lane, until it answers quickly again", async () => {
		const { organization, register, webhook, delivery } = await givenDelivery("PT1S");
		const healthy = await register({ url: "https://healthy.example/in" });
		world.answer = ({ url }) => (url.includes("healthy") ? new Response(null, { status: 204 }) : new Promise<Response>(() => {}));
		await attemptIn("QUICK", delivery.id);
		expect((await endpoint(webhook.id)).slow).toBe(true);
		const second = await newest(organization.id, webhook.id);
		expect(await attemptIn("QUICK", second)).toEqual(["SLOW"]);
		const [beside] = await deliveriesOf(healthy.id);
		expect(await attemptIn("QUICK", beside?.id ?? "")).toEqual([]);
		expect((await endpoint(healthy.id)).slow).toBe(false);
		world.answer = () => new Response(null, { status: 500 });
		await attemptIn("SLOW", second);
		expect((await endpoint(webhook.id)).slow).toBe(false);
		const third = await newest(organization.id, webhook.id);
		await attemptIn("QUICK", third);
		expect(world.received.filter(({ url }) => url === webhook.url)).toHaveLength(3);
	});

	it("treats an endpoint with a new URL as quick again, with any answers of the old URL", async () => {
		const { as, webhook, path } = await givenDelivery("PT1S");
		world.answer = async () => {
			await call(updateWebhook, { as, path, body: { url: "https://new.example/in" } });
			return new Promise<Response>(() => {});
		};
		await attemptAt(webhook.id);
		expect((await endpoint(webhook.id)).slow).toBe(false);
	});

	it("moves an endpoint that hangs to the other lane before its timeout ends", async () => {
		const { webhook } = await givenDelivery("PT30S");
		const answer = Promise.withResolvers<Response>();
		world.answer = () => answer.promise;
		const attempt = attemptAt(webhook.id);
		await eventually(async () => expect((await endpoint(webhook.id)).slow).toBe(true));
		expect((await onlyDelivery(webhook.id)).claimedUntil).not.toBeNull();
		answer.resolve(new Response(null, { status: 204 }));
		await attempt;
	});

	it("opens at most six connections in an invocation", async () => {
		const { organization, webhook } = await givenDelivery();
		for (let i = 0; i < 9; i++) await raiseQuietly(organization.id);
		let open = 0;
		let most = 0;
		const inner = world.fetch.bind(world);
		answerOutbound(async (input, init) => {
			most = Math.max(most, ++open);
			await scheduler.wait(5);
			try {
				return await inner(input, init);
			} finally {
				open--;
			}
		});
		const local = await services();
		const config = { ...local.config, WEBHOOK_PACE: "deployed" as const };
		const deployed = { ...local, queue: quietQueue, config, connections: new Connections(config) };
		await attemptAll(
			deployed,
			(await deliveriesOf(webhook.id)).map(({ id }) => id),
		);
		expect(world.received).toHaveLength(10);
		expect(most).toBeLessThanOrEqual(6);
	});
});
