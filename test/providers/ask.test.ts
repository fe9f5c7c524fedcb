// Requests to providers and attempts of webhooks share the connections of an invocation.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually";
import { answerOutbound, servicesFor } from "../support/outbound";
import { attemptAll, deliveriesOf, fakeWorld, givenWebhookOwner, quietQueue, raiseQuietly } from "../support/webhooks";

const NAMES = "https://names.example/lookups";
const bounded = { ...env, WEBHOOK_PACE: "deployed", NAME_LOOKUP_URL: NAMES, NAME_LOOKUP_TOKEN: "secret" } as Env;

it("an invocation has four connections for providers and webhooks, of which providers that hang leave two", async () => {
	const world = fakeWorld();
	const { organization, register } = await givenWebhookOwner();
	const webhook = await register();
	for (let i = 0; i < 8; i++) await raiseQuietly(organization.id);
	const letGo = Promise.withResolvers<void>();
	let [open, most, asked] = [0, 0, 0];
	answerOutbound(async (input, init) => {
		most = Math.max(most, ++open);
		try {
			if (String(input) !== NAMES) return await world.fetch(input, init);
			asked++;
			await letGo.promise;
			return Response.json({ known: true, name: "Asha" });
		} finally {
			open--;
		}
	});
	const ctx = { waitUntil: (work: Promise<unknown>) => void work };
	const services = { ...(await servicesFor({ env: bounded, ctx })).at(webhook.id), queue: quietQueue };
	const lookUp = () =>
		services.providers.nameLookup?.lookUp({ type: "MOBILE_MONEY", identifier: "+254700000001", accountHolderName: null });
	const found = Array.from({ length: 10 }, lookUp);
	await eventually(async () => expect(asked).toBe(2));
	const deliveries = await deliveriesOf(webhook.id);
	await attemptAll(
		services,
		deliveries.map(({ id }) => id),
	);
	expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(8).fill("DELIVERED"));
	expect([asked, most]).toEqual([2, 4]);
	letGo.resolve();
	expect(await Promise.all(found)).toEqual(Array(10).fill({ known: true, name: "Asha" }));
	expect([asked, open]).toEqual([10, 0]);
	expect(most).toBe(4);
});

it("an invocation has at most six connections in all, with those of D1 and of what it sends to queues", async () => {
	const world = fakeWorld();
	const { organization, register } = await givenWebhookOwner();
	const webhooks = [];
	for (let i = 0; i < 12; i++) webhooks.push(await register({ url: `https://e${i}.example/in` }));
	await raiseQuietly(organization.id);
	let [open, most] = [0, 0];
	const counted = async <T>(work: () => Promise<T>): Promise<T> => {
		most = Math.max(most, ++open);
		return work().finally(() => open--);
	};
	answerOutbound((input, init) => counted(() => world.fetch(input, init)));
	const session = (constraint?: string) => {
		const own = env.DB.withSession(constraint);
		return {
			prepare: (text: string) => own.prepare(text),
			batch: (statements: D1PreparedStatement[]) => counted(() => own.batch(statements)),
			getBookmark: () => own.getBookmark(),
		};
	};
	const DB = { withSession: session, prepare: (text: string) => env.DB.prepare(text) } as unknown as D1Database;
	const ctx = { waitUntil: (work: Promise<unknown>) => void work };
	const [first] = webhooks;
	const services = (await servicesFor({ env: { ...bounded, DB }, ctx })).at(first?.id ?? "");
	const queue = { poke: () => counted(async () => {}) };
	const all = (await Promise.all(webhooks.map(({ id }) => deliveriesOf(id)))).flat();
	await attemptAll(
		{ ...services, queue },
		all.map(({ id }) => id),
	);
	expect(world.received).toHaveLength(12);
	expect(most).toBeGreaterThanOrEqual(4);
	expect(most).toBeLessThanOrEqual(6);
});
