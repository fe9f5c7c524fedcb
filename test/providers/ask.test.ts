// Requests to providers and attempts of webhooks share the connections of an invocation.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually";
import { answerOutbound, servicesFor } from "../support/outbound";
import { attemptAll, deliveriesOf, fakeWorld, givenWebhookOwner, quietQueue, raiseQuietly } from "../support/webhooks";

const NAMES = "https://names.example/lookups";
const bounded = { ...env, WEBHOOK_PACE: "deployed", NAME_LOOKUP_URL: NAMES, NAME_LOOKUP_TOKEN: "secret" } as Env;

it("an invocation has six connections for providers and webhooks, of which providers that hang leave two", async () => {
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
	await eventually(async () => expect(asked).toBe(4));
	const deliveries = await deliveriesOf(webhook.id);
	await attemptAll(
		services,
		deliveries.map(({ id }) => id),
	);
	expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(Array(8).fill("DELIVERED"));
	expect([asked, most]).toEqual([4, 6]);
	letGo.resolve();
	expect(await Promise.all(found)).toEqual(Array(10).fill({ known: true, name: "Asha" }));
	expect([asked, open]).toEqual([10, 0]);
	expect(most).toBe(6);
});
