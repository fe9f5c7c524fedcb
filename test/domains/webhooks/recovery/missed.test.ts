// Which events an endpoint has missed: those that a recovery sends it, and the first of which a probe is made.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProbe } from "../../../../src/domains/webhooks/healing/store";
import { carryOnRecoveries } from "../../../../src/domains/webhooks/recovery/job";
import { webhookRecoveries } from "../../../../src/domains/webhooks/table";
import { deliveryHoldings, webhookDeliveries, webhookEvents } from "../../../../src/events/table";
import type { Poked } from "../../../../src/runtime/ports";
import type { JobServices } from "../../../../src/runtime/services";
import { HOUR_MS } from "../../../../src/shared/time";
import { databaseOf, everyDatabase } from "../../../support/databases";
import { db, newId } from "../../../support/factories";
import { deliveriesOf, fakeWorld, givenWebhookOwner, services } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});
// Their payloads are not those of their types.
afterEach(() => everyDatabase.exec("delete from webhook_events"));

const USER = "018f0000-0000-7000-8000-000000000000";

/** An endpoint that wants events of a user from `since` on, and events of which it has missed "failed" and "missed" alone. */
async function givenMissed() {
	const { organization, register } = await givenWebhookOwner();
	const organizationId = organization.id;
	const { id: otherId } = await register({ events: ["loan.disbursed"] });
	const { id: webhookId } = await register({ filter: [{ member: "user_id", in: [USER] }] });
	await everyDatabase.exec(
		`update webhook_endpoints set events = '["user.admitted","webhook.test","webhook.recovered"]' where id = '${webhookId}'`,
	);
	const since = Date.now() - 10 * HOUR_MS;
	const events = new Map<string, string>();
	const happen = async (name: string, { type = "user.admitted", data = {}, at = since, archivedFor = null as string | null } = {}) => {
		const id = newId(organizationId);
		events.set(id, name);
		await db.insert(webhookEvents).values({
			...{ id, organizationId, sequence: events.size, eventType: type, category: "USER", eventKey: id, payloadVersion: 1, archivedFor },
			...{ data: JSON.stringify({ user_id: USER, webhook_id: webhookId, ...data }), createdAt: at },
		});
		return id;
	};
	const deliver = (eventId: string, status: "DELIVERED" | "FAILED") =>
		db.insert(webhookDeliveries).values({
			...{ id: newId(organizationId), organizationId, webhookId, eventId, eventType: "user.admitted", status, createdAt: since },
			...(status === "FAILED" && { failedAt: since }),
		});
	const arriveInShort = (eventId: string, at: string) =>
		databaseOf(organizationId)
			.prepare(
				`insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
				values (unhex(replace(?1, '-', '')), unhex(replace(?2, '-', '')), unhex(replace(?3, '-', '')), unhex(replace(?4, '-', '')), 'user.admitted', ?5, ?5, ?5)`,
			)
			.bind(organizationId, newId(organizationId), at, eventId, since)
			.run();
	await happen("looked at before");
	await happen("before", { at: since - 1 });
	await happen("of another type", { type: "loan.disbursed" });
	await happen("that the filter keeps", { data: { user_id: organizationId } });
	await happen("a test", { type: "webhook.test" });
	await happen("about itself", { type: "webhook.recovered" });
	await arriveInShort(await happen("arrived"), webhookId);
	await deliver(await happen("arrived by a retry"), "DELIVERED");
	await happen("in the archive", { archivedFor: webhookId });
	await deliver(await happen("failed"), "FAILED");
	await arriveInShort(await happen("missed"), otherId);
	await happen("too late", { at: since + HOUR_MS });
	const held = { id: newId(organizationId), organizationId, webhookId: otherId, eventId: newId(organizationId), createdAt: since };
	await db.insert(webhookDeliveries).values({ ...held, eventType: "loan.disbursed", status: "PENDING" });
	/** The events of its new deliveries. */
	const pending = async () =>
		(await deliveriesOf(webhookId)).filter(({ status }) => status === "PENDING").map(({ eventId }) => events.get(eventId));
	return { organizationId, webhookId, since, pending };
}

it("a recovery continues with those of its period after its position", async () => {
	const { organizationId, webhookId, since, pending } = await givenMissed();
	await db.insert(webhookRecoveries).values({ id: "r", organizationId, webhookId, since, until: since + HOUR_MS, position: 1 });
	await db.insert(deliveryHoldings).values({ organizationId: newId(organizationId), quota: 0 });
	await everyDatabase.exec(`update webhook_endpoints set slow = 1 where id = '${webhookId}'`);
	const poked: Poked[] = [];
	const queue = { poke: async (some: readonly Poked[]) => void poked.push(...some) };
	const job: JobServices = { ...(await services()), queue, afterwards: (work) => void work(job) };
	await carryOnRecoveries(job);
	expect((await pending()).toSorted()).toEqual(["failed", "missed"]);
	expect(poked.map(({ lane }) => lane)).toEqual(Array(2).fill("SLOW"));
});

describe("a probe", () => {
	const probe = async (change = "update webhook_endpoints set description = 'the same'") => {
		const { organizationId, webhookId, since, pending } = await givenMissed();
		// As if it was looked at before.
		await everyDatabase.exec("delete from webhook_events where sequence = 1");
		await everyDatabase.exec("update webhook_endpoints set status = 'SUSPENDED'");
		await everyDatabase.exec(change);
		const here = (await services()).at(organizationId);
		const suspendedAt = since + HOUR_MS;
		await here.db.commit(makeProbe(here, { organizationId, webhookId, webhookName: "", url: "", suspendedAt, deliveryId: null }));
		return pending();
	};

	it("is made of the first of the outage that has no delivery", async () => {
		expect(await probe()).toEqual(["missed"]);
	});

	it("is not made of an endpoint that was resumed, or next to a delivery that waits", async () => {
		expect(await probe("update webhook_endpoints set status = 'ACTIVE'")).toEqual([]);
		expect(await probe("update webhook_deliveries set status = 'PENDING' where status = 'FAILED'")).toEqual(["failed"]);
	});

	it("is made next to a delivery in flight", async () => {
		const inFlight =
			"update webhook_deliveries set status = 'PENDING', next_attempt_at = 1, claimed_until = 8000000000000 where status = 'FAILED'";
		expect((await probe(inFlight)).toSorted()).toEqual(["failed", "missed"]);
	});
});
