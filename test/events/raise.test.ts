// A raised event is in its commit, with a delivery for each endpoint that subscribes.

import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Write } from "../../src/db/database";
import { userAdmitted } from "../../src/domains/users/model/events";
import { webhookTest } from "../../src/domains/webhooks/events";
import { raise, raiseAll } from "../../src/events/raise";
import { deliveryHoldings, webhookEndpoints } from "../../src/events/table";
import type { Poked } from "../../src/runtime/ports";
import type { JobServices, Services } from "../../src/runtime/services";
import { everyDatabase } from "../support/databases";
import { expectSoundEvents } from "../support/events";
import { db } from "../support/factories";
import { metered } from "../support/metering";
import { commitQuietly, deliveriesOf, fakeWorld, givenWebhookOwner, raiseQuietly, services } from "../support/webhooks";

const data = userAdmitted.example;
const about = { organizationId: crypto.randomUUID(), entityId: crypto.randomUUID() };

describe("a raised event", () => {
	// The type check is the test: each `@ts-expect-error` fails it if the line below compiles.
	it("compiles only with the payload of its type", async () => {
		const made = (await services()).at(about.organizationId);
		const { user_id, admitted_at } = userAdmitted.example;
		raise(made, userAdmitted, { ...about, data: { user_id, admitted_at } });
		// @ts-expect-error a member is missing
		raise(made, userAdmitted, { ...about, data: { user_id } });
		// @ts-expect-error a member has another type
		raise(made, userAdmitted, { ...about, data: { user_id, admitted_at: 0 } });
		// @ts-expect-error the schema names no such member
		raise(made, userAdmitted, { ...about, data: { user_id, admitted_at, phone: "+254700000000" } });
		// @ts-expect-error the payload of another event type
		raise(made, userAdmitted, { ...about, data: webhookTest.example });
	});

	it("is kept with the name, category and key of its type", async () => {
		await commitQuietly(about.organizationId, (quiet) => [raise(quiet, userAdmitted, { ...about, data: userAdmitted.example })]);
		expect(
			await everyDatabase.prepare("select event_type, category, event_key, payload_version, data from webhook_events").first(),
		).toEqual({
			event_type: "user.admitted",
			category: "USER",
			event_key: `user.admitted:${about.entityId}`,
			payload_version: 1,
			data: JSON.stringify(userAdmitted.example),
		});
	});

	it("without an entity has its own id as its key, so that it can happen again", async () => {
		const { organizationId } = about;
		for (let i = 0; i < 2; i++)
			await commitQuietly(organizationId, (quiet) => [raise(quiet, webhookTest, { organizationId, data: webhookTest.example })]);
		const { results } = await everyDatabase.prepare("select id, event_key from webhook_events").all();
		expect(results).toHaveLength(2);
		for (const { id, event_key } of results) expect(event_key).toBe(`webhook.test:${id}`);
	});

	it("is not recorded if it belongs to no organization", async () => {
		const data = userAdmitted.example;
		await commitQuietly(about.organizationId, (quiet) => [raise(quiet, userAdmitted, { ...about, organizationId: null, data })]);
		expect(await everyDatabase.prepare("select count(*) as n from webhook_events").first("n")).toBe(0);
	});
});

/** The names of the endpoints that have a delivery, and the lanes in which the consumer is woken up for them. */
async function audienceOf(writes: (quiet: Services) => Write[], organizationId: string) {
	const poked: string[] = [];
	const queue = { poke: async (some: readonly Poked[]) => void poked.push(...some.map(({ lane }) => lane)) };
	const job: JobServices = {
		...(await services()).at(organizationId),
		queue,
		afterwards: (work) => void work(job),
	};
	await job.commit(writes(job));
	const { results } = await everyDatabase
		.prepare("select w.name from webhook_deliveries d join webhook_endpoints w on w.id = d.webhook_id order by w.name")
		.all<{ name: string }>();
	return { names: results.map(({ name }) => name), lanes: poked.sort() };
}

