// A purge removes what is past its time, in portions.

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { Database } from "../../src/db/database";
import { idempotencyRecords } from "../../src/db/idempotency.table";
import { DIRECTORY_HOME } from "../../src/db/places";
import { type Expired, expired, purge } from "../../src/db/purge";
import { shortId } from "../../src/db/short-ids";
import { spentTokens } from "../../src/domains/tokens/table";
import { userAdmitted } from "../../src/domains/users/model/events";
import { purgeWebhooks } from "../../src/domains/webhooks/keeping/purge.job";
import { webhookAttempts, webhookReceipts } from "../../src/domains/webhooks/table";
import { eventPurges, webhookDeliveries, webhookEvents } from "../../src/events/table";
import { expiredRecords } from "../../src/http/idempotency/expired-records";
import { uuidv7 } from "../../src/shared/ids";
import { DAY_MS } from "../../src/shared/time";
import { metered } from "../support/metering";
import { servicesFor } from "../support/outbound";
import { expectRows } from "../support/rows";

const db = drizzle(env.DB, { casing: "snake_case" });
const database = () => new Database(env.DB, "first-primary");
const numbers = (count: number) => sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`;

/** Records that expire at 1 to `count` ms. */
const givenRecords = (count: number) =>
	db.run(sql`
		insert into ${idempotencyRecords} (scope, fingerprint, status, body, expires_at)
		${numbers(count)} select 'scope ' || n, 'f', 200, null, n from numbers`);
const records = () => db.$count(idempotencyRecords);

describe("a purge", () => {
	it("removes 1,000 expired rows at a time, says when more may be left, and removes no row that has not expired", async () => {
		await givenRecords(5_003);
		const at = database();
		const more: boolean[] = [];
		do more.push(await purge(at, [expiredRecords(at.orm, 5_000)]));
		while (more.at(-1));
		expect(await db.select({ expiresAt: idempotencyRecords.expiresAt }).from(idempotencyRecords)).toEqual([
			{ expiresAt: 5_001 },
			{ expiresAt: 5_002 },
			{ expiresAt: 5_003 },
		]);
		// Five full portions, each asked for before, and a question that finds nothing more.
		expect(more).toEqual([true, true, true, true, true, false]);
		expect(at.meter.trips).toBe(11);
	});

	it("takes one portion of each kind, the oldest rows first", async () => {
		await givenRecords(2_500);
		const at = database();
		const limits: number[] = [];
		const counting: Expired = (limit) => {
			limits.push(limit);
			return expired(at.orm, spentTokens, { key: [spentTokens.issuer, spentTokens.tokenId], by: spentTokens.expiresAt, before: 1 })(limit);
		};
		await purge(at, [expiredRecords(at.orm, 5_000), counting]);
		expect(await db.select({ oldest: sql<number>`min(expires_at)` }).from(idempotencyRecords)).toEqual([{ oldest: 1_001 }]);
		expect(limits).toEqual([1_000]);
		while (await purge(at, [expiredRecords(at.orm, 5_000)]));
		expect(await records()).toBe(0);
	});

	it("matches keys of several columns as a whole", async () => {
		await db.insert(spentTokens).values([
			{ issuer: "a", tokenId: "1", expiresAt: 1 },
			{ issuer: "a", tokenId: "2", expiresAt: 9 },
			{ issuer: "b", tokenId: "1", expiresAt: 9 },
		]);
		const at = database();
		await purge(at, [
			expired(at.orm, spentTokens, { key: [spentTokens.issuer, spentTokens.tokenId], by: spentTokens.expiresAt, before: 1 }),
		]);
		expect(await db.select({ issuer: spentTokens.issuer, tokenId: spentTokens.tokenId }).from(spentTokens)).toEqual([
			{ issuer: "a", tokenId: "2" },
			{ issuer: "b", tokenId: "1" },
		]);
	});

	it("removes thousands of finished deliveries with their attempts and events, and keeps what is pending", {
		tags: ["thorough"],
	}, async () => {
		const old = "00000000-0000-7000-8000-";
		const id = sql`${old} || printf('%012d', n)`;
		const status = sql`case when n % 1000 = 0 then 'PENDING' else 'DELIVERED' end`;
		await db.run(sql`
			insert into ${webhookEvents} (id, organization_id, sequence, event_type, category, event_key, payload_version, data, created_at)
			${numbers(3_000)} select ${id}, 'o', n, 'user.admitted', 'USER', 'user.admitted:' || n, 1, '{"user_id":"018f0000-0000-7000-8000-000000000000","admitted_at":"2026-01-01T00:00:00.000Z"}', 0 from numbers`);
		await db.run(sql`
			insert into ${webhookDeliveries} (id, organization_id, webhook_id, event_id, event_type, status, attempts, round, round_attempts, created_at)
			${numbers(3_000)} select ${id}, 'o', 'w', ${id}, 'user.admitted', ${status}, 1, 1, 1, 0 from numbers`);
		await db.run(sql`
			insert into ${webhookAttempts} (delivery_id, position, number, trigger, started_at)
			${numbers(3_000)} select ${id}, 1, 1, 'AUTOMATIC', 0 from numbers`);
		const services = await servicesFor({ env, ctx: { waitUntil() {} } });
		while (await purgeWebhooks({ ...services, now: 30 * DAY_MS + 60_000 }));
		for (const table of [webhookDeliveries, webhookAttempts, webhookEvents]) expect(await db.$count(table)).toBe(3);
	});

	it("reads the same number of rows for a portion of deliveries, however many old events still have one", {
		tags: ["thorough"],
	}, async () => {
		const organizationId = uuidv7(Date.now(), DIRECTORY_HOME);
		const id = sql`'00000000-0000-7000-8000-' || printf('%012d', n)`;
		const data = JSON.stringify(userAdmitted.example);
		const rowsRead = async (count: number) => {
			await db.run(sql`
				insert into ${webhookEvents} (id, organization_id, sequence, event_type, category, event_key, payload_version, data, created_at)
				${numbers(count)} select ${id}, ${organizationId}, n, 'user.admitted', 'USER', 'user.admitted:' || n, 1, ${data}, n from numbers`);
			await db.run(sql`
				insert into ${webhookDeliveries} (id, organization_id, webhook_id, event_id, event_type, status, attempts, round, round_attempts, created_at)
				${numbers(count)} select ${id}, ${organizationId}, 'w', ${id}, 'user.admitted', 'DELIVERED', 1, 1, 1, n from numbers`);
			const { services, meter } = await metered(organizationId);
			expect(await purgeWebhooks({ ...services, now: 31 * DAY_MS })).toBe(true);
			for (const table of [webhookDeliveries, webhookEvents]) await db.delete(table);
			return meter.rowsRead;
		};
		const few = await rowsRead(1_500);
		expectRows(await rowsRead(6_000)).atMost(few + 10);
	});

	it("removes those in their short form, and an event with the last of its deliveries in either form", async () => {
		const at = DAY_MS;
		const organizationId = uuidv7(at, DIRECTORY_HOME);
		const [short, mixed] = [uuidv7(at, DIRECTORY_HOME), uuidv7(at, DIRECTORY_HOME)];
		const event = {
			organizationId,
			eventType: "user.admitted",
			category: "USER",
			eventKey: "k",
			payloadVersion: 1,
			createdAt: at,
		} as const;
		await db.insert(webhookEvents).values([short, mixed].map((id, index) => ({ ...event, id, sequence: index + 1, data: "{}" })));
		for (const [eventId, webhookId] of [
			[short, 1],
			[short, 2],
			[mixed, 1],
		] as const)
			await db.run(sql`
				insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
				values (${shortId(organizationId)}, ${shortId(uuidv7(at, DIRECTORY_HOME))}, ${shortId(uuidv7(webhookId, DIRECTORY_HOME))}, ${shortId(eventId)}, 'user.admitted', ${at}, ${at}, ${at})`);
		await db.insert(webhookDeliveries).values({
			...{ id: uuidv7(at, DIRECTORY_HOME), organizationId, webhookId: "w", eventId: mixed, eventType: "user.admitted" },
			...{ status: "FAILED", failedAt: at, createdAt: at },
		});
		const { services } = await metered(organizationId);
		const left = async (days: number) => {
			await purgeWebhooks({ ...services, now: days * DAY_MS });
			const counts = [webhookReceipts, webhookDeliveries, webhookEvents].map((table) => db.$count(table));
			return Promise.all(counts);
		};
		expect(await left(30)).toEqual([3, 1, 2]);
		expect(await left(32)).toEqual([0, 1, 1]);
		expect(await left(92)).toEqual([0, 0, 0]);
	});

	it("keeps failed deliveries three times as long as delivered ones, and an event as long as one of its deliveries", async () => {
		const event = {
			organizationId: "o",
			eventType: "user.admitted",
			category: "USER",
			eventKey: "k",
			payloadVersion: 1,
			createdAt: 1,
		} as const;
		const data = '{"user_id":"018f0000-0000-7000-8000-000000000000","admitted_at":"2026-01-01T00:00:00.000Z"}';
		await db.insert(webhookEvents).values([
			{ ...event, id: "e1", sequence: 1, data },
			{ ...event, id: "e2", sequence: 2, data },
		]);
		const delivery = { organizationId: "o", eventId: "e1", eventType: "user.admitted", lane: "FIRST", createdAt: 0 } as const;
		await db.insert(webhookDeliveries).values([
			{ ...delivery, id: "d1", webhookId: "w1", status: "DELIVERED" },
			{ ...delivery, id: "d2", webhookId: "w2", status: "FAILED", failedAt: 0 },
		]);
		const services = await servicesFor({ env, ctx: { waitUntil() {} } });
		const left = async (days: number) => {
			await purgeWebhooks({ ...services, now: days * DAY_MS });
			const deliveries = await db.select({ id: webhookDeliveries.id }).from(webhookDeliveries);
			const events = await db.select({ id: webhookEvents.id }).from(webhookEvents);
			return [...deliveries, ...events].map(({ id }) => id);
		};
		expect(await left(29)).toEqual(["d1", "d2", "e1", "e2"]);
		expect(await left(32)).toEqual(["d2", "e1"]);
		expect(await db.select().from(eventPurges)).toEqual([{ organizationId: "o", sequence: 2, createdAt: 1, purgedTo: 2 * DAY_MS }]);
		expect(await left(89)).toEqual(["d2", "e1"]);
		expect(await left(91)).toEqual([]);
	});
});
