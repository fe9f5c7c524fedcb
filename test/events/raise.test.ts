// A raised event is in its commit, with a delivery for each endpoint that subscribes.

import { afterEach, describe, expect, it } from "vitest";
import { userAdmitted } from "../../src/domains/users/events";
import { webhookTest } from "../../src/domains/webhooks/events";
import { raise } from "../../src/events/raise";
import { everyDatabase } from "../support/databases";
import { expectSoundEvents } from "../support/events";
import { commitQuietly, raiseQuietly, services } from "../support/webhooks";

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