describe("the audience of an event", () => {
	beforeEach(() => {
		fakeWorld();
	});

	it.each([
		[
			"one event",
			(quiet: Services, organizationId: string, except: string) => raise(quiet, userAdmitted, { organizationId, data, except }),
			["quick", "slow"],
		],
		[
			"many events",
			(quiet: Services, organizationId: string) =>
				raiseAll(quiet, userAdmitted, { organizationId, events: [{ entityId: organizationId, data }] }),
			["quick", "skipped", "slow"],
		],
	] as const)("are the active endpoints that subscribe, each in its lane: %s", async (_, raised, names) => {
		const { organization, register } = await givenWebhookOwner();
		for (const name of ["quick", "slow", "suspended"]) await register({ name });
		const skipped = await register({ name: "skipped" });
		await register({ name: "elsewhere", events: ["loan.disbursed"] });
		await db.update(webhookEndpoints).set({ status: "SUSPENDED" }).where(eq(webhookEndpoints.name, "suspended"));
		await db.update(webhookEndpoints).set({ slow: true }).where(eq(webhookEndpoints.name, "slow"));
		const audience = await audienceOf((quiet) => [raised(quiet, organization.id, skipped.id)], organization.id);
		expect(audience).toEqual({ names, lanes: names.map((name) => (name === "slow" ? "SLOW" : "QUICK")).sort() });
	});
});

it("events of one commit share the statements that make their deliveries, and those that count them", async () => {
	fakeWorld();
	const { organization, register } = await givenWebhookOwner();
	const { id: organizationId } = organization;
	const [all] = [await register(), await register({ name: "elsewhere", events: ["loan.disbursed"] })];
	const { services: made, meter } = await metered(organizationId);
	const statementsOf = async (events: number) => {
		const before = meter.statements;
		await made.commit(Array.from({ length: events }, () => raise(made, userAdmitted, { organizationId, data })));
		return meter.statements - before;
	};
	expect([await statementsOf(1), await statementsOf(3)]).toEqual([3, 5]);
	expect((await deliveriesOf(all.id)).map(({ eventType }) => eventType)).toEqual(Array(4).fill("user.admitted"));
	expect(await db.select({ held: deliveryHoldings.held }).from(deliveryHoldings)).toEqual([{ held: 4 }]);
});

describe("the check of every raised event", () => {
	afterEach(() => everyDatabase.exec("delete from webhook_events"));

	const givenStored = async (changes: { event_type?: string; category?: string; data?: string }) => {
		await raiseQuietly(about.organizationId);
		for (const [column, value] of Object.entries(changes)) {
			await everyDatabase.prepare(`update webhook_events set ${column} = ?`).bind(value).run();
		}
	};

	it("rejects two events of an organization with one key", async () => {
		const entityId = crypto.randomUUID();
		const data = userAdmitted.example;
		const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
		for (const organizationId of [a, b])
			await commitQuietly(organizationId, (quiet) => [raise(quiet, userAdmitted, { organizationId, entityId, data })]);
		await expect(expectSoundEvents()).resolves.toBeUndefined();
		await commitQuietly(a, (quiet) => [raise(quiet, userAdmitted, { organizationId: a, entityId, data })]);
		await expect(expectSoundEvents()).rejects.toThrow("share a key");
	});

	it("accepts what the schema describes", async () => {
		await givenStored({});
		await expect(expectSoundEvents()).resolves.toBeUndefined();
	});

	const { user_id, admitted_at } = userAdmitted.example;
	it.each([
		["a type that no domain declares", { event_type: "user.invented" }],
		["the category of another type", { category: "AGENT" }],
		["a missing member", { data: JSON.stringify({ user_id }) }],
		["a member of another type", { data: JSON.stringify({ user_id, admitted_at: 0 }) }],
		["an undocumented member", { data: JSON.stringify({ user_id, admitted_at, phone: "+254700000000" }) }],
	])("fails on %s", async (_, changes) => {
		await givenStored(changes);
		await expect(expectSoundEvents()).rejects.toThrow();
	});
});
