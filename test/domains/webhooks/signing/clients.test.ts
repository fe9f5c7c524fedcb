// The clients that receivers already use verify deliveries unchanged: two of Standard Webhooks, and Stripe's for our own header.

import * as standardwebhooks from "standardwebhooks";
import { Stripe } from "stripe";
import * as svix from "svix";
import { beforeEach, describe, expect, it } from "vitest";
import { createSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { call, expectOk } from "../../../support/client";
import { attemptAt, fakeWorld, givenDelivery, type Received, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

type Verify = (request: Received, secret: string) => unknown;

const clients: [name: string, verify: Verify][] = [
	["standardwebhooks", ({ body, headers }, secret) => new standardwebhooks.Webhook(secret).verify(body, Object.fromEntries(headers))],
	["svix", ({ body, headers }, secret) => new svix.Webhook(secret).verify(body, Object.fromEntries(headers))],
	["stripe", ({ body, headers }, secret) => Stripe.webhooks.constructEventAsync(body, headers.get("x-service-signature") ?? "", secret)],
];

describe.each(clients)("the client %s", (_, verify) => {
	it("accepts a delivery with each key of a rotation", async () => {
		const { as, path, webhook, delivery } = await givenDelivery();
		const second = expectOk(await call(createSigningKey, { as, path }));
		await attemptAt(webhook.id);
		const [request] = world.received;
		if (!request) throw new Error("expected a request");
		for (const secret of [webhook.secret, second.secret ?? ""]) {
			expect(await verify(request, secret)).toMatchObject({ delivery_id: delivery.id, event_type: "user.admitted" });
		}
	});

	it("refuses a changed body, and another secret", async () => {
		const { webhook } = await givenDelivery();
		const other = await givenDelivery();
		await attemptAt(webhook.id);
		const [request] = world.received;
		if (!request) throw new Error("expected a request");
		await expect((async () => verify({ ...request, body: `${request.body} ` }, webhook.secret))()).rejects.toThrow();
		await expect((async () => verify(request, other.webhook.secret))()).rejects.toThrow();
	});
});
