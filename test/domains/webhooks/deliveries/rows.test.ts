// What a delivery reads, writes and keeps, however many others there are.
// @module-tag thorough

import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { beforeEach, describe, expect, it } from "vitest";
import { userAdmitted } from "../../../../src/domains/users/model/events";
import { tendHeld } from "../../../../src/domains/webhooks/deliveries/job";
import { getDelivery, listDeliveries } from "../../../../src/domains/webhooks/deliveries/operations";
import { deleteWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { raise, uuidv7Sql } from "../../../../src/events/raise";
import { deletedEndpoints, webhookDeliveries } from "../../../../src/events/table";
import type { JobServices } from "../../../../src/runtime/services";
import { homeOf } from "../../../../src/shared/ids";
import { call, expectOk } from "../../../support/client";
import { databaseOf, everyDatabase } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { db } from "../../../support/factories";
import { handle } from "../../../support/handle";
import { metered } from "../../../support/metering";
import { expectRows } from "../../../support/rows";
import { requestsEnded } from "../../../support/serve";
import {
	attemptAll,
	attemptAt,
	attemptLog,
	deliveriesOf,
	fakeWorld,
	givenWebhookOwner,
	onlyDelivery,
	quietQueue,
	raiseQuietly,
	services,
} from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

const numbers = (count: number) => sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`;

/** Deliveries of the endpoint, each of an event of its own, the n-th made at the instant n. */
async function givenDeliveries(of: {
	organizationId: string;
	webhookId: string;
	count: number;
	status?: string;
	type?: string;
	dueAt?: number | null;
}) {
	const { organizationId, webhookId, count, status = "DELIVERED", type = "user.admitted", dueAt = null } = of;
	const home = homeOf(organizationId);
	await drizzle(databaseOf(organizationId)).run(sql`
		insert into ${webhookDeliveries} (id, organization_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at)
		${numbers(count)} select ${uuidv7Sql(0, home)}, ${organizationId}, ${webhookId}, ${uuidv7Sql(0, home)}, ${type}, ${status}, ${dueAt}, n from numbers`);
}

/** Raises one event and attempts its deliveries. */
async function deliver(services: JobServices, organizationId: string, webhookId: string): Promise<void> {
	const data = { user_id: crypto.randomUUID(), admitted_at: new Date(services.now).toISOString() };
	const rows = await services.db
		.commit([raise(services, userAdmitted, { organizationId, entityId: data.user_id, data })])
		.then(() =>
			services.db.read(
				services.db.orm.all<{ id: string }>(
					sql`select id from webhook_deliveries where webhook_id = ${webhookId} and status = 'PENDING' and organization_id = ${organizationId} order by created_at desc limit 1`,
				),
			),
		);
	await attemptAll(
		services,
		rows.map(({ id }) => id),
	);
}

describe("an event delivered to one endpoint", () => {
	it("writes at most 17 rows from its commit to the end of its attempt, of which one is its statistics, one its count and four are its short form", async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		const { services, meter } = await metered(organization.id);
		await deliver(services, organization.id, webhook.id);
		meter.rowsWritten = 0;
		await deliver(services, organization.id, webhook.id);
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(["DELIVERED", "DELIVERED"]);
		expectRows(meter.rowsWritten).atMost(17);
	});
});

describe("the end of an attempt", () => {
	it("reads as many rows with 20,000 pending deliveries of its endpoint as with one", async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		const other = await register({ events: ["loan.disbursed"] });
		const attempt = async () => {
			const { services: made, meter } = await metered(organization.id);
			await raiseQuietly(organization.id);
			const [newest] =
				(await db.select().from(webhookDeliveries).where(sql`webhook_id = ${webhook.id}`).orderBy(sql`created_at desc`).limit(1)) ?? [];
			await attemptAll(made, [newest?.id ?? ""]);
			return meter.rowsRead;
		};
		const dueAt = 8_000_000_000_000;
		// A search of an index also reads the row after the last match.
		await givenDeliveries({ organizationId: organization.id, webhookId: webhook.id, count: 1, status: "PENDING", dueAt });
		// The first attempt creates the statistics that later attempts read.
		await attempt();
		const beside = await attempt();
		await givenDeliveries({
			organizationId: organization.id,
			webhookId: webhook.id,
			count: 20_000,
			status: "PENDING",
			dueAt,
		});
		await givenDeliveries({ organizationId: organization.id, webhookId: other.id, count: 20_000, status: "PENDING" });
		// Statistics also read a few rows for each class of latency that has occurred.
		expectRows(await attempt()).atMost(beside + 20);
	});
});

describe("a page of the delivery log", () => {
	it("accepts every combination of filters, reads at most five rows more than its size where an index covers them all, and at most a thousand elsewhere", async () => {
		const { organization, register } = await givenWebhookOwner();
		const [a, b] = [await register(), await register()];
		const organizationId = organization.id;
		await givenDeliveries({ organizationId, webhookId: a.id, count: 3_000 });
		for (const webhookId of [a.id, b.id])
			for (const status of ["PENDING", "FAILED", "DELIVERED"])
				for (const type of ["user.admitted", "loan.disbursed"])
					await givenDeliveries({ organizationId, webhookId, count: 30, status, type });
		await givenDeliveries({ organizationId, webhookId: a.id, count: 3_000, status: "FAILED" });
		await givenDeliveries({ organizationId, webhookId: a.id, count: 3_000, status: "PENDING" });
		const caller = { kind: "operator", operatorId: "root", organizationId };
		for (const webhook_id of [undefined, a.id, b.id])
			for (const status of [undefined, "PENDING", "DELIVERED", "FAILED"] as const)
				for (const event_type of [undefined, "loan.disbursed"] as const)
					for (const range of [{}, { created_from: 5, created_until: 29 }]) {
						const query = { size: 20, after: undefined, before: undefined, webhook_id, status, event_type, ...range };
						const label = JSON.stringify(query);
						const { services: made, meter } = await metered(organization.id);
						const indexed = event_type === undefined || status === "FAILED";
						const data: { [name: string]: string }[] = [];
						for (let after: string | undefined; data.length < 20; ) {
							meter.rowsRead = 0;
							const page = (await handle(
								listDeliveries,
								{ query: { ...query, after, size: 20 - data.length }, caller },
								made,
							)) as unknown as {
								data: { [name: string]: string }[];
								next: string | null;
							};
							data.push(...page.data);
							// Of a pending one the endpoint is read too, twice by its status.
							expectRows(meter.rowsRead, label).atMost(
								(indexed ? 25 : 1_025) + { PENDING: 42, DELIVERED: 0, FAILED: 0, ANY: 21 }[status ?? "ANY"],
							);
							after = page.next ?? undefined;
							if (indexed || after === undefined) break;
						}
						expect(data, label).toHaveLength(20);
						const given = Object.entries({ webhook_id, status, event_type }).filter(([, value]) => value !== undefined);
						for (const row of data) expect(row, label).toMatchObject(Object.fromEntries(given));
					}
	});
});

describe("the attempt log of a delivery", () => {
	it("keeps the last 100 attempts", async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		const { id } = await onlyDelivery(webhook.id);
		await db.run(sql`
			insert into webhook_attempts (delivery_id, position, number, trigger, started_at, outcome)
			${numbers(99)} select ${id}, n, n, 'AUTOMATIC', n, 'TIMEOUT' from numbers`);
		await db.run(sql`
			update webhook_deliveries set attempts = 100, attempt_position = 100, attempt_number = 100, attempt_trigger = 'AUTOMATIC',
				attempt_started_at = 100, attempt_outcome = 'TIMEOUT' where id = ${id}`);
		await attemptAt(webhook.id);
		const positions = (await attemptLog(id)).map(({ position }) => position);
		expect(positions).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
	});
});

describe("the deliveries of an endpoint", () => {
	const count = (webhookId: string, condition: string) =>
		everyDatabase
			.prepare(`select count(*) as n from webhook_deliveries where webhook_id = ? and ${condition}`)
			.bind(webhookId)
			.first<number>("n");
	/** Runs the sweep's step until nothing is left. */
	const tendAll = async () => {
		while (await tendHeld({ ...(await services()), queue: quietQueue }));
	};

	it("show a suspension or deletion at once, however many they are, and a resume releases all at its pace", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		await givenDeliveries({ organizationId: organization.id, webhookId: webhook.id, count: 1_500, status: "PENDING", dueAt: 1 });
		// As a suspension leaves them that has only done its first portion.
		await db.run(sql`update webhook_endpoints set status = 'SUSPENDED', suspended_at = 1, suspension_reason = 'MANUAL'`);
		const shown = async () => expectOk(await call(listDeliveries, { as, query: { size: "100" } })).data;
		for (const { status, next_attempt_at } of await shown()) expect([status, next_attempt_at]).toEqual(["PENDING", null]);
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		expect(await count(webhook.id, "next_attempt_at is not null")).toBeLessThanOrEqual(1);
		await db.run(sql`delete from webhook_endpoints`);
		for (const row of await shown()) expect(row).toMatchObject({ status: "FAILED", next_attempt_at: null, last_error: "WEBHOOK_DELETED" });
		expect(expectOk(await call(listDeliveries, { as, query: { status: "PENDING" } })).data).toEqual([]);
		// So are those that the deletion has not come to yet, with its instant.
		const deletedAt = Date.now() - 60_000;
		await db.run(
			sql`insert into deleted_endpoints (id, organization_id, deleted_at) values (${webhook.id}, ${organization.id}, ${deletedAt})`,
		);
		const failed = async (after?: string) =>
			expectOk(
				await call(listDeliveries, { as, query: { size: "100", status: "FAILED", webhook_id: webhook.id, ...(after && { after }) } }),
			);
		const page = await failed();
		const second = await failed(page.next ?? "");
		expect(new Set([...page.data, ...second.data].map(({ id }) => id)).size).toBe(200);
		for (const { failed_at } of page.data) expect(Date.parse(failed_at ?? "")).toBe(deletedAt);
		await tendAll();
		expect(await count(webhook.id, `status = 'FAILED' and failed_at = ${deletedAt}`)).toBe(1_500);
		expect((await failed()).data).toEqual(page.data);
		await tendAll();
		expect(await db.$count(deletedEndpoints)).toBe(0);
		const [first] = await shown();
		expect(expectOk(await call(getDelivery, { as, path: { id: first?.id ?? "" } }))).toMatchObject({ status: "FAILED" });
	});

	it("come back when the clock that scheduled a retry is set back", async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		const day = Date.now() + 86_400_000;
		await db.run(sql`update webhook_deliveries set round_attempts = 2, attempts = 2, next_attempt_at = ${day}`);
		await tendAll();
		expect(((await onlyDelivery(webhook.id)).nextAttemptAt ?? day) - Date.now()).toBeLessThanOrEqual(45_000);
	});

	it("are held and failed in portions: one with the suspension or deletion, the rest after it", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		await givenDeliveries({ organizationId: organization.id, webhookId: webhook.id, count: 3_000, status: "PENDING", dueAt: 1 });
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		await requestsEnded();
		expect(await count(webhook.id, "next_attempt_at is null and status = 'PENDING'")).toBe(3_000);
		await call(deleteWebhook, { as, path });
		await requestsEnded();
		expect(await count(webhook.id, "status = 'FAILED' and last_error = 'WEBHOOK_DELETED'")).toBe(3_000);
	});

	it("that are held are released ten a second, in portions of 50 seconds, after a success and by the sweep", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		await givenDeliveries({ organizationId: organization.id, webhookId: webhook.id, count: 1_200, status: "PENDING" });
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		await tendHeld({ ...(await services()), queue: quietQueue });
		expect(await count(webhook.id, "next_attempt_at is null")).toBe(1_199);
		const { services: made } = await metered(organization.id);
		await deliver(made, organization.id, webhook.id);
		// By the first attempt after the resume, of which the queue has a message.
		await eventually(async () => expect(await count(webhook.id, "next_attempt_at is null")).toBeLessThan(1_199));
		expect(await count(webhook.id, "next_attempt_at is null and status = 'PENDING'")).toBeGreaterThanOrEqual(690);
		await tendHeld({ ...(await services()), queue: quietQueue });
		expect(await count(webhook.id, "next_attempt_at is null and status = 'PENDING'")).toBeGreaterThanOrEqual(690);
		await tendHeld({ ...(await services(60_000)), queue: quietQueue });
		expect(await count(webhook.id, "next_attempt_at is null and status = 'PENDING'")).toBeLessThanOrEqual(200);
	});

	it("that are held fail as EXPIRED once their endpoint has been suspended for 90 days", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await givenDeliveries({ organizationId: organization.id, webhookId: webhook.id, count: 3, status: "PENDING", dueAt: 1 });
		await call(updateWebhook, { as, path: { webhook_id: webhook.id }, body: { status: "SUSPENDED" } });
		await tendHeld({ ...(await services(89 * 86_400_000)), queue: quietQueue });
		expect(await count(webhook.id, "status = 'PENDING'")).toBe(3);
		await tendHeld({ ...(await services(91 * 86_400_000)), queue: quietQueue });
		expect(await count(webhook.id, "status = 'FAILED' and last_error = 'EXPIRED' and failed_at is not null")).toBe(3);
	});
});
