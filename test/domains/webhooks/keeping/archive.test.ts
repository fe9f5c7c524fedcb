// Finished deliveries in the archive: how they get there, are found there, and are sent again.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { getDelivery, listDeliveries, retryDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { archiveDeliveries } from "../../../../src/domains/webhooks/keeping/archive.job";
import { keepToQuotas } from "../../../../src/domains/webhooks/keeping/quota.job";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { deliveryHoldings } from "../../../../src/events/table";
import { archiveBy } from "../../../../src/providers/archive";
import type { Archive } from "../../../../src/runtime/ports";
import type { JobServices } from "../../../../src/runtime/services";
import { DAY_MS, HOUR_MS } from "../../../../src/shared/time";
import { allDeliveries } from "../../../support/all-deliveries";
import { readBytes, unzipped } from "../../../support/backups";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { db } from "../../../support/factories";
import { beforeTrip } from "../../../support/loans";
import { expectErrors } from "../../../support/log";
import { metered } from "../../../support/metering";
import { expectRows } from "../../../support/rows";
import {
	attemptAt,
	fakeWorld,
	givenWebhookOwner,
	lastAttempts,
	quietQueue,
	quietQueues,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(async () => {
	world = fakeWorld();
	for (const { key } of (await env.BUCKET.list()).objects) await env.BUCKET.delete(key);
});

const { WEBHOOK_QUEUE, WEBHOOK_SLOW_QUEUE } = quietQueues();
const vars = { ARCHIVE: env.BUCKET, WEBHOOK_QUEUE, WEBHOOK_SLOW_QUEUE };
const bucket = archiveBy(env.BUCKET) as Archive;
const names = () => bucket.names("");

async function withArchive(aheadMs = 0, archive: Archive = bucket): Promise<JobServices> {
	const made = await services(aheadMs);
	return { ...made, queue: quietQueue, providers: Object.create(made.providers, { archive: { value: archive } }) };
}

/** Archives all that is to be archived. */
async function archived(aheadMs = 0): Promise<void> {
	while (await archiveDeliveries(await withArchive(aheadMs)));
}

/** Deliveries, made and attempted so many hours ago. */
async function givenDeliveries(hoursAgo: readonly number[], status = 204) {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register();
	world.answer = () => new Response(null, { status });
	for (const hours of hoursAgo) {
		await raiseQuietly(owner.organization.id, -hours * HOUR_MS);
		if (status !== 204) await lastAttempts(webhook.id);
		await attemptAt(webhook.id, -hours * HOUR_MS);
	}
	return { ...owner, webhook, given: (await allDeliveries()).filter(({ webhookId }) => webhookId === webhook.id) };
}

const held = async (organizationId: string) =>
	(await db.select().from(deliveryHoldings)).find((holding) => holding.organizationId === organizationId)?.held;

it("delivered ones leave after a day, an object for each organization and hour, and are found by id as they were", async () => {
	const one = await givenDeliveries([50, 50, 30, 3]);
	const other = await givenDeliveries([50, 3]);
	const get = async (id: string, as = one.as, more = {}) => call(getDelivery, { as, path: { id }, vars: { ...vars, ...more } });
	const before = await Promise.all(one.given.map(async ({ id }) => expectOk(await get(id))));
	expect(expectOk(await call(listDeliveries, { as: one.as, vars })).complete_from).toBeNull();
	await archived();
	expect((await allDeliveries()).map(({ id }) => id).toSorted()).toEqual([one.given[3]?.id, other.given[1]?.id].toSorted());
	expect(await names()).toHaveLength(3);
	expect((await names()).filter((name) => name.startsWith(`webhook-deliveries/${one.organization.id}/`))).toHaveLength(2);
	for (const delivery of before) expect(expectOk(await get(delivery.id))).toEqual(delivery);
	expect((await get(one.given[0]?.id ?? "", other.as)).status).toBe(404);
	expect((await get(one.given[0]?.id ?? "", one.as, { RETENTION_DAYS: "1" })).status).toBe(404);
	expect((await get(one.given[0]?.id ?? "", one.as, { ARCHIVE: undefined })).status).toBe(404);
	expect((await get(crypto.randomUUID())).status).toBe(404);
	const list = expectOk(await call(listDeliveries, { as: one.as, vars }));
	expect(list.data.map(({ id }) => id)).toEqual([one.given[3]?.id]);
	const from = Date.parse(list.complete_from ?? "");
	expect(from).toBeGreaterThan(Date.now() - DAY_MS - HOUR_MS);
	expect(from).toBeLessThanOrEqual(Date.now() - DAY_MS);
	expect(await held(one.organization.id)).toBe(1);
	await archived(DAY_MS);
	expect(await allDeliveries()).toEqual([]);
});

it("an archived answer has nobody's name, number or mail address in it", async () => {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register();
	const named = { customer: "Wanjiru Plantagenet", phone: "+254711223344", email: "wanjiru@example.com" };
	const planted = /wanjiru|plantagenet|711223344/i;
	for (const status of [500, 200]) {
		world.answer = () => Response.json({ ...named, state: "TAKEN" }, { status });
		await raiseQuietly(owner.organization.id, -50 * HOUR_MS);
		await attemptAt(webhook.id, -50 * HOUR_MS);
		world.answer = () => Response.json({ ...named, state: "TAKEN" });
		await attemptAt(webhook.id, -49 * HOUR_MS);
	}
	const { data } = expectOk(await call(listDeliveries, { as: owner.as, vars }));
	const before = await Promise.all(data.map(async ({ id }) => expectOk(await call(getDelivery, { as: owner.as, path: { id }, vars }))));
	expect(before.flatMap((delivery) => delivery.attempt_log).filter(({ response_body }) => planted.test(response_body ?? ""))).toHaveLength(
		3,
	);
	await archived();
	const objects = await Promise.all((await names()).map(async (name) => unzipped(await readBytes(name))));
	expect(objects.join().match(/TAKEN/g)).toHaveLength(3);
	expect(objects.join()).not.toMatch(planted);
	for (const { id } of data) {
		expect((await call(getDelivery, { as: owner.as, path: { id }, vars })).text).toContain("[erased]");
	}
});

it("who dies between the archive and the database repeats the same objects, and removes nothing that is not there", async () => {
	expectErrors("deliveries could not be archived");
	const { given } = await givenDeliveries([50, 50, 30]);
	const dies = (writes: number): Archive => ({
		...bucket,
		async write(...object) {
			if (writes-- > 0) await bucket.write(...object);
			else throw new Error("gone");
		},
	});
	await archiveDeliveries(await withArchive(0, dies(0)));
	await archiveDeliveries(await withArchive(0, dies(1)));
	expect(await allDeliveries()).toHaveLength(given.length);
	const first = await names();
	expect(first).toHaveLength(1);
	const late = await withArchive();
	const commit = late.db.commit.bind(late.db);
	late.db.commit = async () => {
		throw new Error("gone");
	};
	await archiveDeliveries(late);
	late.db.commit = commit;
	expect(await allDeliveries()).toHaveLength(given.length);
	const both = await names();
	await archived();
	expect(await names()).toEqual(both);
	expect(both).toContain(first[0]);
	expect(both).toHaveLength(2);
	expect(await allDeliveries()).toEqual([]);
});

it("an archived one is sent again with the same bytes, and archived again with all its attempts", async () => {
	const { as, webhook, organization, given } = await givenDeliveries([50, 50]);
	const [{ id } = { id: "" }] = given;
	const before = expectOk(await call(getDelivery, { as, path: { id }, vars }));
	await archived();
	world.answer = () => new Response("later", { status: 500 });
	const path = { delivery_id: id };
	expect(expectOk(await call(retryDelivery, { as, path, vars })).status).toBe("PENDING");
	expect((await call(retryDelivery, { as, path, vars })).status).toBe(409);
	expect(await held(organization.id)).toBe(1);
	await attemptAt(webhook.id);
	world.answer = () => new Response(null, { status: 204 });
	await attemptAt(webhook.id, HOUR_MS);
	expect(world.received.filter(({ body }) => body === before.body)).toHaveLength(3);
	await archived(3 * DAY_MS);
	expect(await allDeliveries()).toEqual([]);
	const after = expectOk(await call(getDelivery, { as, path: { id }, vars }));
	expect(after.attempt_log.slice(0, 1)).toEqual(before.attempt_log);
	expect(after.attempt_log.map(({ trigger, outcome }) => [trigger, outcome])).toEqual([
		["AUTOMATIC", "DELIVERED"],
		["MANUAL", "HTTP_ERROR"],
		["AUTOMATIC", "DELIVERED"],
	]);
	const since = new Date(Date.now() - 4 * DAY_MS).toISOString();
	const recovered = await call(recoverWebhook, { as, path: { webhook_id: webhook.id }, body: { since, dry_run: true } });
	expect(expectOk(recovered)).toMatchObject({ created: 0, retried: 0, remaining: 0 });
});

it.each([
	["its event leaves", "delete from webhook_events where event_type = 'user.admitted' and ?1 is not null"],
	[
		"its event arrives by another delivery",
		`insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
			select unhex(replace(organization_id, '-', '')), randomblob(16), unhex(replace(?1, '-', '')), unhex(replace(id, '-', '')), event_type, 1, 1, 1 from webhook_events`,
	],
	[
		"its event gets another delivery",
		`insert into webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, created_at)
			select 'anew', organization_id, ?1, id, event_type, 'PENDING', 1 from webhook_events`,
	],
])("an archived one is not sent again if %s meanwhile", async (_, change) => {
	const { as, webhook, given } = await givenDeliveries([50]);
	await archived();
	const meanwhile = beforeTrip(3, () => everyDatabase.prepare(change).bind(webhook.id).run());
	const answer = await call(retryDelivery, { as, path: { delivery_id: given[0]?.id ?? "" }, vars: { ...vars, ...meanwhile } });
	expect(answer).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
});

it("failed ones stay until the quota demands their place; then the archive has them, and `recover` sends them again", async () => {
	const { as, webhook, given } = await givenDeliveries([50, 50, 3], 500);
	await archived();
	expect(await allDeliveries()).toHaveLength(3);
	await everyDatabase.exec("update delivery_holdings set quota = 1");
	while (await keepToQuotas(await withArchive()));
	expect((await allDeliveries()).map(({ id }) => id)).toEqual([given[2]?.id]);
	const gone = expectOk(await call(getDelivery, { as, path: { id: given[0]?.id ?? "" }, vars }));
	expect([gone.status, gone.attempt_log.length]).toEqual(["FAILED", 1]);
	await everyDatabase.exec("update delivery_holdings set quota = null");
	const since = new Date(Date.now() - 4 * DAY_MS).toISOString();
	const recovered = await call(recoverWebhook, { as, path: { webhook_id: webhook.id }, body: { since, dry_run: true } });
	expect(expectOk(recovered)).toMatchObject({ created: 2, retried: 1 });
});

it("a portion takes a read and a commit at every size", async () => {
	const { organization } = await givenDeliveries([50]);
	await db.run(sql`
		insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
		with recursive n(n) as (select 1 union all select n + 1 from n where n < 1500)
		select organization_id, unhex(substr(hex(id), 1, 24) || printf('%08x', n)), webhook_id, randomblob(16), event_type, created_at, delivered_at, started_at
		from webhook_receipts, n`);
	const { services: made, meter } = await metered(organization.id);
	const counted = { ...made, providers: Object.create(made.providers, { archive: { value: bucket } }) };
	await archiveDeliveries(counted);
	expect(meter.trips).toBe(3);
	expectRows(meter.rowsWritten).atMost(4_099);
	expectRows(meter.rowsRead).atMost(39_999);
	await archiveDeliveries(counted);
	expect(meter.trips).toBe(7);
	expect(await allDeliveries()).toEqual([]);
	expect(await archiveDeliveries(counted)).toBe(false);
	expect(meter.trips).toBe(8);
});
