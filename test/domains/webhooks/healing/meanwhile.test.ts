// What changes while an endpoint is probed, before the probe begins and before it ends.

import { like } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { healEndpoints } from "../../../../src/domains/webhooks/healing/job";
import { webhookAttempts, webhookRecoveries } from "../../../../src/domains/webhooks/table";
import { webhookEvents } from "../../../../src/events/table";
import { DAY_MS } from "../../../../src/shared/time";
import { everyDatabase } from "../../../support/databases";
import { db } from "../../../support/factories";
import { fakeWorld, givenWebhookOwner, quietQueue, raiseQuietly, services, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

const heal = async () => healEndpoints({ ...(await services()), queue: quietQueue });

/** Endpoints that failures have suspended, one for each of these changes, which are SQL on the endpoint `?1`; each has a delivery that FAILED. */
async function givenSuspended(changes: readonly string[]) {
	const { organization, register } = await givenWebhookOwner();
	const ids: string[] = [];
	for (const [index] of changes.entries()) ids.push((await register({ url: `https://${index}.example/in` })).id);
	await raiseQuietly(organization.id);
	await everyDatabase.exec(
		`update webhook_deliveries set status = 'FAILED', failed_at = created_at, next_attempt_at = null, attempts = 6, round_attempts = 6,
			attempt_position = 6, attempt_number = 6, attempt_trigger = 'AUTOMATIC', attempt_started_at = created_at, attempt_outcome = 'HTTP_ERROR'`.replaceAll(
			/\s+/g,
			" ",
		),
	);
	await everyDatabase.exec(
		"update webhook_endpoints set status = 'SUSPENDED', suspension_reason = 'TEN_FAILED_DELIVERIES', suspended_at = created_at, probe_at = 1",
	);
	/** Changes the endpoint at this host. */
	return async (host: string) => {
		const index = Number.parseInt(host, 10);
		await everyDatabase
			.prepare(changes[index] ?? "")
			.bind(ids[index])
			.run();
	};
}

it("a probe begins only if its delivery and its endpoint are still as they were", async () => {
	const change = await givenSuspended([
		"update webhook_deliveries set claim = 'another run', claimed_until = 8000000000000 where webhook_id = ?1",
		"update webhook_deliveries set status = 'DELIVERED', failed_at = null where webhook_id = ?1",
		`update webhook_endpoints set probe_at = ${Date.now() + DAY_MS} where id = ?1`,
		"update webhook_endpoints set status = 'ACTIVE' where id = ?1",
		"update webhook_endpoints set description = 'the same' where id = ?1",
	]);
	world.resolving = change;
	await heal();
	expect(new Set(world.received.map(({ url }) => url))).toEqual(new Set(["https://4.example/in"]));
	expect(await db.select().from(webhookAttempts)).toHaveLength(1);
});

const TAKEN = "update webhook_deliveries set claim = 'another run' where webhook_id = ?1";
const UNLESS_RESUMED = [
	"update webhook_endpoints set url = 'https://moved.example/in' where id = ?1",
	"update webhook_endpoints set suspension_reason = 'MANUAL' where id = ?1",
];
const CHANGES = [
	...UNLESS_RESUMED,
	"update webhook_endpoints set status = 'ACTIVE', suspension_reason = null, suspended_at = null where id = ?1",
];

it.each([
	[
		"that arrives",
		204,
		[
			...[TAKEN, ...CHANGES],
			"update webhook_signing_keys set revoked_at = 1 where webhook_id = ?1",
			"update webhook_signing_keys set expires_at = 8000000000000 where webhook_id = ?1",
		],
	],
	["that fails", 500, [TAKEN, ...CHANGES]],
	["that is answered by 410", 410, [TAKEN, ...UNLESS_RESUMED]],
])("the end of a probe %s says nothing of an endpoint that is not as it was", async (_, status, changes) => {
	const change = await givenSuspended(changes);
	world.answer = async ({ url }) => {
		await change(new URL(url).host);
		return new Response(null, { status });
	};
	await heal();
	expect(world.received).toHaveLength(changes.length);
	expect(await db.select().from(webhookEvents).where(like(webhookEvents.eventType, "webhook.%"))).toEqual([]);
	expect(await db.select().from(webhookRecoveries)).toEqual([]);
});

it("a name that leads to a private address says nothing of an endpoint that is not as it was", async () => {
	world.resolving = await givenSuspended(CHANGES);
	world.names = Object.fromEntries(CHANGES.map((_, index) => [`${index}.example`, ["10.0.0.1"]]));
	await heal();
	expect(world.lookups.length).toBeGreaterThan(0);
	expect(await db.select().from(webhookEvents).where(like(webhookEvents.eventType, "webhook.%"))).toEqual([]);
});
