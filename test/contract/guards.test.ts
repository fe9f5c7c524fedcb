// A call that must be refused has no effect of any kind, even if its handler acts before it reads: what watches for effects finds each.

import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { organizations } from "../../src/domains/organizations/table";
import { user } from "../../src/http/callers/access";
import { type AnyOperation, operation } from "../../src/http/operation";
import { jobFrom } from "../../src/runtime/making-services";
import type { HandlerServices } from "../../src/runtime/services";
import { freshNumber } from "../support/current-accounts";
import { operations } from "../support/domains";
import { Watch } from "../support/effects";
import { outbound } from "../support/outbound";
import { fakeWorld, type World } from "../support/webhooks";
import { faultsOf, givenRefused } from "./promises/refused";
import { givenParties, knowsValidRequest, VALID_REQUESTS, WHAT_IT_NEEDS } from "./valid-requests";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

describe("the table of valid requests", () => {
	it("has a valid request for every operation, and no others", () => {
		const ids = operations.map(({ id }) => id);
		const missing = operations.filter((op) => !knowsValidRequest(op)).map(({ id }) => id);
		expect(missing, `each needs ${WHAT_IT_NEEDS}`).toEqual([]);
		expect(Object.keys(VALID_REQUESTS).filter((name) => !ids.includes(name.replace(/@.*/, "")))).toEqual([]);
	});
});

describe("a handler that acts before its first read", () => {
	const acting = (act: (services: HandlerServices) => Promise<unknown>): AnyOperation =>
		operation({
			id: "acting",
			method: "POST",
			path: "/v1/acting",
			summary: "Acts, then reads",
			access: user,
			request: {},
			response: z.object({}),
			async handle(_, services) {
				await act(services);
				await services.db.read(services.db.orm.select().from(organizations));
				return {};
			},
		});
	const givenTwo = async () => {
		const sides = { parties: await givenParties(), strangers: await givenParties(freshNumber()) };
		const refused = await givenRefused(
			acting(async () => {}),
			{},
			sides,
		);
		const [blocked, waiting] = ["a blocked user", "a user on the waiting list"].map((one) => refused.find(({ who }) => who === one));
		if (!blocked || !waiting) throw new Error("expected two callers");
		return { blocked, waiting };
	};
	const row = { id: "a", slug: "a", name: "a", createdAt: 0 };

	it.each<[string, (services: HandlerServices) => Promise<unknown>]>([
		["a fetch", () => outbound("https://elsewhere.example/")],
		["messages to WEBHOOK_QUEUE", ({ env }) => env.WEBHOOK_QUEUE.sendBatch([])],
		["a Durable Object of DELIVERY_RETRIES", ({ env }) => env.DELIVERY_RETRIES.getByName("x").take(1)],
		["rows of organizations", (services) => jobFrom(services).commit([services.db.orm.insert(organizations).values(row)])],
		["rows of organizations", ({ env }) => env.DB.exec("insert into organizations (id, slug, name, created_at) values ('o', 'o', 'o', 1)")],
	])("is caught: %s", async (effect, act) => {
		const { blocked, waiting } = await givenTwo();
		expect(await faultsOf(acting(act), {}, blocked, await Watch.begin(world))).toEqual([effect]);
		if (!effect.startsWith("rows")) expect(await faultsOf(acting(act), {}, waiting, await Watch.begin(world))).toEqual([effect]);
	});

	it("has no effect for a refused caller if it commits through its services, or runs the deferred check first", async () => {
		const { blocked } = await givenTwo();
		const harmless: ((services: HandlerServices) => Promise<unknown>)[] = [
			(services) => services.commit([services.db.orm.insert(organizations).values(row)], {}),
			(services) => services.commitRegardless([services.db.orm.insert(organizations).values(row)]),
			async ({ db }) => {
				await db.runDeferredCheck();
				await outbound("https://elsewhere.example/");
			},
		];
		for (const act of harmless) expect(await faultsOf(acting(act), {}, blocked, await Watch.begin(world))).toEqual([]);
	});
});
