// The statistics of an endpoint over HTTP.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { deleteWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { getWebhookStats, listWebhookStats } from "../../../../src/domains/webhooks/statistics/operations";
import type { JobServices } from "../../../../src/runtime/services";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/shared/time";
import { dueWork } from "../../../../src/wiring/due-work";
import { call, expectOk, send } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { rowsRead } from "../../../support/credit";
import { databaseOf, everyDatabase } from "../../../support/databases";
import { expectRows } from "../../../support/rows";
import { attemptAt, fakeWorld, givenWebhookOwner, lastAttempts, raiseQuietly, services, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

async function givenEndpoint() {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register();
	const path = { webhook_id: webhook.id };
	const deliver = async (count: number, status = 204) => {
		world.answer = () => new Response(null, { status });
		for (let i = 0; i < count; i++) await raiseQuietly(owner.organization.id);
		await attemptAt(webhook.id);
	};
	const stats = async (query: { window?: "PT1H" | "PT24H" | "P7D"; buckets?: number } = {}) =>
		expectOk(await call(getWebhookStats, { as: owner.as, path, query }));
	const slots = async () =>
		(await everyDatabase.prepare("select * from webhook_statistics where webhook_id = ? order by slot_ms, start").bind(webhook.id).all())
			.results;
	return { ...owner, webhook, path, deliver, stats, slots };
}

/** Runs one portion of the sweep's step, everywhere or there. Returns whether more may be left. */
async function sumUp(places?: readonly JobServices[]): Promise<boolean> {
	const step = dueWork.find(({ name }) => name === "webhooks.sum-up-statistics");
	if (!step) throw new Error("the sweep has no such step");
	return (await Promise.all((places ?? (await services()).everywhere()).map((there) => step.run(there)))).some(Boolean);
}

const sums = (buckets: readonly { attempts: number; delivered: number; failed: number }[]) => ({
	attempts: buckets.reduce((sum, { attempts }) => sum + attempts, 0),
	delivered: buckets.reduce((sum, { delivered }) => sum + delivered, 0),
	failed: buckets.reduce((sum, { failed }) => sum + failed, 0),
});

/** All columns of a table, some of them as expressions. */
async function columnsOf(table: string, as: Record<string, string> = {}): Promise<string> {
	const { results } = await env.DB.prepare(`pragma table_info(${table})`).all<{ name: string }>();
	return results.map(({ name }) => as[name] ?? name).join();
}

describe("statistics", () => {
	it("report the success rate, latency, the oldest pending delivery and failures in a row", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		const { buckets, ...none } = expectOk(await call(getWebhookStats, { as, path, query: {} }));
		expect(none).toEqual({
			deliveries: { delivered: 0, failed: 0, pending: 0 },
			success_rate: null,
			latency_ms: null,
			oldest_pending_at: null,
			failures_in_row: 0,
		});
		expect(buckets).toHaveLength(24);
		await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		await raiseQuietly(organization.id);
		const stats = await call(getWebhookStats, { as, path, query: {} });
		expect(expectOk(stats)).toMatchObject({
			deliveries: { delivered: 1, failed: 0, pending: 1 },
			success_rate: 1,
			latency_ms: { p50: expect.any(Number) },
			oldest_pending_at: expect.any(String),
		});
		expect(stats.headers.get("server-timing")).toContain("trips=1 ");
	});

	it("put attempts and finished deliveries in the buckets of the time at which they ended", async () => {
		const { deliver, stats, webhook } = await givenEndpoint();
		await deliver(3);
		await moveClock(2 * HOUR_MS);
		await deliver(2, 500);
		await lastAttempts(webhook.id);
		await attemptAt(webhook.id);
		const { buckets, deliveries, success_rate } = await stats();
		expect(buckets.at(-1)).toMatchObject({ attempts: 4, delivered: 0, failed: 2 });
		expect(buckets.at(-3)).toMatchObject({ attempts: 3, delivered: 3, failed: 0, p50_ms: expect.any(Number), p95_ms: expect.any(Number) });
		expect(sums(buckets)).toEqual({ attempts: 7, delivered: 3, failed: 2 });
		expect({ deliveries, success_rate }).toMatchObject({ deliveries: { delivered: 3, failed: 2 }, success_rate: 3 / 5 });
	});

	it.each([
		["PT1H", HOUR_MS],
		["PT24H", DAY_MS],
		["P7D", 7 * DAY_MS],
	] as const)("of %s leave out what is older", async (window, lengthMs) => {
		const { deliver, stats } = await givenEndpoint();
		await deliver(1);
		expect(sums((await stats({ window, buckets: 12 })).buckets).attempts).toBe(1);
		await moveClock(lengthMs / 2);
		expect(sums((await stats({ window, buckets: 12 })).buckets).attempts).toBe(1);
		await moveClock(lengthMs);
		const { buckets, success_rate } = await stats({ window, buckets: 12 });
		expect({ sums: sums(buckets), success_rate }).toEqual({ sums: { attempts: 0, delivered: 0, failed: 0 }, success_rate: null });
	});

	it("leave out an attempt whose claim is no longer held, and one at a blocked address", async () => {
		const { deliver, stats, webhook, organization } = await givenEndpoint();
		await raiseQuietly(organization.id);
		world.answer = async () => {
			await everyDatabase.prepare("update webhook_deliveries set claim = 'other' where webhook_id = ?").bind(webhook.id).run();
			return new Response(null, { status: 204 });
		};
		await attemptAt(webhook.id);
		expect(world.received).toHaveLength(1);
		world.names["hooks.example"] = ["10.0.0.1"];
		await deliver(1);
		expect(sums((await stats()).buckets).attempts).toBe(0);
	});

	it("write one row in each minute, however many attempts end", async () => {
		const { deliver, slots, stats } = await givenEndpoint();
		await deliver(10);
		expect((await slots()).length).toBeLessThanOrEqual(2);
		expect(sums((await stats({ window: "PT1H" })).buckets)).toEqual({ attempts: 10, delivered: 10, failed: 0 });
	});

	it("are summed up by the sweep without a change to any bucket, and removed when no window shows them", async () => {
		const { deliver, slots, stats } = await givenEndpoint();
		for (const [count, status] of [
			[3, 204],
			[2, 500],
			[1, 204],
		] as const) {
			await deliver(count, status);
			await moveClock(7 * MINUTE_MS);
		}
		await moveClock(80 * MINUTE_MS);
		await deliver(1);
		const before = { day: await stats(), week: await stats({ window: "P7D" }), rows: (await slots()).length };
		await sumUp();
		await sumUp();
		const after = { day: await stats(), week: await stats({ window: "P7D" }), rows: (await slots()).length };
		expect(after).toEqual({ ...before, rows: expect.any(Number) });
		expect(after.rows).toBeLessThan(before.rows);
		await moveClock(8 * DAY_MS);
		await deliver(1);
		await sumUp();
		// The first run has merged the last short slot into a long one, which the second run finds expired.
		await sumUp();
		expect(await slots()).toHaveLength(1);
	});

	it("are summed up in portions, each slot once, however many endpoints have slots", async () => {
		const { stats, webhook, organization } = await givenEndpoint();
		await databaseOf(organization.id)
			.prepare(
				`with recursive n(i) as (select 0 union all select i + 1 from n where i < 2500)
				insert into webhook_statistics select iif(i % 2, ?1, 'other'), 60000, ?2 - ?2 % 60000 - i / 2 * 60000, 1, 1, 0, '{"5":1}' from n`,
			)
			.bind(webhook.id, Date.now())
			.run();
		const before = await stats({ window: "P7D" });
		expect(before.deliveries.delivered).toBe(1250);
		while (await sumUp());
		expect(await stats({ window: "P7D" })).toEqual(before);
	});

	it("are summed up in portions that hold the database for moments, however many latencies each has", async () => {
		const { organization } = await givenEndpoint();
		const slots = `with recursive n(i) as (select 0 union all select i + 1 from n where i < 500), classes as (select json_group_object(i, 1) as latencies from n where i < 30)
			insert into webhook_statistics select 'endpoint-' || (i % 50), 60000, ?1 - ?1 % 60000 - i / 50 * 60000, 30, 30, 0, latencies from n, classes`;
		const past = Date.now() - 4 * HOUR_MS;
		await databaseOf(organization.id).prepare(slots).bind(past).run();
		const there = (await services()).at(organization.id);
		await sumUp([there]);
		expectRows(there.db.meter.rowsRead).atMost(12_000);
	});

	it("are summed up with the latencies of their own half hour", async () => {
		const { organization, webhook, slots } = await givenEndpoint();
		const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 6 * HOUR_MS;
		const insert = databaseOf(organization.id).prepare("insert into webhook_statistics values (?, 60000, ?, 1, 1, 0, ?)");
		for (const [minutes, latencies] of [
			[0, '{"5":1}'],
			[1, '{"5":1}'],
			[30, '{"9":1}'],
		] as const)
			await insert.bind(webhook.id, start + minutes * MINUTE_MS, latencies).run();
		await sumUp();
		expect((await slots()).map(({ slot_ms, latencies }) => [slot_ms, latencies])).toEqual([
			[30 * MINUTE_MS, '{"5":2}'],
			[30 * MINUTE_MS, '{"9":1}'],
		]);
	});

	it("are removed with their endpoint", async () => {
		const { as, path, deliver, slots } = await givenEndpoint();
		await deliver(1);
		expect(await slots()).toHaveLength(1);
		await call(deleteWebhook, { as, path });
		expect(await slots()).toEqual([]);
	});

	it.each([
		["PT1H", 8],
		["PT1H", 48],
		["PT24H", 24],
		["P7D", 8],
		["P7D", 24],
	] as const)("of %s in %i buckets read fewer than 60 rows for each bucket, with full slots and a long backlog", async (window, count) => {
		const { as, path, organization, webhook } = await givenEndpoint();
		const database = databaseOf(organization.id);
		const now = Date.now();
		for (const [slotMs, newest, rows] of [
			[60_000, 0, 91],
			[1_800_000, 3, 337],
		] as const) {
			await database
				.prepare(
					"with recursive n(i) as (select ?5 union all select i + 1 from n where i < ?3) insert into webhook_statistics select ?1, ?2, ?4 - ?4 % ?2 - i * ?2, 9, 9, 0, '{\"5\":9}' from n",
				)
				.bind(webhook.id, slotMs, rows, now, newest)
				.run();
		}
		await raiseQuietly(organization.id);
		for (let copies = 1; copies < 256; copies *= 2) {
			await database
				.prepare(
					"insert into webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at) select id || hex(randomblob(4)), organization_id, webhook_id, hex(randomblob(8)), event_type, status, null, created_at + 1 from webhook_deliveries where webhook_id = ?",
				)
				.bind(webhook.id)
				.run();
		}
		const answer = await call(getWebhookStats, { as, path, query: { window, buckets: count } });
		expect(expectOk(answer).deliveries).toMatchObject({ pending: 50 });
		expect(expectOk(answer).buckets.every(({ attempts }) => attempts > 0)).toBe(true);
		expectRows(rowsRead(answer)).atMost(count * 60 - 1);
	});

	it.each([
		["PT24H", 12],
		["P7D", 4],
	] as const)("of all endpoints in %s are in pages of %i, whose full slots are at most 2,500 rows", async (window, size) => {
		const { organization, as, register } = await givenWebhookOwner();
		const first = await register();
		const copy = `insert into webhook_endpoints (${await columnsOf("webhook_endpoints")})
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 13)
			select ${await columnsOf("webhook_endpoints", { id: "'01a20279-b100-4026-9005-' || printf('%012x', i)", name: "name || i", created_at: "created_at - i" })}
			from webhook_endpoints, n where organization_id = ?`;
		const database = databaseOf(organization.id);
		await database.prepare(copy).bind(organization.id).run();
		for (const [slotMs, newest, rows] of [
			[60_000, 0, 91],
			[1_800_000, 3, 337],
		] as const) {
			await database
				.prepare(
					"with recursive n(i) as (select ?5 union all select i + 1 from n where i < ?3) insert into webhook_statistics select id, ?2, ?4 - ?4 % ?2 - i * ?2, 9, 8, 1, '{\"5\":9}' from n, webhook_endpoints where organization_id = ?1",
				)
				.bind(organization.id, slotMs, rows, Date.now(), newest)
				.run();
		}
		const answer = await call(listWebhookStats, { as, query: { window, size: "100" } });
		const { data, links } = expectOk(answer);
		expect(data).toHaveLength(size);
		expect(data[0]).toMatchObject({ webhook_id: first.id, status: "ACTIVE", success_rate: 8 / 9, latency_ms: { p50: 5 } });
		for (const { deliveries, buckets } of data) {
			expect(buckets).toHaveLength(24);
			expect(sums(buckets)).toMatchObject(deliveries);
			expect(buckets.every(({ attempts }) => attempts > 0)).toBe(true);
		}
		expectRows(rowsRead(answer)).atMost(2_500);
		expect(answer.headers.get("server-timing")).toContain("trips=1 ");
		const rest = expectOk(await call(listWebhookStats, { as, query: { window, after: links.next ?? "" } })).data;
		expect(rest).toHaveLength(Math.min(size, 14 - size));
		const other = await givenWebhookOwner();
		expect(expectOk(await call(listWebhookStats, { as: other.as, query: { window } })).data).toEqual([]);
	});

	it.each([
		[{ window: "PT2H" }, "query.window"],
		[{ buckets: 7 }, "query.buckets"],
		[{ buckets: 49 }, "query.buckets"],
		[{ buckets: 24.5 }, "query.buckets"],
	])("are refused with %j", async (query, path) => {
		const { as, path: of } = await givenEndpoint();
		expect(await send(getWebhookStats as never, { as, path: of, query: query as never })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path }] },
		});
	});
});
