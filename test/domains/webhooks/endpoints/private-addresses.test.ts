// An endpoint whose name moves into a private network is never called.

import { beforeEach, describe, expect, it } from "vitest";
import { getWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { call, expectOk } from "../../../support/client";
import { eventually } from "../../../support/eventually";
import {
	attemptAt,
	attemptLog,
	deliveriesOf,
	endpoint,
	fakeWorld,
	givenFailing,
	onlyDelivery,
	raiseQuietly,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

describe("an endpoint whose name resolves to a private network", () => {
	it.each([
		["A 10.0.0.5", ["10.0.0.5"]],
		["A public and A loopback", ["1.1.1.1", "10.1.1.1"]],
		["A public and AAAA link-local", ["1.1.1.1", "fe80::1"]],
		["the cloud metadata address", ["169.254.169.254"]],
	])("is suspended immediately without a connection: %s", async (_, addresses) => {
		const { as, organization, webhook, path, register, raised } = await givenFailing(world);
		const other = await register({ url: "https://fine.example/in" });
		await raiseQuietly(organization.id);
		await raiseQuietly(organization.id);
		world.names["dead.example"] = addresses;
		await attemptAt(webhook.id);
		expect(world.received).toEqual([]);
		expect(expectOk(await call(getWebhook, { as, path }))).toMatchObject({
			status: "SUSPENDED",
			suspension_reason: "PRIVATE_ADDRESS",
			failures_in_row: 0,
		});
		const rows = await deliveriesOf(webhook.id);
		expect(rows.map(({ status, attempts, nextAttemptAt }) => [status, attempts, nextAttemptAt])).toEqual([
			["PENDING", 0, null],
			["PENDING", 0, null],
		]);
		const logged = (await Promise.all(rows.map(({ id }) => attemptLog(id)))).flat();
		expect(logged[0]).toMatchObject({ number: null, outcome: "BLOCKED_ADDRESS", responseStatus: null, responseBody: null });
		expect(await raised("webhook.suspended")).toMatchObject([{ reason: "PRIVATE_ADDRESS" }]);
		expect((await endpoint(other.id)).status).toBe("ACTIVE");
		await attemptAt(other.id);
		expect(world.received).toHaveLength(2);
	});

	it("is not suspended for the address of a URL that was changed meanwhile, and gets the delivery at the new one", async () => {
		const { as, organization, webhook, path } = await givenFailing(world);
		await raiseQuietly(organization.id);
		world.names["dead.example"] = ["10.0.0.5"];
		world.resolving = async (name) => {
			if (name === "dead.example") expectOk(await call(updateWebhook, { as, path, body: { url: "https://moved.example/in" } }));
		};
		await attemptAt(webhook.id);
		expect(await endpoint(webhook.id)).toMatchObject({ status: "ACTIVE", url: "https://moved.example/in" });
		await attemptAt(webhook.id);
		expect(world.received.map(({ url }) => url)).toEqual(["https://moved.example/in"]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
	});

	it("gets the held deliveries once its name is public again and it is resumed", async () => {
		const { as, organization, webhook, path } = await givenFailing(world);
		await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		world.names["dead.example"] = ["10.0.0.5"];
		await attemptAt(webhook.id, 60_000);
		expect(await endpoint(webhook.id)).toMatchObject({ status: "SUSPENDED", suspensionReason: "PRIVATE_ADDRESS" });
		world.names["dead.example"] = ["1.1.1.1"];
		world.answer = () => new Response(null, { status: 204 });
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		await eventually(async () => expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 2 }));
		const { id } = await onlyDelivery(webhook.id);
		expect((await attemptLog(id)).map(({ number, outcome }) => [number, outcome])).toEqual([
			[1, "HTTP_ERROR"],
			[null, "BLOCKED_ADDRESS"],
			[2, "DELIVERED"],
		]);
	});

	it.each(["NXDOMAIN", "SERVFAIL", "TIMEOUT", []] as const)(
		"gets an ordinary failure when the name does not resolve: %s",
		async (answer) => {
			const { organization, webhook } = await givenFailing(world);
			await raiseQuietly(organization.id);
			world.names["dead.example"] = answer;
			await attemptAt(webhook.id);
			expect(world.received).toEqual([]);
			const { id, status, attempts, nextAttemptAt } = await onlyDelivery(webhook.id);
			expect({ status, attempts }).toEqual({ status: "PENDING", attempts: 1 });
			expect(nextAttemptAt).not.toBeNull();
			expect(await attemptLog(id)).toMatchObject([{ outcome: "CONNECTION_FAILED" }]);
			expect((await endpoint(webhook.id)).status).toBe("ACTIVE");
		},
	);

	it("is resolved before every attempt, both A and AAAA, without a cache", async () => {
		const { organization, webhook } = await givenFailing(world);
		world.lookups.length = 0;
		await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		await attemptAt(webhook.id, 60_000);
		expect(world.lookups.toSorted()).toEqual(["A dead.example", "A dead.example", "AAAA dead.example", "AAAA dead.example"]);
	});
});
