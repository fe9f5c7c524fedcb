// An endpoint gets no more attempts at once, or in a second, than it allows.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { claim } from "../../../../src/domains/webhooks/deliveries/claim.procedure";
import { startDue } from "../../../../src/domains/webhooks/deliveries/job";
import { webhookEndpoints } from "../../../../src/events/table";
import { atInstant } from "../../../../src/runtime/making-services";
import type { Poked } from "../../../../src/runtime/ports";
import type { JobServices } from "../../../../src/runtime/services";
import { everyDatabase } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { db } from "../../../support/factories";
import {
	attemptAll,
	consumeNow,
	deliveriesOf,
	fakeWorld,
	givenDelivery,
	quietQueue,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** An endpoint with these limits and that many due deliveries. */
async function givenLimits(limits: { maxInFlight?: number; rateLimit?: number }, count: number) {
	const given = await givenDelivery();
	await db.update(webhookEndpoints).set(limits);
	for (let i = 1; i < count; i++) await raiseQuietly(given.organization.id);
	const targets = (await deliveriesOf(given.webhook.id)).map(({ id, webhookId }) => ({ id, webhookId }));
	return { ...given, targets, ids: targets.map(({ id }) => id), urls: [given.webhook.url] };
}

describe("max_in_flight", () => {
	it("limits all consumers and the sweep together, and still everything is delivered", async () => {
		const { webhook, ids } = await givenLimits({ maxInFlight: 3 }, 40);
		let open = 0;
		let most = 0;
		world.answer = async () => {
			most = Math.max(most, ++open);
			await scheduler.wait(10);
			open--;
			return new Response(null, { status: 204 });
		};
		await everyDatabase.prepare("update webhook_endpoints set hinted_at = ?").bind(Date.now()).run();
		await Promise.all([
			consumeNow(ids.slice(0, 20)),
			consumeNow(ids.slice(20, 21)),
			consumeNow(ids.slice(0, 5), "SLOW"),
			startDue({ ...(await services()), queue: quietQueue }),
		]);
		await eventually(async () => expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(40).fill("DELIVERED")));
		// Never more than three, and not one by one: whether the third ever overlaps is chance.
		expect([2, 3]).toContain(most);
		expect(world.received).toHaveLength(40);
	});

	it("counts no claims that have expired", async () => {
		const { targets, urls } = await givenLimits({ maxInFlight: 2 }, 4);
		const here = await services();
		expect((await claim(here, { targets: targets.slice(0, 2), urls, most: 1_000 })).claimed).toHaveLength(2);
		expect((await claim(here, { targets, urls, most: 1_000 })).claimed).toHaveLength(0);
		await everyDatabase.exec("update webhook_deliveries set claimed_until = 1 where claimed_until is not null");
		expect((await claim(here, { targets, urls, most: 1_000 })).claimed).toHaveLength(2);
	});

	it("starts the deliveries first that have been due for the longest time", async () => {
		const { targets, ids, urls } = await givenLimits({ maxInFlight: 2 }, 4);
		const last = ids.slice(2).toSorted();
		await everyDatabase
			.prepare("update webhook_deliveries set next_attempt_at = 1 where id in (?, ?)")
			.bind(...last)
			.run();
		const { claimed } = await claim(await services(), { targets, urls, most: 1_000 });
		expect(claimed.map(({ id }) => id).toSorted()).toEqual(last);
	});
});

describe("rate_limit", () => {
	/** Claims as much as is permitted at every step of the period. Returns when each attempt began. */
	async function begun(rateLimit: number, count: number, periodMs: number, stepMs: number): Promise<number[]> {
		const { targets, urls } = await givenLimits({ rateLimit, maxInFlight: 1_000 }, count);
		const here = await services();
		const times: number[] = [];
		for (let ms = 0; ms < periodMs; ms += stepMs) {
			const later: JobServices = atInstant(here, here.now + ms, here.realNow + ms);
			for (const _ of (await claim(later, { targets, urls, most: 1_000 })).claimed) times.push(ms);
		}
		return times;
	}

	/** The most attempts that began within one second. */
	const mostInASecond = (times: readonly number[]) =>
		Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));

	it("permits that many a second, evenly spread", async () => {
		const times = await begun(4, 20, 3_000, 50);
		expect(times).toEqual([0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_250, 2_500, 2_750]);
	});

	it("permits a tenth of the rate in one burst, so that no second exceeds the rate by more than a tenth", async () => {
		const times = await begun(30, 60, 1_500, 40);
		expect(times.filter((at) => at === 0)).toHaveLength(3);
		expect(mostInASecond(times)).toBeLessThanOrEqual(33);
		expect(times.filter((at) => at < 1_000).length).toBeGreaterThanOrEqual(29);
	});

	it("delivers the rest in the same run, as the rate permits it", async () => {
		const { webhook, ids } = await givenLimits({ rateLimit: 100 }, 40);
		await attemptAll({ ...(await services()), queue: quietQueue }, ids, {});
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(40).fill("DELIVERED"));
		expect(world.received).toHaveLength(40);
	});

	it("leaves the rest to a delayed message when the run must end", async () => {
		const { ids } = await givenLimits({ rateLimit: 2 }, 5);
		const poked: Poked[] = [];
		const queue = { poke: async (some: readonly Poked[]) => void poked.push(...some) };
		await attemptAll({ ...(await services()), queue }, ids, { until: 0 });
		expect(world.received).toHaveLength(1);
		const [later] = poked.filter(({ delaySeconds = 0 }) => delaySeconds > 0);
		expect(later?.delaySeconds).toBeLessThanOrEqual(0.501);
	});

	it("is not exceeded after a jump of the clock, and never blocks for longer than a second", async () => {
		const { targets, urls } = await givenLimits({ rateLimit: 1 }, 3);
		const here = await services();
		expect((await claim(here, { targets, urls, most: 1_000 })).claimed).toHaveLength(1);
		expect((await claim(atInstant(here, here.now + 3_600_000), { targets, urls, most: 1_000 })).claimed).toHaveLength(0);
		expect((await claim(atInstant(here, here.now, here.realNow + 1_000), { targets, urls, most: 1_000 })).claimed).toHaveLength(1);
	});
});
