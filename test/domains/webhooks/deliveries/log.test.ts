// The delivery log by filters that no index has together: pages may be short or empty, and all rows are found by following them.

import { beforeEach, describe, expect, it } from "vitest";
import { listDeliveries } from "../../../../src/domains/webhooks/deliveries/operations";
import { deletedEndpoints } from "../../../../src/events/table";
import { homeOf, uuidv7 } from "../../../../src/shared/ids";
import { call, expectOk } from "../../../support/client";
import { databaseOf } from "../../../support/databases";
import { db } from "../../../support/factories";
import { fakeWorld, givenWebhookOwner } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

const RARE = "loan.disbursed";
const STATES = ["PENDING", "DELIVERED", "FAILED"] as const;

describe("the delivery log by filters that no index has together", () => {
	it("shows each delivery once, in order, forwards and backwards", { tags: ["thorough"] }, async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const [a, b] = [await register(), await register()];
		const deleted = crypto.randomUUID();
		await db.insert(deletedEndpoints).values({ id: deleted, organizationId: organization.id, deletedAt: Date.now() });
		const home = homeOf(organization.id);
		const start = Date.parse("2026-03-01T00:00:00Z");
		// One of 40 is of the rare type; of three endpoints; in each state, and in the short form; two share an instant.
		const given = Array.from({ length: 4_000 }, (_, n) => {
			const at = start + Math.floor(n / 2) * 1_000;
			const form = [...STATES, "SHORT"][Math.floor(n / 3) % 4] ?? "";
			return {
				id: uuidv7(at, home),
				eventId: uuidv7(at, home),
				at,
				webhookId: [a.id, b.id, deleted][n % 3],
				type: n % 40 < 2 ? RARE : "user.admitted",
				form,
			};
		});
		const json = JSON.stringify(given);
		await databaseOf(organization.id).batch([
			databaseOf(organization.id)
				.prepare(`insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
					select unhex(replace(?1, '-', '')), unhex(replace(value ->> 'id', '-', '')), unhex(replace(value ->> 'webhookId', '-', '')),
						unhex(replace(value ->> 'eventId', '-', '')), value ->> 'type', value ->> 'at', value ->> 'at', value ->> 'at' from json_each(?2) where value ->> 'form' = 'SHORT'`)
				.bind(organization.id, json),
			databaseOf(organization.id)
				.prepare(`insert into webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, status, created_at, next_attempt_at, failed_at)
					select ?1, value ->> 'id', value ->> 'webhookId', value ->> 'eventId', value ->> 'type', value ->> 'form', value ->> 'at',
						iif(value ->> 'form' = 'PENDING', 8000000000000, null), iif(value ->> 'form' = 'FAILED', 1, null)
					from json_each(?2) where value ->> 'form' <> 'SHORT'`)
				.bind(organization.id, json),
		]);
		const stateOf = ({ form, webhookId }: (typeof given)[number]) =>
			form === "SHORT" ? "DELIVERED" : form === "PENDING" && webhookId === deleted ? "FAILED" : form;
		const newestFirst = given.toSorted((x, y) => y.at - x.at || (x.id < y.id ? 1 : -1));
		for (const webhook_id of [undefined, a.id, deleted])
			for (const status of [undefined, ...STATES]) {
				const query = { size: "25", event_type: RARE, ...(webhook_id && { webhook_id }), ...(status && { status }) };
				const expected = newestFirst
					.filter(
						(row) => row.type === RARE && (webhook_id ?? row.webhookId) === row.webhookId && (status ?? stateOf(row)) === stateOf(row),
					)
					.map(({ id }) => id);
				const label = JSON.stringify(query);
				const forwards: string[][] = [];
				let prev: string | null = null;
				for (let after: string | null | undefined; after !== null; ) {
					const page = expectOk(await call(listDeliveries, { as, query: { ...query, ...(after && { after }) } }));
					forwards.push(page.data.map(({ id }) => id));
					({ next: after, prev } = page);
				}
				expect(forwards.flat(), label).toEqual(expected);
				const backwards = [forwards.at(-1) ?? []];
				while (prev !== null) {
					const page = expectOk(await call(listDeliveries, { as, query: { ...query, before: prev } }));
					backwards.unshift(page.data.map(({ id }) => id));
					({ prev } = page);
				}
				expect(backwards.flat(), label).toEqual(expected);
			}
	});
});
