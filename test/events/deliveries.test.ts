// The deliveries that a raised event makes: to whom, when each is due, and which of them wake the consumer up.

import { and, eq, ne, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Write } from "../../src/db/database";
import { userAdmitted } from "../../src/domains/users/model/events";
import { BEHIND } from "../../src/events/ordering";
import { raise, raiseAll } from "../../src/events/raise";
import { deliveryHoldings, storageLevels, webhookDeliveries, webhookEvents } from "../../src/events/table";
import type { JobServices, Services } from "../../src/runtime/services";
import type { StorageLevel } from "../../src/shared/storage-levels";
import { db } from "../support/factories";
import { deliveriesOf, fakeWorld, givenWebhookOwner, services } from "../support/webhooks";

const [X, Y] = [crypto.randomUUID(), crypto.randomUUID()];
const WAIT_MS = 30_000;
const now = 1_800_000_000_000;

type Raise = (quiet: Services, organizationId: string, user: string) => Write;
const dataOf = (user_id: string) => ({ ...userAdmitted.example, user_id });
const FORMS: readonly (readonly [string, Raise])[] = [
	["one event", (quiet, organizationId, user) => raise(quiet, userAdmitted, { organizationId, data: dataOf(user) })],
	[
		"many events",
		(quiet, organizationId, user) =>
			raiseAll(quiet, userAdmitted, { organizationId, events: [{ entityId: crypto.randomUUID(), data: dataOf(user) }] }),
	],
];

type Options = Parameters<Awaited<ReturnType<typeof givenWebhookOwner>>["register"]>[0];

/** Two endpoints of an organization, what happens there about a user, and what is then new at each. */
async function givenTwo(write: Raise, options: Options = {}) {
	const { organization, register } = await givenWebhookOwner();
	const [first, second] = [(await register(options)).id, (await register(options)).id];
	const happen = async (user: string) => {
		const known = new Set([...(await deliveriesOf(first)), ...(await deliveriesOf(second))].map(({ id }) => id));
		const woken: string[] = [];
		const quiet: JobServices = {
			...{ ...(await services()), now }.at(organization.id),
			queue: { poke: async (some) => void woken.push(...some.map(({ webhookId }) => webhookId)) },
			afterwards: (work) => void work(quiet),
		};
		await quiet.commit([write(quiet, organization.id, user)]);
		const newAt = async (webhook: string) =>
			(await deliveriesOf(webhook)).filter(({ id }) => !known.has(id)).map(({ nextAttemptAt }) => nextAttemptAt);
		return { due: [...(await newAt(first)), ...(await newAt(second))], woken };
	};
	const forget = (webhook: string) => db.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhook));
	return { organizationId: organization.id, first, second, happen, forget };
}

beforeEach(async () => {
	fakeWorld();
	await db.delete(storageLevels);
});

describe.each(FORMS)("the deliveries of %s", (_, write) => {
	it("wait behind what is open about their own entity at their own endpoint", async () => {
		const { first, second, happen, forget } = await givenTwo(write, { ordering: "ENTITY" });
		await happen(X);
		await forget(second);
		expect((await happen(X)).due).toEqual([BEHIND, now]);
		expect((await happen(Y)).due).toEqual([now, now]);
		await forget(second);
		await db.update(webhookDeliveries).set({ status: "FAILED", nextAttemptAt: null }).where(eq(webhookDeliveries.webhookId, first));
		expect((await happen(X)).due).toEqual([now, now]);
	});

	it("wait for company, of which what waits elsewhere, is in flight or behind another is none", async () => {
		const batch = { max_events: 3, max_wait: "PT30S" };
		const { first, second, happen, forget } = await givenTwo(write, { ordering: "ENTITY", batch });
		await happen(X);
		await happen(Y);
		await forget(second);
		expect((await happen(crypto.randomUUID())).due).toEqual([now, now + WAIT_MS]);
		// A delivery that waits for company, and a delivery behind it.
		await db.delete(webhookDeliveries).where(and(eq(webhookDeliveries.webhookId, first), ne(webhookDeliveries.entityId, X)));
		await happen(X);
		await forget(second);
		expect((await happen(Y)).due).toEqual([now + WAIT_MS, now + WAIT_MS]);
		await db
			.update(webhookDeliveries)
			.set({ claimedUntil: now + WAIT_MS })
			.where(eq(webhookDeliveries.webhookId, first));
		expect((await happen(crypto.randomUUID())).due).toEqual([now + WAIT_MS, now + WAIT_MS]);
	});

	it("are made of what passes the filter, in the places of their events where the endpoint asks for order", async () => {
		const { first, second, happen } = await givenTwo(write, { ordering: "ENTITY", filter: [{ member: "user_id", in: [X] }] });
		for (const user of [Y, X, Y, X]) await happen(user);
		for (const webhook of [first, second])
			expect((await deliveriesOf(webhook)).map(({ entityId, eventSequence }) => [entityId, eventSequence]).toSorted()).toEqual([
				[X, 2],
				[X, 4],
			]);
	});

	it("wake the consumer up, unless something is due before them at their own endpoint and is not in flight", async () => {
		const { first, second, happen, forget } = await givenTwo(write);
		await happen(X);
		await db.update(webhookDeliveries).set({ nextAttemptAt: now - 1 });
		await forget(second);
		expect((await happen(X)).woken).toEqual([second]);
		await db.update(webhookDeliveries).set({ claimedUntil: now + WAIT_MS });
		expect((await happen(X)).woken.toSorted()).toEqual([first, second].toSorted());
	});

	it("are not made for an organization at its quota, and are made for others", async () => {
		const [full, other] = [await givenTwo(write), await givenTwo(write)];
		await db.insert(deliveryHoldings).values({ organizationId: full.organizationId, held: 5, quota: 5 });
		expect((await full.happen(X)).due).toEqual([]);
		expect((await other.happen(X)).due).toEqual([now, now]);
	});

	it.each([
		["SHORT", [now, now]],
		["CLOSED", []],
	] as const satisfies readonly (readonly [StorageLevel, readonly number[]])[])(
		"in a database that is %s are due %j",
		async (level, due) => {
			const { organizationId, happen } = await givenTwo(write);
			const there = (await services()).at(organizationId).db;
			await there.commit([there.orm.insert(storageLevels).values({ id: 1, level })]);
			expect((await happen(X)).due).toEqual(due);
		},
	);
});

it("an event that its condition keeps from being raised again makes no further delivery", async () => {
	const id = crypto.randomUUID();
	const when = sql`not exists (select 1 from ${webhookEvents} where ${webhookEvents.id} = ${id})`;
	const { happen } = await givenTwo((quiet, organizationId, user) =>
		raise(quiet, userAdmitted, { organizationId, id, data: dataOf(user), when }),
	);
	expect((await happen(X)).due).toEqual([now, now]);
	expect(await happen(X)).toEqual({ due: [], woken: [] });
});
