// The quota of deliveries that an organization may hold, and their count.

import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getDeliveryQuota, setDeliveryQuota } from "../../../../src/domains/organizations/quota.operations";
import { retryDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { testWebhook } from "../../../../src/domains/webhooks/deliveries/test.operations";
import { deleteWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { purgeWebhooks } from "../../../../src/domains/webhooks/keeping/purge.job";
import { keepToQuotas } from "../../../../src/domains/webhooks/keeping/quota.job";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { listWork } from "../../../../src/domains/work/operations";
import { deliveryHoldings } from "../../../../src/events/table";
import type { JobServices } from "../../../../src/runtime/services";
import { homeOf, uuidv7 } from "../../../../src/shared/ids";
import { DAY_MS } from "../../../../src/shared/time";
import { allDeliveries } from "../../../support/all-deliveries";
import { call, expectOk } from "../../../support/client";
import { databaseOf, everyDatabase } from "../../../support/databases";
import { db, operatorToken } from "../../../support/factories";
import { requestsEnded } from "../../../support/serve";
import { attemptAt, fakeWorld, givenWebhookOwner, quietQueue, raiseQuietly, services } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

const held = async () => (await db.select().from(deliveryHoldings)).map(({ held }) => held);

/** Services under which an organization may hold so many deliveries. */
async function limited(quota: number, aheadMs = 0): Promise<JobServices> {
	const made = { ...(await services(aheadMs)), queue: quietQueue };
	return { ...made, config: { ...made.config, WEBHOOK_QUOTA: quota } };
}

describe("the count of an organization's deliveries", () => {
	it("follows what makes, ends, sends again and removes them, in either form", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const [a, b] = [await register(), await register()];
		const expectCounted = async () => expect(await held()).toEqual([(await allDeliveries()).length]);
		for (let i = 0; i < 3; i++) await raiseQuietly(organization.id);
		await expectCounted();
		await attemptAt(a.id);
		await expectCounted();
		const first = (await allDeliveries()).find(({ status }) => status === "DELIVERED");
		expectOk(await call(retryDelivery, { as, path: { delivery_id: first?.id ?? "" } }));
		expectOk(await call(testWebhook, { as, path: { webhook_id: a.id } }));
		await requestsEnded();
		await expectCounted();
		expect(await held()).toEqual([7]);
		await call(deleteWebhook, { as, path: { webhook_id: b.id } });
		await db.run(sql`delete from webhook_deliveries where webhook_id = ${a.id} and status = 'PENDING'`);
		await everyDatabase.exec("update delivery_holdings set checked_at = null");
		await keepToQuotas(await services());
		await expectCounted();
		const since = new Date(Date.now() - 60_000).toISOString();
		await call(recoverWebhook, { as, path: { webhook_id: a.id }, body: { since } });
		await requestsEnded();
		await expectCounted();
		for (const days of [31, 91]) {
			while (await purgeWebhooks(await services(days * DAY_MS)));
			await expectCounted();
		}
	});

	it("is checked once a day, and made for organizations that have none", async () => {
		const { organization, register } = await givenWebhookOwner();
		await register();
		for (let i = 0; i < 2; i++) await raiseQuietly(organization.id);
		const check = async (aheadMs = 0) => {
			while (await keepToQuotas(await services(aheadMs)));
		};
		for (const wrong of ["delete from delivery_holdings", "update delivery_holdings set held = 9, checked_at = 0"]) {
			await everyDatabase.exec(wrong);
			await check();
			expect(await held()).toEqual([2]);
		}
		await everyDatabase.exec("update delivery_holdings set held = 9");
		await check(DAY_MS - 60_000);
		expect(await held()).toEqual([9]);
		await check(DAY_MS + 60_000);
		expect(await held()).toEqual([2]);
	});

	it("is checked up to twenty thousand of each form: of more, the count that commits have kept stays", { tags: ["thorough"] }, async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		await databaseOf(organization.id)
			.prepare(
				`with recursive n(i) as (select 1 union all select i + 1 from n where i <= 21000)
				insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
				select unhex(replace(?1, '-', '')), randomblob(16), unhex(replace(?2, '-', '')), randomblob(16), 'x', ?3, ?3, ?3 from n`,
			)
			.bind(organization.id, webhook.id, Date.now())
			.run();
		const checked = async (held: number) => {
			await databaseOf(organization.id).prepare("update delivery_holdings set held = ?, checked_at = 0").bind(held).run();
			while (await keepToQuotas(await services()));
		};
		await checked(21_002);
		expect(await held()).toEqual([21_002]);
		await checked(7);
		expect(await held()).toEqual([20_001]);
	});

	it("is of its own alone, in either form", async () => {
		for (const count of [1, 2]) {
			const { organization, register } = await givenWebhookOwner();
			const webhook = await register();
			for (let i = 0; i < count; i++) await raiseQuietly(organization.id);
			await attemptAt(webhook.id);
			await raiseQuietly(organization.id);
		}
		await everyDatabase.exec("update delivery_holdings set held = 9, checked_at = 0");
		for (const there of (await services()).everywhere()) while (await keepToQuotas(there));
		expect((await held()).toSorted()).toEqual([2, 3]);
	});
});

