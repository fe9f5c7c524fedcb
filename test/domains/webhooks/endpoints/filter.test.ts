// Filters: what an endpoint does not want makes no delivery.

import { beforeEach, describe, expect, it } from "vitest";
import { apiKeyCreated } from "../../../../src/domains/organizations/events";
import { portfolioClosed } from "../../../../src/domains/portfolio/events";
import { repaymentReceived, repaymentUnmatched } from "../../../../src/domains/repayments/events";
import { tryWebhookFilter } from "../../../../src/domains/webhooks/endpoints/filter.operations";
import { createWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { raise, raiseAll } from "../../../../src/events/raise";
import { toTimestamp } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { rowsRead } from "../../../support/credit";
import { givenCopies, metered } from "../../../support/metering";
import { expectRows } from "../../../support/rows";
import { commitQuietly, deliveriesOf, fakeWorld, givenWebhookOwner } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

const EVENTS = ["repayment.received", "repayment.unmatched", "api_key.created"];
const A = "a1920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14";
const received = (account_id: string, amount: number) => ({ transaction_id: crypto.randomUUID(), account_id, amount, currency: "KES" });

type Conditions = NonNullable<Parameters<Awaited<ReturnType<typeof givenWebhookOwner>>["register"]>[0]>["filter"];

/** Raises a repayment of 100 to A, one of 200 to another account, an unmatched one of 300, and a new API key. */
const happen = (organizationId: string) =>
	commitQuietly(organizationId, (quiet) => [
		raise(quiet, repaymentReceived, { organizationId, data: received(A, 100) }),
		raiseAll(quiet, repaymentReceived, {
			organizationId,
			events: [{ entityId: crypto.randomUUID(), data: received(crypto.randomUUID(), 200) }],
		}),
		raise(quiet, repaymentUnmatched, { organizationId, data: { ...repaymentUnmatched.example, amount: 300 } }),
		raise(quiet, apiKeyCreated, { organizationId, data: apiKeyCreated.example }),
	]);

/** What passes of these: the amounts, and 0 for the API key. */
const CASES: readonly (readonly [Conditions, readonly number[]])[] = [
	[null, [100, 200, 300, 0]],
	[[{ member: "type", in: ["repayment.*"] }], [100, 200, 300]],
	[[{ member: "type", in: ["*"] }], [100, 200, 300, 0]],
	[[{ member: "type", in: ["repayment.unmatched", "api_key.created"] }], [300, 0]],
	[[{ member: "entity_id", in: [A] }], [100]],
	[[{ member: "account_id", in: [A.toUpperCase()] }], []],
	[[{ member: "amount", min: 200 }], [200, 300]],
	[[{ member: "amount", min: 101, max: 299 }], [200]],
	[[{ member: "amount", in: [100, 300] }], [100, 300]],
	[[{ member: "amount", in: ["100"] }], []],
	[[{ member: "currency", max: 9 }], []],
	[[{ member: "name", in: [apiKeyCreated.example.name] }], [0]],
	[
		[
			{ member: "type", in: ["repayment.*"] },
			{ member: "amount", max: 200 },
			{ member: "account_id", in: [A] },
		],
		[100],
	],
];

describe("a filter", () => {
	it("lets what all its conditions hold for pass, the same in commits, in recover and in the dry run", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhooks = [];
		for (const [filter] of CASES) webhooks.push(await register({ events: EVENTS, filter: filter ?? null }));
		const late = await register({ events: ["webhook.suspended"] });
		await happen(organization.id);
		const types = { 100: "repayment.received", 200: "repayment.received", 300: "repayment.unmatched", 0: "api_key.created" } as const;
		for (const [index, [filter = null, passing]] of CASES.entries()) {
			const label = JSON.stringify(filter);
			const webhook = webhooks[index];
			expect(webhook?.filter, label).toEqual(filter);
			const made = (await deliveriesOf(webhook?.id ?? "")).map(({ eventType }) => eventType).toSorted();
			expect(made, label).toEqual(passing.map((amount) => types[amount as keyof typeof types]).toSorted());
			expectOk(await call(updateWebhook, { as, path: { webhook_id: late.id }, body: { events: EVENTS, filter } }));
			const recovery = { since: toTimestamp(0), dry_run: true };
			expect(expectOk(await call(recoverWebhook, { as, path: { webhook_id: late.id }, body: recovery })), label).toMatchObject({
				created: passing.length,
			});
			const tried = expectOk(await call(tryWebhookFilter, { as, body: { events: EVENTS, filter } }));
			expect(tried, label).toMatchObject({ looked_at: 4, subscribed: 4, matching: passing.length });
			expect(tried.last_matching === null, label).toBe(passing.length === 0);
		}
	});

	it("lets the events of a product pass whose payload names it, and no others", async () => {
		const { organization, register } = await givenWebhookOwner();
		const { loan_product_id } = portfolioClosed.example;
		const events = ["repayment.received", "portfolio.closed"];
		const webhook = await register({ events, filter: [{ member: "loan_product_id", in: [loan_product_id] }] });
		await commitQuietly(organization.id, (quiet) =>
			[loan_product_id, crypto.randomUUID()].map((product) =>
				raise(quiet, portfolioClosed, {
					organizationId: organization.id,
					entityId: product,
					data: { ...portfolioClosed.example, loan_product_id: product },
				}),
			),
		);
		await happen(organization.id);
		expect(await deliveriesOf(webhook.id)).toMatchObject([{ eventType: "portfolio.closed" }]);
	});

	it("writes no row for what it keeps away, and reads at most its conditions and values twice", async () => {
		const { organization, register } = await givenWebhookOwner();
		const cost = async () => {
			const { services, meter } = await metered(organization.id);
			await services.commit([
				raise(services, repaymentReceived, { organizationId: organization.id, data: received(crypto.randomUUID(), 100) }),
			]);
			return [meter.rowsRead, meter.rowsWritten] as const;
		};
		await cost();
		const [read, written] = await cost();
		const values = Array.from({ length: 5 }, (_, index) => index);
		const conditions = Array.from({ length: 9 }, () => ({ member: "amount", in: [...values.slice(1), 100] }));
		const webhook = await register({ events: EVENTS, filter: [...conditions, { member: "amount", min: 101 }] });
		const [readBeside, writtenBeside] = await cost();
		expectRows(writtenBeside).toBe(written);
		expectRows(readBeside - read).atMost(2 * (10 + 9 * 5));
		expect(await deliveriesOf(webhook.id)).toEqual([]);
	});

	it("of the largest size at a hundred endpoints costs an event at most 12,000 rows", async () => {
		const { organization, register } = await givenWebhookOwner();
		const conditions = Array.from({ length: 9 }, () => ({ member: "amount", in: [1, 2, 3, 4, 100] }));
		const { id } = await register({ events: EVENTS, filter: [...conditions, { member: "amount", in: [1, 2, 3, 4, 5] }] });
		await givenCopies("webhook_endpoints", id, 99, { name: "'copy ' || n" });
		const { services, meter } = await metered(organization.id);
		await services.commit([
			raise(services, repaymentReceived, { organizationId: organization.id, data: received(crypto.randomUUID(), 100) }),
		]);
		expectRows(meter.rowsRead).atLeast(1_001);
		expectRows(meter.rowsRead).atMost(12_000);
	});

	it("is tried on the last 200 events, and reads a row of each, however large the filter is", async () => {
		const { organization, as } = await givenWebhookOwner();
		await commitQuietly(organization.id, (quiet) => [
			raiseAll(quiet, repaymentReceived, {
				organizationId: organization.id,
				events: Array.from({ length: 250 }, (_, index) => ({ entityId: crypto.randomUUID(), data: received(A, index) })),
			}),
		]);
		const beside = Array.from({ length: 4 }, (_, index) => index);
		const filter = [...Array(9).fill({ member: "account_id", in: [...beside, A] }), { member: "amount", in: [40, 60, 249] }];
		const tried = await call(tryWebhookFilter, { as, body: { events: EVENTS, filter } });
		expect(expectOk(tried)).toMatchObject({ looked_at: 200, subscribed: 200, matching: 2 });
		expectRows(rowsRead(tried)).atMost(220);
	});

	it.each([
		[[], "filter", "TOO_SHORT"],
		[Array(11).fill({ member: "amount", min: 1 }), "filter", "TOO_LONG"],
		[Array(3).fill({ member: "amount", in: [...Array(17).keys()] }), "filter", "TOO_LONG"],
		[[{ member: "amount" }], "filter[0]", "REQUIRED"],
		[[{ member: "amount", in: [1], min: 1 }], "filter[0]", "MUTUALLY_EXCLUSIVE"],
		[[{ member: "amount", min: 2, max: 1 }], "filter[0]", "OUT_OF_RANGE"],
		[[{ member: "type", min: 2 }], "filter[0]", "NOT_ALLOWED"],
		[[{ member: "amout", min: 2 }], "filter[0].member", "NOT_ALLOWED"],
		[[{ member: "tag", in: ["GOLD"] }], "filter[0].member", "NOT_ALLOWED"],
		[[{ member: "type", in: ["repayment.*", "repayments.*"] }], "filter[0].in[1]", "NOT_ALLOWED"],
	])("that cannot hold is refused: %j", async (filter, path, sub_code) => {
		const { as } = await givenWebhookOwner();
		const body = { name: "till", url: "https://hooks.example/in", events: EVENTS, filter: filter as never };
		const answer = await call(createWebhook, { as, body });
		expect(answer.status).toBe(400);
		expect(JSON.stringify(answer.body)).toContain(`"${path}"`);
		expect(JSON.stringify(answer.body)).toContain(sub_code);
	});

	it("is judged with the types that the endpoint subscribes to, also when only these change", async () => {
		const { as, register } = await givenWebhookOwner();
		const webhook = await register({ events: EVENTS, filter: [{ member: "amount", min: 1 }] });
		const change = (body: object) => call(updateWebhook, { as, path: { webhook_id: webhook.id }, body });
		const refused = await change({ events: ["api_key.created"] });
		expect(refused.status).toBe(400);
		expect(JSON.stringify(refused.body)).toContain("filter[0].member");
		expect(expectOk(await change({ events: ["api_key.created"], filter: null })).filter).toBe(null);
	});
});
