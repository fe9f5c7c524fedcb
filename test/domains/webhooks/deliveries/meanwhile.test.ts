// What is raised between a run's read of what is due and its claim.

import { beforeEach, describe, expect, it } from "vitest";
import { DeliveryRun } from "../../../../src/domains/webhooks/deliveries/engine.job";
import { Connections } from "../../../../src/runtime/connections";
import type { JobServices } from "../../../../src/runtime/services";
import { allDeliveries } from "../../../support/all-deliveries";
import { metered } from "../../../support/metering";
import { fakeWorld, givenWebhookOwner, raiseQuietly, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** As many as a deployed consumer has connections. */
const SENT = 4;

const deployed = (made: JobServices): JobServices => ({
	...made,
	config: { ...made.config, WEBHOOK_PACE: "deployed" as const },
	connections: new Connections({ ENVIRONMENT: "local", WEBHOOK_PACE: "deployed" }),
});

describe("what is raised while the endpoint's name is looked up", () => {
	it.each([
		["deployed", deployed],
		["local", (made: JobServices) => made],
	] as const)("is sent without waiting for the answer to the first attempt: %s", async (_, profile) => {
		const { organization, register } = await givenWebhookOwner();
		const { id } = await register({ url: "https://hooks.example/in" });
		await raiseQuietly(organization.id);
		let raised = 1;
		world.resolving = async () => {
			while (raised++ < SENT) await raiseQuietly(organization.id);
		};
		const all = Promise.withResolvers<void>();
		let waitedInVain = false;
		// Nobody is answered before all have been sent.
		world.answer = async () => {
			if (world.received.length === SENT) all.resolve();
			const late = scheduler.wait(4_000).then(() => world.received.length < SENT);
			waitedInVain ||= await Promise.race([all.promise.then(() => false), late]);
			return new Response(null, { status: 204 });
		};
		const { services } = await metered(organization.id);
		const run = new DeliveryRun(profile(services.at(organization.id)));
		await run.start([id]);
		await run.ended();
		expect(waitedInVain).toBe(false);
		expect((await allDeliveries()).map(({ status, attempts }) => [status, attempts])).toEqual(Array(SENT).fill(["DELIVERED", 1]));
	});
});