describe("an organization at its quota", () => {
	it("gets a notice at four fifths, gets no more deliveries but all events, and those that it missed by recover", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register({ events: ["user.admitted", "webhook.quota_nearing", "webhook.quota_reached"] });
		const told = async () =>
			expectOk(await call(listEvents, { as, query: { size: "100" } })).data.flatMap(({ event_type, data }) =>
				event_type.startsWith("webhook.quota") ? [[event_type, data.held, data.quota]] : [],
			);
		for (let i = 0; i < 7; i++) await raiseQuietly(organization.id);
		const operator = await operatorToken();
		const attention = async () =>
			expectOk(await call(listWork, { as: operator, query: { kind: "QUOTA" } })).data.map(({ id, state }) => [id, state]);
		while (await keepToQuotas(await limited(10)));
		expect(await told()).toEqual([]);
		expect(await attention()).toEqual([]);
		await raiseQuietly(organization.id);
		for (let i = 0; i < 2; i++) while (await keepToQuotas(await limited(10)));
		expect(await told()).toEqual([["webhook.quota_nearing", 8, 10]]);
		expect(await attention()).toEqual([[organization.id, "NEARING"]]);
		await raiseQuietly(organization.id);
		await db.run(sql`update delivery_holdings set quota = 10`);
		for (let i = 0; i < 3; i++) await raiseQuietly(organization.id);
		expect(await held()).toEqual([10]);
		const nearing = ["webhook.quota_nearing", 8, 10];
		const reached = ["webhook.quota_reached", 10, 10];
		for (const [aheadMs, expected] of [
			[0, [nearing, reached]],
			[DAY_MS - 60_000, [nearing, reached]],
			[DAY_MS + 60_000, [nearing, reached, reached]],
		] as const) {
			while (await keepToQuotas(await services(aheadMs)));
			expect(await told()).toEqual(expected);
			expect(await attention()).toEqual([[organization.id, "REACHED"]]);
		}
		expect(expectOk(await call(listEvents, { as, query: { type: "user.admitted", size: "100" } })).data).toHaveLength(12);
		const by = { as, path: { webhook_id: webhook.id }, body: { since: new Date(Date.now() - 60_000).toISOString() } };
		expect(expectOk(await call(recoverWebhook, by)).created).toBe(0);
		await db.run(sql`update delivery_holdings set quota = 100`);
		// The first notice was meant for the endpoint too; the second is of tomorrow.
		expect(expectOk(await call(recoverWebhook, by)).created).toBe(4);
		while (await keepToQuotas(await services(DAY_MS + 120_000)));
		expect(await attention()).toEqual([]);
		expect(await db.select().from(deliveryHoldings)).toMatchObject([{ nearingToldAt: null, reachedToldAt: null, quota: 100 }]);
	});

	it("gets one notice where two look at once", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		await register();
		for (let i = 0; i < 8; i++) await raiseQuietly(organization.id);
		while (await keepToQuotas(await limited(100)));
		await Promise.allSettled([keepToQuotas(await limited(10)), keepToQuotas(await limited(10))]);
		expect(expectOk(await call(listEvents, { as, query: { type: "webhook.quota_nearing" } })).data).toHaveLength(1);
	});

	it("loses its oldest finished deliveries early, down to a week and then to a day, while all events stay", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		const made = async (count: number, day: number) => {
			for (let i = 0; i < count; i++) await raiseQuietly(organization.id, day * DAY_MS);
			await attemptAt(webhook.id, day * DAY_MS);
		};
		await made(10, 0);
		await made(5, 5);
		await made(5, 10);
		const keep = async (quota: number, day: number) => {
			while (await keepToQuotas(await limited(quota, day * DAY_MS)));
			return (await held())[0];
		};
		expect(await keep(30, 10)).toBe(20);
		// More than a tenth is free again, which the oldest are enough for.
		expect(await keep(20, 10)).toBe(18);
		expect(await keep(10, 10)).toBe(9);
		expect(await keep(6, 10)).toBe(5);
		expect(await keep(1, 10)).toBe(5);
		const days = (await allDeliveries()).map(({ createdAt }) => Math.round((createdAt - Date.now()) / DAY_MS));
		expect(days).toEqual(Array(5).fill(10));
		expect(expectOk(await call(listEvents, { as, query: { type: "user.admitted", size: "100" } })).data).toHaveLength(20);
	});
});

it("operators set the quota of one organization, and see what it holds", async () => {
	const { organization, as, register } = await givenWebhookOwner();
	await register();
	await raiseQuietly(organization.id);
	const path = { organizationId: organization.id };
	const operator = await operatorToken();
	const configured = { organization_id: organization.id, held: 1, quota: 2_000_000, own_quota: null };
	expect(expectOk(await call(getDeliveryQuota, { as: operator, path }))).toEqual(configured);
	const own = { ...configured, quota: 1, own_quota: 1 };
	expect(expectOk(await call(setDeliveryQuota, { as: operator, path, body: { own_quota: 1 } }))).toEqual(own);
	await raiseQuietly(organization.id);
	expect(expectOk(await call(getDeliveryQuota, { as: operator, path }))).toEqual(own);
	expect(expectOk(await call(setDeliveryQuota, { as: operator, path, body: { own_quota: null } }))).toEqual(configured);
	expect((await call(setDeliveryQuota, { as, path, body: { own_quota: 5 } })).status).toBe(403);
	const nobody = { organizationId: uuidv7(Date.now(), homeOf(organization.id)) };
	expect((await call(setDeliveryQuota, { as: operator, path: nobody, body: { own_quota: 5 } })).status).toBe(404);
});
