// Many events raised together are what they would be one by one.

import { beforeEach, describe, expect, it } from "vitest";
import { invoiceUploaded } from "../../src/domains/invoices/events";
import { purgeWebhooks } from "../../src/domains/webhooks/keeping/purge.job";
import { raise, raiseAll } from "../../src/events/raise";
import { DAY_MS } from "../../src/shared/time";
import { everyDatabase } from "../support/databases";
import { newId } from "../support/factories";
import { commitQuietly, deliveriesOf, fakeWorld, givenWebhookOwner, services } from "../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

const dataOf = (invoice_id: string) => ({ ...invoiceUploaded.example, invoice_id });

async function raiseMany(organizationId: string, count: number, aheadMs = 0) {
	const ids = Array.from({ length: count }, () => newId(organizationId));
	const events = ids.map((id) => ({ entityId: id, data: dataOf(id) }));
	await commitQuietly(organizationId, (quiet) => [raiseAll(quiet, invoiceUploaded, { organizationId, events })], aheadMs);
	return ids;
}

const feedOf = async (organizationId: string) =>
	(
		await everyDatabase
			.prepare("select id, sequence, event_key, category, data from webhook_events where organization_id = ? order by sequence")
			.bind(organizationId)
			.all<{ id: string; sequence: number; event_key: string; category: string; data: string }>()
	).results;

describe("many events raised together", () => {
	it("follow each other in the feed without gaps, in the order given", async () => {
		const organizationId = newId();
		const first = await raiseMany(organizationId, 3);
		const single = newId(organizationId);
		await commitQuietly(organizationId, (quiet) => [
			raise(quiet, invoiceUploaded, { organizationId, entityId: single, data: dataOf(single) }),
		]);
		const all = [...first, single, ...(await raiseMany(organizationId, 100))];
		const feed = await feedOf(organizationId);
		expect(feed.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
		expect(feed.map(({ event_key }) => event_key)).toEqual(all.map((id) => `invoice.uploaded:${id}`));
		expect(JSON.parse(feed[0]?.data ?? "")).toEqual(dataOf(all[0] ?? ""));
		expect(new Set(feed.map(({ category }) => category))).toEqual(new Set(["INVOICE"]));
	});

	it("go on after the last number that the purge has removed, alone and together", async () => {
		const organizationId = newId();
		await raiseMany(organizationId, 1);
		const [kept] = await feedOf(organizationId);
		await everyDatabase
			.prepare(
				"insert into webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, failed_at, created_at) values (?, ?, ?, ?, ?, 'FAILED', 8000000000000, 0)",
			)
			.bind(newId(organizationId), organizationId, newId(organizationId), kept?.id, invoiceUploaded.type)
			.run();
		await raiseMany(organizationId, 4);
		const purge = async (days: number) => {
			for (const there of (await services(days * DAY_MS)).everywhere()) await purgeWebhooks(there);
		};
		const numbers = async () => (await feedOf(organizationId)).map(({ sequence }) => sequence);
		await purge(40);
		expect(await numbers()).toEqual([1]);
		const single = { organizationId, entityId: newId(organizationId), data: dataOf(newId(organizationId)) };
		await commitQuietly(organizationId, (quiet) => [raise(quiet, invoiceUploaded, single)], 41 * DAY_MS);
		await raiseMany(organizationId, 2, 41 * DAY_MS);
		expect(await numbers()).toEqual([1, 6, 7, 8]);
		await purge(80);
		await raiseMany(organizationId, 1, 80 * DAY_MS);
		expect(await numbers()).toEqual([1, 9]);
	});

	it("make one delivery for each endpoint that subscribes, and none for others", async () => {
		const { organization, register } = await givenWebhookOwner();
		const subscribed = await register({ events: ["invoice.uploaded", "user.admitted"] });
		const other = await register({ events: ["user.admitted"] });
		await raiseMany(organization.id, 5);
		const deliveries = await deliveriesOf(subscribed.id);
		expect(deliveries.map(({ status, eventType }) => `${status} ${eventType}`)).toEqual(Array(5).fill("PENDING invoice.uploaded"));
		const raised = (await feedOf(organization.id)).filter(({ event_key }) => event_key.startsWith("invoice."));
		expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(new Set(raised.map(({ id }) => id)));
		expect(await deliveriesOf(other.id)).toEqual([]);
	});

	it("may be an empty list", async () => {
		const organizationId = newId();
		await raiseMany(organizationId, 0);
		expect(await feedOf(organizationId)).toEqual([]);
	});
});
