// A database that fills up makes no more deliveries, while all else goes on.

import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getHealth } from "../../../../src/domains/health/operations";
import { purgeWebhooks } from "../../../../src/domains/webhooks/deliveries/purge.job";
import { keepToQuotas } from "../../../../src/domains/webhooks/deliveries/quota.job";
import { measureStorage } from "../../../../src/domains/webhooks/deliveries/storage.job";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import type { JobServices } from "../../../../src/runtime/services";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { handle } from "../../../support/handle";
import { attemptAt, deliveriesOf, fakeWorld, givenWebhookOwner, quietQueue, raiseQuietly, services } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

/** Services of a database that may become so much larger than it is that it is now this full. */
async function full(percent: number, aheadMs = 0): Promise<JobServices> {
	const made = { ...(await services(aheadMs)), queue: quietQueue };
	await made.db.read(made.db.orm.all(sql`select 1`));
	return { ...made, config: { ...made.config, DATABASE_BYTES: Math.floor((100 * made.db.bytes) / (percent + 0.5)) } };
}

describe("a database that fills up", () => {
	it("makes no deliveries from 95 % on, keeps its feed, and recovers what was missed when there is space again", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		await measureStorage(await full(94));
		await raiseQuietly(organization.id);
		expect(await deliveriesOf(webhook.id)).toHaveLength(1);
		await measureStorage(await full(95));
		await raiseQuietly(organization.id);
		expect(await deliveriesOf(webhook.id)).toHaveLength(1);
		expect(expectOk(await call(listEvents, { as, query: { type: "user.admitted" } })).data).toHaveLength(2);
		const since = new Date(Date.now() - 60_000).toISOString();
		const nothing = { created: 0, retried: 0, remaining: 0 };
		expect(expectOk(await call(recoverWebhook, { as, path, body: { since } }))).toEqual(nothing);
		await measureStorage(await full(40));
		expect(expectOk(await call(recoverWebhook, { as, path, body: { since } }))).toEqual({ ...nothing, created: 1 });
	});

	it.each([
		[89, 30],
		[90, 7],
		[95, 1],
	])("at %i %% keeps finished deliveries for %i days, and their events as long as ever", async (percent, days) => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		await measureStorage(await full(percent));
		const sweepAfter = async (ms: number) => {
			const there = await full(percent, ms);
			await purgeWebhooks(there);
			await keepToQuotas(there);
		};
		await sweepAfter(days * 86_400_000 - 60_000);
		expect(await deliveriesOf(webhook.id)).toHaveLength(1);
		await sweepAfter(days * 86_400_000 + 60_000);
		expect(await deliveriesOf(webhook.id)).toEqual([]);
		expect(expectOk(await call(listEvents, { as, query: {} })).data).toHaveLength(days === 30 ? 0 : 1);
	});

	it("is named by the health check, by its fullest database", async () => {
		expect(await handle(getHealth, {}, await full(83))).toMatchObject({ status: "ok", storage_percent: 83 });
		await everyDatabase.exec("delete from storage_levels");
	});
});
