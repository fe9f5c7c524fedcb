// What the end of an attempt says about its endpoint, if neither has changed since it began.

import { like } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import type { Ended } from "../../../../src/domains/webhooks/attempts/end.policy";
import { endAttempts } from "../../../../src/domains/webhooks/deliveries/attempt.store";
import { webhookEvents } from "../../../../src/events/table";
import { everyDatabase } from "../../../support/databases";
import { db } from "../../../support/factories";
import {
	claimOnly,
	deliveriesOf,
	fakeWorld,
	givenWebhookOwner,
	lastAttempts,
	quietQueue,
	raiseQuietly,
	services,
} from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

const none = { durationMs: null, responseStatus: null, responseBody: null };
const failed: Ended = { ...none, outcome: "HTTP_ERROR", responseStatus: 500 };
const gone: Ended = { ...none, outcome: "HTTP_ERROR", responseStatus: 410 };
const blocked: Ended = { ...none, outcome: "BLOCKED_ADDRESS" };

const MOVED = [
	"update webhook_deliveries set claim = 'another run' where claim is not null",
	"update webhook_endpoints set status = 'SUSPENDED'",
	"update webhook_endpoints set url = 'https://moved.example/in'",
];
const COUNTED_ANEW = "update webhook_endpoints set failures_in_row = 1";
const NOTHING = "update webhook_endpoints set description = 'the same'";

it.each([
	["the fifth failure", 4, failed, [...MOVED, COUNTED_ANEW], "webhook.failing"],
	["the tenth failure", 9, failed, [...MOVED, COUNTED_ANEW], "webhook.suspended"],
	["an answer of 410", 0, gone, MOVED, "webhook.suspended"],
	["a private address", 0, blocked, MOVED, "webhook.suspended"],
] as const)("%s is reported once, and not where something has changed", async (_, failures, ended, changes, type) => {
	const { organization, register } = await givenWebhookOwner();
	const { id, url } = await register();
	const here = { ...(await services()), queue: quietQueue }.at(id);
	const told = async () =>
		(await db.select().from(webhookEvents).where(like(webhookEvents.eventType, "webhook.%"))).map((event) => event.eventType);
	const endBeside = async (change: string) => {
		await everyDatabase.exec(`update webhook_endpoints set status = 'ACTIVE', url = '${url}', failures_in_row = ${failures}`);
		await raiseQuietly(organization.id);
		await lastAttempts(id);
		const delivery = (await deliveriesOf(id)).find(({ status, claimedUntil }) => status === "PENDING" && claimedUntil === null);
		const [claimed] = await claimOnly(delivery ?? { id: "", webhookId: id });
		if (!claimed) throw new Error("expected a claim");
		await everyDatabase.exec(change);
		await here.commit(endAttempts(here, [[claimed, ended]]));
	};
	for (const change of changes) await endBeside(change);
	expect(await told()).toEqual([]);
	await everyDatabase.exec("update webhook_deliveries set claimed_until = null, claim = null, next_attempt_at = null");
	await endBeside(NOTHING);
	expect(await told()).toEqual([type]);
});
