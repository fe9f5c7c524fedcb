// Batches: several deliveries in one signed request.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { repaymentReceived } from "../../../../src/domains/repayments/events";
import { userAdmitted } from "../../../../src/domains/users/model/events";
import { claim } from "../../../../src/domains/webhooks/deliveries/claim.procedure";
import { targetsOf } from "../../../../src/domains/webhooks/deliveries/due.store";
import { DeliveryRun } from "../../../../src/domains/webhooks/deliveries/engine.job";
import { giveBack } from "../../../../src/domains/webhooks/deliveries/give-back.store";
import { getDelivery, retryDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { sendingsOf } from "../../../../src/domains/webhooks/deliveries/sending.policy";
import { verifySignature } from "../../../../src/domains/webhooks/diagnosis/operations";
import { getWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { createSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { getWebhookStats } from "../../../../src/domains/webhooks/statistics/operations";
import { raise, raiseAll } from "../../../../src/events/raise";
import { webhookDeliveries } from "../../../../src/events/table";
import { atInstant } from "../../../../src/runtime/making-services";
import type { Poked } from "../../../../src/runtime/ports";
import type { JobServices } from "../../../../src/runtime/services";
import { toTimestamp } from "../../../../src/shared/time";
import { deliveriesIn } from "../../../../src/webhook-verify/verify";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { db } from "../../../support/factories";
import { handle } from "../../../support/handle";
import { metered } from "../../../support/metering";
import { expectRows } from "../../../support/rows";
import {
	attemptAt,
	commitQuietly,
	deliveriesOf,
	expectSigned,
	fakeWorld,
	givenWebhookOwner,
	lastAttempts,
	onlyDelivery,
	quietQueue,
	type Received,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

type Body = {
	batch_id: string;
	deliveries: { delivery_id: string; event_type: string; data: { user_id: string; account_id: string; amount: number } }[];
	after_failed?: { [id: string]: string };
};
const bodyOf = ({ body }: Pick<Received, "body">): Body => JSON.parse(body);
const idsIn = (request: Received) => bodyOf(request).deliveries.map(({ delivery_id }) => delivery_id);
const sizes = () => world.received.map((request) => idsIn(request).length);

async function givenBatched(batch: { max_events: number; max_wait?: string }, more: object = {}) {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ batch, ...more });
	const organizationId = owner.organization.id;
	/** Raises so many events at once, without a message. */
	const happen = (count: number) =>
		commitQuietly(organizationId, (quiet) => [
			raiseAll(quiet, userAdmitted, {
				organizationId,
				events: Array.from({ length: count }, () => ({ entityId: crypto.randomUUID(), data: userAdmitted.example })),
			}),
		]);
	return { ...owner, webhook, organizationId, happen, path: { webhook_id: webhook.id } };
}

/** Runs what is due at the endpoint, `aheadMs` from now, as a message has it done. */
async function run(webhookId: string, aheadMs = 0): Promise<void> {
	const made = await services(aheadMs);
	const work = new DeliveryRun({ ...made, queue: quietQueue }.at(webhookId), { until: Date.now() + 500 });
	await work.start([webhookId]);
	await work.ended();
}

const states = async (webhookId: string) => (await deliveriesOf(webhookId)).map(({ status, attempts }) => `${status} ${attempts}`);

describe("an endpoint with batches", () => {
	it("gets what is due in signed requests of at most so many, each delivery as it would get it alone", async () => {
		const { as, path, webhook, happen } = await givenBatched({ max_events: 4 });
		const key = expectOk(await call(createSigningKey, { as, path }));
		await happen(9);
		await run(webhook.id);
		expect(sizes().toSorted()).toEqual([1, 4, 4]);
		for (const request of world.received) {
			expectSigned(request, [key.secret ?? "", webhook.secret]);
			expect(request.headers.get("x-service-batch-id")).toBe(bodyOf(request).batch_id);
			expect(request.headers.get("x-service-delivery-id")).toBe(null);
			expect(deliveriesIn(request.body)).toEqual(bodyOf(request).deliveries);
		}
		expect(new Set(world.received.map((request) => bodyOf(request).batch_id)).size).toBe(3);
		expect(await states(webhook.id)).toEqual(Array(9).fill("DELIVERED 1"));
		const [request] = world.received;
		const [first] = bodyOf(request as Received).deliveries;
		const shown = expectOk(await call(getDelivery, { as, path: { id: first?.delivery_id ?? "" } }));
		expect(JSON.parse(shown.body ?? "")).toEqual(first);
		expect(shown.attempt_log).toMatchObject([{ number: 1, outcome: "DELIVERED", response_status: 204 }]);
		expect(expectOk(await call(getWebhookStats, { as, path }))).toMatchObject({ deliveries: { delivered: 9, failed: 0 } });
		const header = request?.headers.get("x-service-signature") ?? "";
		const verified = async (body: string) => expectOk(await call(verifySignature, { as, path, body: { header, body } })).reason;
		expect(await verified(request?.body ?? "")).toBe("VALID");
		const { batch_id, deliveries } = bodyOf(request as Received);
		const turned = deliveries.map((delivery) => Object.fromEntries(Object.entries(delivery).toReversed()));
		expect(await verified(JSON.stringify({ deliveries: turned, batch_id }, null, 2))).toBe("BODY_RESERIALIZED");
	});

	it("gets again all that it refuses, and of what it takes those that its answer names", async () => {
		const { as, webhook, happen } = await givenBatched({ max_events: 10 });
		await happen(4);
		world.answer = () => new Response("no", { status: 500 });
		await attemptAt(webhook.id);
		expect(await states(webhook.id)).toEqual(Array(4).fill("PENDING 1"));
		let failed: string[] = [];
		world.answer = (request) => {
			failed = idsIn(request).slice(1, 3);
			return Response.json({ failed: [...failed, "unknown", 7] });
		};
		await attemptAt(webhook.id, 60_000);
		expect((await states(webhook.id)).toSorted()).toEqual(["DELIVERED 2", "DELIVERED 2", "PENDING 2", "PENDING 2"]);
		const shown = expectOk(await call(getDelivery, { as, path: { id: failed[0] ?? "" } }));
		expect(shown.last_error).toBe("The endpoint named the delivery as one of its batch that failed.");
		expect(shown.attempt_log.at(-1)).toMatchObject({ outcome: "ITEM_FAILED", error_class: "ITEM", response_status: 200 });
		for (const answer of ['{"failed":"all"}', "[", '["failed"]', "null"]) {
			await everyDatabase.exec("update webhook_deliveries set next_attempt_at = 1 where status = 'PENDING'");
			world.answer = () => new Response(answer);
			await attemptAt(webhook.id);
		}
		expect((await states(webhook.id)).toSorted()).toEqual(["DELIVERED 2", "DELIVERED 2", "DELIVERED 3", "DELIVERED 3"]);
		expect(idsIn(world.received.at(2) as Received).toSorted()).toEqual(failed.toSorted());
		const [again = ""] = failed;
		expectOk(await call(retryDelivery, { as, path: { delivery_id: again } }));
		await run(webhook.id);
		expect(idsIn(world.received.at(-1) as Received)).toEqual([again]);
	});

	it("is suspended by the tenth delivery that FAILED, or by a 410, and then gets no more", async () => {
		const { as, path, webhook, happen } = await givenBatched({ max_events: 50 });
		await happen(45);
		await lastAttempts(webhook.id);
		world.answer = () => new Response(null, { status: 500 });
		await run(webhook.id);
		expect(await states(webhook.id)).toEqual(Array(45).fill("FAILED 6"));
		expect(expectOk(await call(getWebhook, { as, path }))).toMatchObject({ suspension_reason: "TEN_FAILED_DELIVERIES" });
		expect(sizes()).toEqual([45]);
		expectOk(await call(updateWebhook, { as, path, body: { status: "ACTIVE" } }));
		await happen(3);
		world.answer = () => new Response(null, { status: 410 });
		await run(webhook.id);
		expect(expectOk(await call(getWebhook, { as, path }))).toMatchObject({ suspension_reason: "GONE" });
		expect(sizes()).toEqual([45, 3]);
		// A resume tries one alone; the others follow as many as ten requests carry in a second.
		expectOk(await call(updateWebhook, { as, path, body: { status: "ACTIVE" } }));
		world.answer = () => new Response(null, { status: 204 });
		world.received.length = 0;
		await run(webhook.id, 2_000);
		expect(sizes().toSorted()).toEqual([1, 2]);
	});

	it("gets at most one delivery of an entity in a request, in order, and the name of the delivery that FAILED before", async () => {
		const { organizationId, webhook } = await givenBatched({ max_events: 10 }, { events: ["repayment.received"], ordering: "ENTITY" });
		const [A, B] = [crypto.randomUUID(), crypto.randomUUID()];
		const happened = (...of: [string, number][]) =>
			commitQuietly(organizationId, (quiet) =>
				of.map(([account_id, amount]) => {
					const data = { transaction_id: crypto.randomUUID(), account_id, amount, currency: "KES" };
					return raise(quiet, repaymentReceived, { organizationId, entityId: data.transaction_id, data });
				}),
			);
		await happened([A, 1], [A, 2], [A, 3], [B, 4], [B, 5]);
		const sent = () =>
			world.received.map((request) =>
				bodyOf(request)
					.deliveries.map(({ data }) => data.amount)
					.toSorted(),
			);
		world.answer = (request) => {
			const first = bodyOf(request).deliveries.find(({ data }) => data.amount === 1);
			return Response.json({ failed: first ? [first.delivery_id] : [] });
		};
		await run(webhook.id);
		expect(sent()).toEqual([[1, 4], [5]]);
		await lastAttempts(webhook.id);
		await everyDatabase.exec(
			"update webhook_deliveries set next_attempt_at = 8640000000000000, attempts = 0, round_attempts = 0 where event_sequence > (select min(event_sequence) from webhook_deliveries where status = 'PENDING')",
		);
		await run(webhook.id);
		await run(webhook.id);
		expect(sent().slice(2)).toEqual([[1], [2], [3]]);
		const failed = (await deliveriesOf(webhook.id)).find(({ status }) => status === "FAILED");
		for (const request of world.received.slice(-2)) expect(Object.values(bodyOf(request).after_failed ?? {})).toEqual([failed?.id]);
	});

	it("has as many requests in flight, and as many a second, as it permits, and what begins too late is given back", async () => {
		const { webhook, happen } = await givenBatched({ max_events: 3 }, { max_in_flight: 2, rate_limit: 10 });
		await happen(12);
		const made = (await services()).at(webhook.id);
		const take = async () => {
			const targets = await made.db.read(targetsOf(made, [webhook.id], 20));
			return claim(made, { targets, urls: [webhook.url], most: 20 });
		};
		const one = await take();
		expect(sendingsOf(one.claimed).map(({ deliveries }) => deliveries.length)).toEqual([3]);
		const tooSoon = await take();
		expect([tooSoon.claimed, tooSoon.left.every(({ waitMs }) => waitMs > 0)]).toEqual([[], true]);
		await everyDatabase.exec("update webhook_endpoints set rate_limit = null");
		const two = await take();
		expect(sendingsOf(two.claimed).map(({ deliveries }) => deliveries.length)).toEqual([3]);
		expect((await take()).claimed).toEqual([]);
		await made.db.commit(giveBack([...one.claimed, ...two.claimed]));
		for (const row of await deliveriesOf(webhook.id)) expect(row).toMatchObject({ claim: null, attempts: 0, roundAttempts: 0 });
		await run(webhook.id);
		expect(sizes()).toEqual(Array(4).fill(3));
	});

	it("takes few round trips and rows for each of a thousand deliveries", async () => {
		const { organizationId, webhook, happen } = await givenBatched({ max_events: 100 });
		await happen(1_000);
		const { services: made, meter } = await metered(organizationId);
		const work = new DeliveryRun({ ...made, queue: quietQueue }.at(webhook.id));
		await work.start([webhook.id]);
		await work.ended();
		expect(sizes()).toEqual(Array(10).fill(100));
		expect(meter.trips).toBeLessThanOrEqual(10);
		expectRows(meter.rowsRead / 1_000).atMost(120);
	});
});

describe("an endpoint whose batches wait", () => {
	it("wakes the consumer up when the first delivery has waited, or at once when a batch is full", async () => {
		const { organizationId, webhook, as } = await givenBatched({ max_events: 3, max_wait: "PT20S" });
		const poked: Poked[] = [];
		const made = await services();
		const job: JobServices = { ...made, queue: { poke: async (some) => void poked.push(...some) }, afterwards: (work) => void work(job) };
		const at = async (ms: number) => {
			const later = atInstant(job, job.now + ms);
			await job.commit([raise(later, userAdmitted, { organizationId, data: userAdmitted.example })]);
		};
		await at(0);
		expect(poked).toEqual([{ webhookId: webhook.id, lane: "QUICK", delaySeconds: 20 }]);
		const waiting = await onlyDelivery(webhook.id);
		expect(expectOk(await call(getDelivery, { as, path: { id: waiting.id } })).next_attempt_at).toBe(
			toTimestamp(waiting.createdAt + 20_000),
		);
		await at(1_000);
		expect(poked).toHaveLength(1);
		await run(webhook.id, 5_000);
		expect(world.received).toHaveLength(0);
		await at(2_000);
		expect(poked.slice(1)).toEqual([{ webhookId: webhook.id, lane: "QUICK" }]);
		await at(3_000);
		await run(webhook.id, 3_000);
		expect(sizes()).toEqual([3]);
		// A due delivery takes along those that only wait.
		await at(10_000);
		await run(webhook.id, 23_500);
		expect(sizes()).toEqual([3, 2]);
		expect(await states(webhook.id)).toEqual(Array(5).fill("DELIVERED 1"));
	});

	it("takes along nothing that is due later to spare it: retries, and what recovers at a pace", async () => {
		const { organizationId, path, webhook, happen } = await givenBatched({ max_events: 2, max_wait: "PT30S" });
		await happen(42);
		await db.delete(webhookDeliveries);
		const quiet = { ...(await services()), queue: quietQueue };
		const caller = { kind: "operator", operatorId: "root", organizationId };
		expect(await handle(recoverWebhook, { path, body: { since: 0 }, caller }, quiet)).toMatchObject({ created: 42 });
		const due = (await deliveriesOf(webhook.id)).map(({ nextAttemptAt, createdAt }) => (nextAttemptAt ?? 0) - createdAt);
		expect(due.toSorted((a, b) => a - b)).toEqual([...Array(20).fill(0), ...Array(20).fill(1_000), 2_000, 2_000]);
		world.answer = () => new Response(null, { status: 500 });
		await attemptAt(webhook.id, -900);
		expect(sizes()).toEqual(Array(10).fill(2));
		await raiseQuietly(organizationId);
		world.received.length = 0;
		await run(webhook.id, 5_000);
		// Those that are due are company enough, so the new one is due too. Requests of one claim leave together, and arrive in any order.
		expect(sizes().toSorted((one, other) => other - one)).toEqual([...Array(11).fill(2), 1]);
	});
});

it("a batch is set, shown, changed and taken away, within its bounds", async () => {
	const { as, path, register } = await givenBatched({ max_events: 100, max_wait: "PT2.5S" });
	const shown = async () => expectOk(await call(getWebhook, { as, path })).batch;
	expect(await shown()).toEqual({ max_events: 100, max_wait: "PT2.5S" });
	expectOk(await call(updateWebhook, { as, path, body: { batch: { max_events: 1 } } }));
	expect(await shown()).toEqual({ max_events: 1, max_wait: "PT0S" });
	for (const batch of [{ max_events: 0 }, { max_events: 101 }, { max_events: 1, max_wait: "PT31S" }, { max_events: 1, max_wait: "5" }])
		expect((await call(updateWebhook, { as, path, body: { batch } })).status).toBe(400);
	expectOk(await call(updateWebhook, { as, path, body: { batch: null } }));
	expect(await shown()).toBe(null);
	expect((await register({ url: "https://other.example/in" })).batch).toBe(null);
});
