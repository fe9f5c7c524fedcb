// An endpoint gets again what it has missed.

import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { testWebhook } from "../../../../src/domains/webhooks/deliveries/test.operations";
import { updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { carryOnRecoveries } from "../../../../src/domains/webhooks/recovery/job";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { webhookRecoveries } from "../../../../src/domains/webhooks/table";
import { deliveryHoldings, webhookDeliveries, webhookEvents } from "../../../../src/events/table";
import { call, expectOk } from "../../../support/client";
import { alone } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { db } from "../../../support/factories";
import { handle } from "../../../support/handle";
import { beforeTrip } from "../../../support/loans";
import { metered } from "../../../support/metering";
import { expectRows } from "../../../support/rows";
import { deliveriesOf, fakeWorld, givenWebhookOwner, quietQueue, quietQueues, raiseQuietly, services } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

/** Bindings that run `happens` between the read and the commit of a call; where homes are apart from the directory, a trip goes there before. */
const beforeCommit = (happens: () => Promise<unknown>) => beforeTrip(alone ? 2 : 3, happens);

const givenEvents = (organizationId: string, count: number) =>
	db.run(sql`
		insert into ${webhookEvents} (id, organization_id, sequence, event_type, category, event_key, payload_version, data, created_at)
		with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
		select 'e' || n, ${organizationId}, n, 'user.admitted', 'USER', 'user.admitted:' || n, 1,
			'{"user_id":"018f0000-0000-7000-8000-000000000000","admitted_at":"2026-01-01T00:00:00.000Z"}', ${Date.now() - 60_000} from numbers`);

describe("recovering", () => {
	it("creates the deliveries that an endpoint missed while suspended, once", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		await raiseQuietly(organization.id);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		for (let i = 0; i < 3; i++) await raiseQuietly(organization.id);
		expect(await deliveriesOf(webhook.id)).toHaveLength(1);
		const since = new Date(Date.now() - 60_000).toISOString();
		expect(await call(recoverWebhook, { as, path, body: { since } })).toMatchObject({ body: { code: "WEBHOOK_SUSPENDED" } });
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		expect(await call(recoverWebhook, { as, path, body: { since } })).toMatchObject({
			status: 202,
			body: { created: 3, retried: 0, remaining: 0 },
		});
		expect(expectOk(await call(recoverWebhook, { as, path, body: { since } }))).toEqual({ created: 0, retried: 0, remaining: 0 });
		await eventually(async () => expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(4).fill("DELIVERED")));
	});

	it("treats since as inclusive and until as exclusive", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		for (const seconds of [-30, -20, -10]) await raiseQuietly(organization.id, seconds * 1000);
		const [first, , third] = expectOk(await call(listEvents, { as, query: {} })).data;
		const path = { webhook_id: (await register()).id };
		const body = { since: first?.created_at ?? "", until: third?.created_at ?? "" };
		expect(expectOk(await call(recoverWebhook, { as, path, body }))).toEqual({ created: 2, retried: 0, remaining: 0 });
	});

	it("leaves out events never meant for the endpoint: tests of others, and notices about itself", async () => {
		const { as, register } = await givenWebhookOwner();
		const events = ["webhook.suspended"];
		const webhook = await register({ events });
		const other = await register({ events });
		const path = { webhook_id: webhook.id };
		await call(testWebhook, { as, path: { webhook_id: other.id } });
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		await call(updateWebhook, { as, path: { webhook_id: other.id }, body: { status: "SUSPENDED" } });
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		const since = new Date(Date.now() - 60_000).toISOString();
		expect(expectOk(await call(recoverWebhook, { as, path, body: { since } }))).toEqual({ created: 1, retried: 0, remaining: 0 });
		const feed = expectOk(await call(listEvents, { as, query: { type: "webhook.suspended" } })).data;
		const missed = feed.find(({ data }) => data.webhook_id === other.id);
		expect((await deliveriesOf(webhook.id)).map(({ eventId }) => eventId)).toEqual([missed?.id]);
	});

	it("does not flood the endpoint: ten are due immediately, and ten more each second", async () => {
		const { organization, register } = await givenWebhookOwner();
		for (let i = 0; i < 25; i++) await raiseQuietly(organization.id);
		const path = { webhook_id: (await register()).id };
		const caller = { kind: "operator", operatorId: "root", organizationId: organization.id };
		const quiet = { ...(await services()), queue: quietQueue };
		await handle(recoverWebhook, { path, body: { since: 0 }, caller }, quiet);
		const due = (await deliveriesOf(path.webhook_id)).map(({ nextAttemptAt, createdAt }) => (nextAttemptAt ?? 0) - createdAt);
		expect([0, 1_000, 2_000].map((ms) => due.filter((wait) => wait === ms).length)).toEqual([10, 10, 5]);
	});

	it("takes up FAILED deliveries in a new round, and changes nothing in a dry run", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		await raiseQuietly(organization.id);
		const [failed] = await deliveriesOf(webhook.id);
		await db
			.update(webhookDeliveries)
			.set({ status: "FAILED", nextAttemptAt: null, failedAt: 1, roundAttempts: 6, attempts: 6 })
			.where(eq(webhookDeliveries.id, failed?.id ?? ""));
		const path = { webhook_id: webhook.id };
		const since = new Date(Date.now() - 60_000).toISOString();
		const counted = { created: 0, retried: 1, remaining: 0 };
		expect(expectOk(await call(recoverWebhook, { as, path, body: { since, dry_run: true } }))).toEqual({ ...counted, counted_until: null });
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(["FAILED", "PENDING"]);
		expect(expectOk(await call(recoverWebhook, { as, path, body: { since } }))).toEqual(counted);
		await eventually(async () => {
			const taken = (await deliveriesOf(webhook.id)).find(({ id }) => id === failed?.id);
			expect(taken).toMatchObject({ status: "DELIVERED", round: 2, roundAttempts: 1, attempts: 7, failedAt: null });
		});
	});

	it("refuses a since in the future", async () => {
		const { as, register } = await givenWebhookOwner();
		const path = { webhook_id: (await register()).id };
		const since = new Date(Date.now() + 60_000).toISOString();
		expect(await call(recoverWebhook, { as, path, body: { since } })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "since", sub_code: "OUT_OF_RANGE" }] },
		});
	});

	it("looks at 200 events itself and leaves the rest to the sweep, counts what follows in the next 200, and is open once for an endpoint", async () => {
		const { organization, register } = await givenWebhookOwner();
		await givenEvents(organization.id, 500);
		const path = { webhook_id: (await register()).id };
		const caller = { kind: "operator", operatorId: "root", organizationId: organization.id };
		const quiet = { ...(await services()), queue: quietQueue };
		const answer = await handle(recoverWebhook, { path, body: { since: 0 }, caller }, quiet);
		expect(answer).toEqual({ created: 200, retried: 0, remaining: 200 });
		const { services: second, meter } = await metered(organization.id);
		expect(await handle(recoverWebhook, { path, body: { since: 0 }, caller }, second)).toEqual(answer);
		expectRows(meter.rowsWritten).toBe(0);
		const made = async () => (await deliveriesOf(path.webhook_id)).length;
		expect(await made()).toBe(200);
		const counts: number[] = [];
		for (let sweeps = 0; sweeps < 3; sweeps++) {
			await carryOnRecoveries(quiet);
			counts.push(await made());
		}
		expect(counts).toEqual([400, 500, 500]);
		const due = (await deliveriesOf(path.webhook_id)).map(({ nextAttemptAt }) => nextAttemptAt ?? 0);
		expect(
			Math.max(
				...Map.groupBy(due, (at) => Math.floor(at / 1000))
					.values()
					.map(({ length }) => length),
			),
		).toBeLessThanOrEqual(20);
		expect(Math.max(...due) - Math.min(...due)).toBeGreaterThan(48_000);
		expect(await db.$count(webhookRecoveries)).toBe(0);
	});

	it("is open once for an endpoint where two calls begin at once", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		await givenEvents(organization.id, 250);
		const path = { webhook_id: (await register({ events: ["loan.disbursed"] })).id };
		const body = { since: new Date(Date.now() - 120_000).toISOString() };
		const other = () => call(recoverWebhook, { as, path, body });
		const answer = expectOk(await call(recoverWebhook, { as, path, body, vars: beforeCommit(other) }));
		expect([answer.created, (await db.select().from(webhookRecoveries)).length]).toEqual([0, 1]);
	});

	it("recovers of a portion what it has counted, also when an event of it leaves meanwhile", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		await givenEvents(organization.id, 201);
		await db.run(sql`update ${webhookEvents} set event_type = 'loan.disbursed', category = 'LOAN' where sequence = 1`);
		const path = { webhook_id: (await register()).id };
		const body = { since: new Date(Date.now() - 120_000).toISOString() };
		const leave = () => db.run(sql`delete from ${webhookEvents} where sequence = 1`);
		const { WEBHOOK_QUEUE, WEBHOOK_SLOW_QUEUE } = quietQueues();
		const vars = { ...beforeCommit(leave), WEBHOOK_QUEUE, WEBHOOK_SLOW_QUEUE };
		const answer = expectOk(await call(recoverWebhook, { as, path, body, vars }));
		expect(answer).toEqual({ created: 199, retried: 0, remaining: 1 });
	});

	it("of a healed endpoint counts its next 400 events before it begins, and ends at the quota, without passing events over", async () => {
		const { organization, register } = await givenWebhookOwner();
		await givenEvents(organization.id, 450);
		const { id: webhookId } = await register();
		const opened = { id: "r", organizationId: organization.id, webhookId, since: 0, until: Date.now(), position: 0 };
		await db.insert(webhookRecoveries).values(opened);
		const quiet = { ...(await services()), queue: quietQueue };
		const caller = { kind: "operator", operatorId: "root", organizationId: organization.id };
		const recover = () => handle(recoverWebhook, { path: { webhook_id: webhookId }, body: { since: 0 }, caller }, quiet);
		expect(await recover()).toEqual({ created: 0, retried: 0, remaining: 400 });
		await db.insert(deliveryHoldings).values({ organizationId: organization.id, quota: 0 });
		await carryOnRecoveries(quiet);
		expect([await db.$count(webhookRecoveries), (await deliveriesOf(webhookId)).length]).toEqual([0, 0]);
		await db.update(deliveryHoldings).set({ quota: null });
		expect(await recover()).toEqual({ created: 200, retried: 0, remaining: 200 });
		while (await carryOnRecoveries(quiet));
		expect(await deliveriesOf(webhookId)).toHaveLength(450);
	});

	it("reads no more of a long period with a large filter than of a short one, dry and for real", { tags: ["thorough"] }, async () => {
		const { organization, register } = await givenWebhookOwner();
		await givenEvents(organization.id, 10_000);
		const values = Array.from({ length: 4 }, (_, index) => `${index}`);
		const filter = Array.from({ length: 10 }, () => ({ member: "user_id", in: [...values, "018f0000-0000-7000-8000-000000000000"] }));
		const { id: webhook_id } = await register({ filter });
		const caller = { kind: "operator", operatorId: "root", organizationId: organization.id };
		const costOf = async (dry_run: boolean) => {
			const { services: counted, meter } = await metered(organization.id);
			const answer = await handle(recoverWebhook, { path: { webhook_id }, body: { since: 0, dry_run }, caller }, counted);
			expect(answer).toMatchObject({ created: 200, retried: 0, remaining: 200 });
			return meter.rowsRead;
		};
		const rows = [await costOf(true), await costOf(false)];
		expectRows(rows[0] ?? Number.NaN).atMost(40_000);
		expectRows(rows[1] ?? Number.NaN).atMost(120_000);
	});

	it("says how far a dry run has counted, and counts each missed event once from there on, however many others come before", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		await givenEvents(organization.id, 1_000);
		await db.run(sql`update ${webhookEvents} set created_at = created_at - 100000 + 10 * (sequence / 3)`);
		const user = crypto.randomUUID();
		await db.run(sql`update ${webhookEvents} set data = json_set(data, '$.user_id', ${user}) where sequence in (790, 850)`);
		const path = { webhook_id: (await register({ filter: [{ member: "user_id", in: [user] }] })).id };
		const until = new Date(Date.now() - 1_000).toISOString();
		const answers = [];
		for (let since: string | null | undefined = "2026-01-01T00:00:00Z"; since; since = answers.at(-1)?.counted_until) {
			answers.push(expectOk(await call(recoverWebhook, { as, path, body: { since, until, dry_run: true } })));
		}
		expect(answers).toEqual([
			{ created: 0, retried: 0, remaining: 0, counted_until: expect.any(String) },
			{ created: 0, retried: 0, remaining: 1, counted_until: expect.any(String) },
			{ created: 1, retried: 0, remaining: 0, counted_until: null },
		]);
	});

	it("ends when its endpoint is suspended", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const { id } = await register();
		await db.insert(webhookRecoveries).values({ id: "r", organizationId: organization.id, webhookId: id, since: 0, until: 1, position: 0 });
		await call(updateWebhook, { as, path: { webhook_id: id }, body: { status: "SUSPENDED" } });
		await carryOnRecoveries(await services());
		expect(await db.$count(webhookRecoveries)).toBe(0);
	});
});
