// A database that fills up, or an organization at its quota, gets no more deliveries, while all else goes on.

import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { purgeWebhooks } from "../../../../src/domains/webhooks/keeping/purge.job";
import { keepToQuotas } from "../../../../src/domains/webhooks/keeping/quota.job";
import { measureStorage } from "../../../../src/domains/webhooks/keeping/storage.job";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import type { JobServices } from "../../../../src/runtime/services";
import { getHealth } from "../../../../src/wiring/health.operations";
import { call, expectOk } from "../../../support/client";
import { expectCredit, pay } from "../../../support/credit";
import { freshNumber } from "../../../support/current-accounts";
import { everyDatabase } from "../../../support/databases";
import { db, givenApiKey, givenUser } from "../../../support/factories";
import { handle } from "../../../support/handle";
import { apply, givenLoanProduct, givenOffer } from "../../../support/loans";
import { allowErrors, expectErrors } from "../../../support/log";
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
		expectErrors("a database is filling up");
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
		expectErrors("a database is filling up");
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

	it.each([
		["the organization has reached its quota", () => db.run(sql`update delivery_holdings set quota = 0`)],
		["the database is full", async () => measureStorage(await full(100))],
	])("lends and takes repayments as ever while no deliveries are made because %s", async (_, stop) => {
		allowErrors("a database is filling up");
		const { organization, as, register } = await givenWebhookOwner();
		const types = ["user.admitted", "loan.disbursed", "repayment.posted"];
		const webhook = await register({ events: types });
		await raiseQuietly(organization.id);
		await stop();
		const key = await givenApiKey(organization.id, ["repayments:write"]);
		const borrower = await givenUser({ organizationId: organization.id, mobileNumber: freshNumber() });
		const { id: productId } = await givenLoanProduct({ organization_id: organization.id });
		const { id, account_id: accountId } = await givenOffer(borrower.token, productId);
		expect(expectOk(await apply(borrower.token, id, 30_000)).status).toBe("DISBURSED");
		const owed = async () => expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } })).balance.total_outstanding;
		const lent = await owed();
		expect(lent).toBeGreaterThanOrEqual(30_000);
		expectOk(await pay({ key, accountId }, 10_000));
		expect(await owed()).toBe(lent - 10_000);
		expectOk(await pay({ key, accountId }, lent - 10_000));
		expect(await owed()).toBe(0);
		const feed = expectOk(await call(listEvents, { as, query: { size: "100" } })).data.map(({ event_type }) => event_type);
		expect(feed.filter((type) => types.includes(type)).toSorted()).toEqual([
			"loan.disbursed",
			"repayment.posted",
			"repayment.posted",
			"user.admitted",
		]);
		expect((await deliveriesOf(webhook.id)).map(({ eventType }) => eventType)).toEqual(["user.admitted"]);
	});

	it("is named by the health check, by its fullest database", async () => {
		expect(await handle(getHealth, {}, await full(83))).toMatchObject({ status: "ok", storage_percent: 83 });
		await everyDatabase.exec("delete from storage_levels");
	});
});
