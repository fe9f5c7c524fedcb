import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startAttempts } from "../../../../src/domains/webhooks/deliveries/attempt.job";
import { answerOutbound } from "../../../support/outbound";
import {
	attemptAt,
	consumeNow,
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
afterEach(() => {
	vi.restoreAllMocks();
});

describe("isolation", () => {
	it("records an outcome at once while another receiver is slow", async () => {
		const { organization, register, webhook } = await givenDelivery("PT2S");
		const healthy = await register({ url: "https://healthy.example/in" });
		await raiseQuietly(organization.id);
		world.answer = ({ url }) => (url.includes("healthy") ? new Response(null, { status: 204 }) : new Promise<Response>(() => {}));
		const ids = [...(await deliveriesOf(webhook.id)).slice(0, 1), ...(await deliveriesOf(healthy.id))].map(({ id }) => id);
		const { ended } = await startAttempts({ ...(await services()), queue: quietQueue }, ids, "FIRST");
		await vi.waitFor(async () => expect((await deliveriesOf(healthy.id))[0]?.status).toBe("DELIVERED"), 1_500);
		expect((await deliveriesOf(webhook.id))[0]?.claimedUntil).not.toBeNull();
		await ended;
		expect((await deliveriesOf(webhook.id))[0]?.claimedUntil).toBeNull();
	});

	it("moves first attempts of a failing endpoint to the retry lane, including those already queued", async () => {
		world.answer = ({ url }) => new Response(null, { status: url.includes("healthy") ? 204 : 500 });
		const { organization, register, webhook, delivery } = await givenDelivery();
		const healthy = await register({ url: "https://healthy.example/in" });
		await raiseQuietly(organization.id);
		await consumeNow([delivery.id]);
		const [, queuedBefore] = await deliveriesOf(webhook.id);
		expect(queuedBefore?.lane).toBe("FIRST");
		await consumeNow([queuedBefore?.id ?? ""]);
		expect((await deliveriesOf(webhook.id)).map(({ lane, attempts }) => [lane, attempts])).toEqual([
			["RETRY", 1],
			["RETRY", 0],
		]);
		await raiseQuietly(organization.id);
		expect((await deliveriesOf(webhook.id))[2]?.lane).toBe("RETRY");
		expect((await deliveriesOf(healthy.id)).map(({ lane }) => lane)).toEqual(["FIRST", "FIRST"]);
	});

	it("moves an endpoint that hangs to the retry lane before its timeout ends", async () => {
		const { webhook } = await givenDelivery("PT4S");
		world.answer = () => new Promise<Response>(() => {});
		const attempt = attemptAt(webhook.id);
		await vi.waitFor(async () => expect((await endpoint(webhook.id)).failing).toBe(true), 3_500);
		expect((await onlyDelivery(webhook.id)).claimedUntil).not.toBeNull();
		await attempt;
	}, 10_000);

	it("never claims more deliveries than it starts at once, and opens at most six connections", async () => {
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
		const claims: number[] = [];
		world.answer = async () => {
			claims.push((await deliveriesOf(webhook.id)).filter(({ claimedUntil }) => claimedUntil !== null).length);
			return new Response(null, { status: 204 });
		};
		await consumeNow((await deliveriesOf(webhook.id)).map(({ id }) => id));
		expect(world.received).toHaveLength(10);
		expect(most).toBeLessThanOrEqual(6);
		expect(Math.max(...claims)).toBeLessThanOrEqual(3);
	});
});
