// Order within an entity: of its open deliveries only the oldest is sent.

import { gt, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { repaymentReceived, repaymentReversed } from "../../../../src/domains/repayments/events";
import { getDelivery, retryDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { entityIn, entityOf } from "../../../../src/events/ordering";
import { raise, raiseAll } from "../../../../src/events/raise";
import { webhookDeliveries } from "../../../../src/events/table";
import { toTimestamp } from "../../../../src/shared/time";
import { allEventTypes } from "../../../../src/wiring/loading";
import { call, expectOk } from "../../../support/client";
import { eventually } from "../../../support/eventually";
import { db } from "../../../support/factories";
import { metered } from "../../../support/metering";
import { expectRows } from "../../../support/rows";
import {
	attemptAll,
	attemptAt,
	commitQuietly,
	deliveriesOf,
	fakeWorld,
	givenWebhookOwner,
	lastAttempts,
	type Received,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

const [A, B] = ["a1920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14", "b1920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14"];

/** An owner with an endpoint in order. `happen` raises repayments of accounts, which their amounts distinguish. */
async function givenOrdered(ordering: "NONE" | "ENTITY" = "ENTITY") {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ events: ["repayment.received", "repayment.reversed"], ordering });
	const organizationId = owner.organization.id;
	const happen = (...of: readonly (readonly [account: string, amount: number])[]) =>
		commitQuietly(organizationId, (quiet) =>
			of.map(([account_id, amount], index) => {
				const about = { transaction_id: crypto.randomUUID(), account_id, amount, currency: "KES" };
				const raised = { organizationId, entityId: about.transaction_id };
				return index % 2 === 0
					? raise(quiet, repaymentReceived, { ...raised, data: about })
					: raise(quiet, repaymentReversed, {
							...raised,
							data: { ...about, original_transaction_id: about.transaction_id, remaining_amount: 0 },
						});
			}),
		);
	return { ...owner, webhook, happen, path: { webhook_id: webhook.id } };
}

const amountOf = ({ body }: Pick<Received, "body">): number => JSON.parse(body).data.amount;
const sent = () => world.received.map(amountOf);
const afterFailed = () => world.received.map(({ headers }) => headers.get("x-service-after-failed"));

/** Answers 500 to what has one of these amounts. */
const refuse = (...amounts: readonly number[]) => {
	world.answer = (request) => new Response(null, { status: amounts.includes(amountOf(request)) ? 500 : 204 });
};

describe("an endpoint with ordering ENTITY", () => {
	it("gets nothing about an entity before the older has arrived, and other entities meanwhile", async () => {
		const { webhook, happen, as } = await givenOrdered();
		await happen([A, 1], [A, 2], [B, 3]);
		await happen([A, 4]);
		refuse(1);
		await attemptAt(webhook.id);
		expect(sent().toSorted()).toEqual([1, 3]);
		const behind = (await deliveriesOf(webhook.id)).filter(({ attempts }) => attempts === 0);
		const shown = await Promise.all(behind.map(async ({ id }) => expectOk(await call(getDelivery, { as, path: { id } }))));
		expect(shown.map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual(Array(2).fill(["PENDING", null]));
		refuse();
		for (let turn = 0; turn < 3; turn++) await attemptAt(webhook.id, 20_000);
		expect(sent().slice(2)).toEqual([1, 2, 4]);
		expect(afterFailed()).toEqual(Array(5).fill(null));
	});

	it("gets the next delivery after a FAILED one, which says so until the failed one has arrived", async () => {
		const { webhook, happen, as } = await givenOrdered();
		await happen([A, 1], [A, 2]);
		refuse(1);
		await lastAttempts(webhook.id);
		await attemptAt(webhook.id);
		const failed = (await deliveriesOf(webhook.id)).find(({ status }) => status === "FAILED");
		await attemptAt(webhook.id);
		await happen([A, 3], [B, 4]);
		await attemptAt(webhook.id);
		const told = world.received.map((request) => [amountOf(request), request.headers.get("x-service-after-failed")]);
		expect(told.slice(0, 2)).toEqual([
			[1, null],
			[2, failed?.id],
		]);
		// Of different entities, in any order.
		expect(told.slice(2).toSorted()).toEqual([
			[3, failed?.id],
			[4, null],
		]);
		refuse();
		await happen([A, 5]);
		expectOk(await call(retryDelivery, { as, path: { delivery_id: failed?.id ?? "" } }));
		for (let turn = 0; turn < 3; turn++) await attemptAt(webhook.id);
		expect(sent().slice(4)).toEqual([1, 5]);
		expect(afterFailed().slice(4)).toEqual([null, null]);
	});

	it("gets recovered events before newer events that wait", async () => {
		const { webhook, happen, as, path } = await givenOrdered();
		await happen([A, 1], [A, 2]);
		await db.delete(webhookDeliveries);
		await happen([A, 3]);
		expectOk(await call(recoverWebhook, { as, path, body: { since: toTimestamp(0) } }));
		for (let turn = 0; turn < 5; turn++) await attemptAt(webhook.id, 2_000);
		expect(sent()).toEqual([1, 2, 3]);
	});

	it("keeps the order across a suspension", async () => {
		const { webhook, happen, as, path } = await givenOrdered();
		await happen([A, 1], [A, 2], [B, 3]);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		for (let turn = 0; turn < 5; turn++) await attemptAt(webhook.id, turn * 2_000);
		// The resume also wakes the consumer up, which may still be at it.
		await eventually(async () => expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(3).fill("DELIVERED")));
		expect(sent().filter((amount) => amount < 3)).toEqual([1, 2]);
	});

	it("sends what many rows raised about one entity in the order of the feed", { tags: ["thorough"] }, async () => {
		const { organization, webhook } = await givenOrdered();
		const amounts = Array.from({ length: 5 }, (_, index) => index);
		await commitQuietly(organization.id, (quiet) => [
			raiseAll(quiet, repaymentReceived, {
				organizationId: organization.id,
				events: amounts.map((amount) => ({
					entityId: crypto.randomUUID(),
					data: { transaction_id: crypto.randomUUID(), account_id: A, amount, currency: "KES" },
				})),
			}),
		]);
		for (let turn = 0; turn < 6; turn++) await attemptAt(webhook.id);
		expect(sent()).toEqual(amounts);
	});

	it("reads as many rows for an attempt among 3,000 that wait for it as with one", { tags: ["thorough"] }, async () => {
		const { organization, webhook, happen } = await givenOrdered();
		const rowsOfAnAttempt = async () => {
			const { services, meter } = await metered(organization.id);
			world.received.length = 0;
			const [oldest] = (await deliveriesOf(webhook.id)).filter(({ attempts }) => attempts > 0);
			await attemptAll(services, [oldest?.id ?? ""]);
			expect(world.received).toHaveLength(1);
			return [meter.rowsRead, meter.rowsWritten];
		};
		refuse(1);
		await happen([A, 1], [A, 2]);
		await attemptAt(webhook.id);
		const dueAgain = () =>
			db.update(webhookDeliveries).set({ nextAttemptAt: 1, attempts: 1, roundAttempts: 1 }).where(gt(webhookDeliveries.attempts, 0));
		await dueAgain();
		const [read = 0, written = 0] = await rowsOfAnAttempt();
		await db.run(sql`
			insert into webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at, entity_id, event_sequence)
			with recursive numbers(n) as (select 3 union all select n + 1 from numbers where n < 3000)
			select 'd' || n, ${organization.id}, ${webhook.id}, 'e' || n, 'repayment.received', 'PENDING', 8640000000000000, n, ${A}, n from numbers`);
		await dueAgain();
		const [readBeside = 0, writtenBeside = 0] = await rowsOfAnAttempt();
		expectRows(readBeside).atMost(read + 10);
		expectRows(writtenBeside).toBe(written);
	});
});

it("an endpoint without it gets all as it comes", async () => {
	const { webhook, happen } = await givenOrdered("NONE");
	await happen([A, 1], [A, 2]);
	refuse(1);
	await attemptAt(webhook.id);
	expect(sent().toSorted()).toEqual([1, 2]);
	for (const row of await deliveriesOf(webhook.id)) expect([row.entityId, row.eventSequence]).toEqual([null, null]);
});

it("every event names its entity, which the feed shows", async () => {
	for (const { type, example } of (await allEventTypes()).values())
		expect(entityOf(example), `a member of the payload of ${type} ends in _id and names its entity`).toMatch(/\w/);
	const { happen, as } = await givenOrdered();
	await happen([A, 1]);
	expect(expectOk(await call(listEvents, { as })).data.map(({ entity_id }) => entity_id)).toEqual([A]);
});

it.each([
	["the member that is named first in the order of all events", { user_id: B, account_id: A }, A],
	["the next where that is null", { user_id: B, account_id: null }, B],
	["another id where the payload has none of them", { amount: 1, town: "x_id", note_id: A, later_id: B }, A],
	["an id that is a text", { first_id: 1, note_id: A }, A],
	["none in a payload without ids", { amount: 1 }, null],
])("the entity of an event is %s, to the service and in SQL", async (_, data, entity) => {
	expect(entityOf(data)).toBe(entity);
	expect(await db.all(sql`select ${entityIn(sql`${JSON.stringify(data)}`)} as entity`)).toEqual([{ entity }]);
});
