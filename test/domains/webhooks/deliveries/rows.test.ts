import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { userAdmitted } from "../../../../src/domains/users/events";
import { startAttempts } from "../../../../src/domains/webhooks/deliveries/attempt.job";
import { listDeliveries } from "../../../../src/domains/webhooks/deliveries/operations";
import { updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { raise } from "../../../../src/events/raise";
import { webhookDeliveries } from "../../../../src/events/table";
import { Database, Meter } from "../../../../src/db/database";
import { type JobServices, jobServices } from "../../../../src/runtime/services";
import { call } from "../../../support/client";
import { db } from "../../../support/factories";
import { deliveriesOf, fakeWorld, givenWebhookOwner, quietQueue, raiseQuietly, services } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});
afterEach(() => {
	vi.restoreAllMocks();
});

/** Services that count the rows they read and write, and tell no queue. */
async function metered(): Promise<{ services: JobServices; meter: Meter }> {
	const meter = new Meter();
	const made = { ...(await services()), queue: quietQueue };
	return { services: jobServices(made, new Database(env.DB, "first-primary", meter)), meter };
}

const numbers = (count: number) => sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`;

/** Deliveries of the endpoint, one of every `failedOf` FAILED; each of an event of its own. */
async function givenDeliveries(of: { organizationId: string; webhookId: string; count: number; status?: string; type?: string; dueAt?: number | null }) {
	const { organizationId, webhookId, count, status = "DELIVERED", type = "user.admitted", dueAt = null } = of;
	await db.run(sql`
		insert into ${webhookDeliveries} (id, organization_id, webhook_id, event_id, event_type, status, lane, next_attempt_at, created_at)
		${numbers(count)} select lower(hex(randomblob(16))), ${organizationId}, ${webhookId}, lower(hex(randomblob(16))), ${type}, ${status}, 'FIRST', ${dueAt}, n from numbers`);
}

/** Raises one event and attempts its deliveries. */
async function deliver(services: JobServices, organizationId: string, webhookId: string): Promise<void> {
	const data = { user_id: crypto.randomUUID(), admitted_at: new Date(services.now).toISOString() };
	const [rows] = await services.db.commit([raise(services, userAdmitted, { organizationId, entityId: data.user_id, data })]).then(() =>
		services.db.read(services.db.orm.all<{ id: string }>(sql`select id from webhook_deliveries where webhook_id = ${webhookId} and status = 'PENDING' and organization_id = ${organizationId}`)),
	);
	await (await startAttempts(services, rows.map(({ id }) => id), "FIRST")).ended;
}

describe("an event delivered to one endpoint", () => {
	it("writes at most 14 rows from its commit to the end of its attempt", async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		const { services, meter } = await metered();
		await deliver(services, organization.id, webhook.id);
		const before = meter.rowsWritten;
		meter.rowsWritten = 0;
		await deliver(services, organization.id, webhook.id);
		expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(["DELIVERED", "DELIVERED", "DELIVERED"]);
		console.log("ROWS", before, meter.rowsWritten);
		expect(meter.rowsWritten).toBeLessThanOrEqual(14);
	});

	it("keeps at most 1,500 bytes", async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		const { services } = await metered();
		const size = async () => (await env.DB.prepare("select 1").run()).meta.size_after;
		await deliver(services, organization.id, webhook.id);
		const before = await size();
		const count = 1_000;
		for (let i = 0; i < count; i++) await deliver(services, organization.id, webhook.id);
		console.log("BYTES", (await size() - before) / count);
		expect((await size() - before) / count).toBeLessThanOrEqual(1_500);
	}, 60_000);
});
