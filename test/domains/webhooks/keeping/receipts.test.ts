// The short form of deliveries that their first attempt delivered.

import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { userAdmitted } from "../../../../src/domains/users/model/events";
import { listDeliveries } from "../../../../src/domains/webhooks/deliveries/operations";
import { keepReceipts, removeReceived } from "../../../../src/domains/webhooks/keeping/receipts.store";
import { webhookReceipts } from "../../../../src/domains/webhooks/table";
import { raiseAll } from "../../../../src/events/raise";
import { webhookDeliveries } from "../../../../src/events/table";
import { atInstant } from "../../../../src/runtime/making-services";
import { homeOf, uuidv7 } from "../../../../src/shared/ids";
import { call, expectOk } from "../../../support/client";
import { databaseOf } from "../../../support/databases";
import { db } from "../../../support/factories";
import { metered } from "../../../support/metering";
import { fakeWorld, givenWebhookOwner, quietQueue } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

describe("deliveries in their short form", () => {
	it("take at most 450 bytes each, with their indexes and their share of the event", async () => {
		const { organization, register } = await givenWebhookOwner();
		const endpoints = 20;
		for (let i = 0; i < endpoints; i++) await register();
		const { services: made } = await metered(organization.id);
		const size = async () => {
			await made.db.read(made.db.orm.all(sql`select 1`));
			return made.db.bytes;
		};
		const before = await size();
		const [times, each] = [10, 25];
		for (let time = 0; time < times; time++) {
			const there = atInstant(made, made.now + time * 60_000);
			const data = () => ({ user_id: crypto.randomUUID(), admitted_at: new Date(there.now).toISOString() });
			const raised = Array.from({ length: each }, data).map((of) => ({ entityId: of.user_id, data: of }));
			const quiet = { ...there, queue: quietQueue };
			await quiet.db.commit([raiseAll(quiet, userAdmitted, { organizationId: organization.id, events: raised })]);
			// As claims leave them; the ends that follow are those of real attempts.
			await there.db.commit([
				sql`update ${webhookDeliveries} set claim = 'this', claimed_until = 8000000000000, attempts = 1, round_attempts = 1, attempt_position = 1, attempt_number = 1, attempt_trigger = 'AUTOMATIC', attempt_started_at = ${there.now}`,
			]);
			const claimed = await db.select().from(webhookDeliveries);
			expect(claimed).toHaveLength(each * endpoints);
			const ends = claimed.map(({ id }) => ({ id, claim: "this", durationMs: 93, responseStatus: 200, responseBody: '{"received":true}' }));
			const values = { now: there.now + 150, ends: JSON.stringify(ends) };
			await there.db.commit([keepReceipts(values), removeReceived(values)]);
		}
		expect(await db.$count(webhookReceipts)).toBe(times * each * endpoints);
		const bytes = ((await size()) - before) / (times * each * endpoints);
		expect(bytes).toBeGreaterThan(100);
		expect(bytes).toBeLessThanOrEqual(450);
	});

	it("are listed with the others in one order, forwards and backwards, under every filter that they pass", {
		tags: ["thorough"],
	}, async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const [a, b] = [await register(), await register()];
		const home = homeOf(organization.id);
		const start = Date.parse("2026-03-01T00:00:00Z");
		const type = (n: number) => (n % 3 === 0 ? "loan.disbursed" : "user.admitted");
		// Three share each instant, of which one or two are short.
		const given = Array.from({ length: 36 }, (_, n) => {
			const at = start + Math.floor(n / 3) * 1_000;
			return { id: uuidv7(at, home), at, webhookId: (n % 2 ? a : b).id, type: type(n), isShort: n % 5 < 3 };
		});
		for (const { id, at, webhookId, type, isShort } of given)
			await databaseOf(organization.id)
				.prepare(
					isShort
						? `insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
							values (unhex(replace(?1, '-', '')), unhex(replace(?2, '-', '')), unhex(replace(?3, '-', '')), unhex(replace(?4, '-', '')), ?5, ?6, ?6 + 5, ?6)`
						: `insert into webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, status, created_at) values (?1, ?2, ?3, ?4, ?5, 'DELIVERED', ?6)`,
				)
				.bind(organization.id, id, webhookId, crypto.randomUUID(), type, at)
				.run();
		const newestFirst = given.toSorted((x, y) => y.at - x.at || (x.id < y.id ? 1 : -1));
		const [from, until] = [start + 2_000, start + 9_000];
		for (const webhook_id of [undefined, a.id])
			for (const event_type of [undefined, "loan.disbursed"])
				for (const status of [undefined, "DELIVERED"] as const)
					for (const range of [false, true]) {
						const expected = newestFirst
							.filter((row) => (webhook_id ?? row.webhookId) === row.webhookId && (event_type ?? row.type) === row.type)
							.filter(({ at }) => !range || (at >= from && at < until))
							.map(({ id }) => id);
						const query = {
							size: "4",
							...(webhook_id && { webhook_id }),
							...(event_type && { event_type }),
							...(status && { status }),
							...(range && { created_from: new Date(from).toISOString(), created_until: new Date(until).toISOString() }),
						};
						const pages = [expectOk(await call(listDeliveries, { as, query }))];
						for (let after = pages[0]?.next; after; after = pages.at(-1)?.next)
							pages.push(expectOk(await call(listDeliveries, { as, query: { ...query, after } })));
						expect(
							pages.flatMap(({ data }) => data.map(({ id }) => id)),
							JSON.stringify(query),
						).toEqual(expected);
						const before = pages.at(-1)?.prev;
						if (before) expect(expectOk(await call(listDeliveries, { as, query: { ...query, before } })).data).toEqual(pages.at(-2)?.data);
					}
		expect(expectOk(await call(listDeliveries, { as, query: { status: "PENDING" } })).data).toEqual([]);
	});
});
