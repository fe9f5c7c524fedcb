// Which attempts are kept as their deliveries are claimed again: those of what is claimed, and of nothing else.

import { beforeEach, expect, it } from "vitest";
import { claim } from "../../../../src/domains/webhooks/deliveries/claim.procedure";
import { webhookAttempts } from "../../../../src/domains/webhooks/table";
import { webhookDeliveries, webhookEndpoints } from "../../../../src/events/table";
import { DAY_MS, HOUR_MS } from "../../../../src/shared/time";
import { databaseOf } from "../../../support/databases";
import { db, newId } from "../../../support/factories";
import { fakeWorld, services } from "../../../support/webhooks";

type Endpoint = Partial<typeof webhookEndpoints.$inferInsert>;
type Delivery = Partial<typeof webhookDeliveries.$inferInsert>;

const URL = "https://hooks.example/in";
const WAIT_MS = 2 * HOUR_MS;
const now = Date.now();
const ENTITY = "018f0000-0000-7000-8000-000000000000";

const running: Delivery = { claim: "another run", claimedUntil: now + DAY_MS };
const died: Delivery = { claim: "a run that died", claimedUntil: now - DAY_MS };
const fresh: Delivery = { attemptPosition: 0, attemptTrigger: null, attemptStartedAt: null };
const due = (msAgo: number): Delivery => ({ nextAttemptAt: now - msAgo });
/** Of an entity, in this place of its order. */
const nth = (eventSequence: number, more: Delivery = {}): Delivery => ({ entityId: ENTITY, eventSequence, ...more });
/** It waits for nothing but company. */
const company: Delivery = { attempts: 0, createdAt: now - HOUR_MS, nextAttemptAt: now - HOUR_MS + WAIT_MS };
const batches = (batchSize: number, more: Endpoint = {}): Endpoint => ({ batchSize, batchWaitMs: WAIT_MS, ...more });

let organizationId: string;
let names: Map<string, string>;
let targets: { id: string; webhookId: string; batchSize: number | null }[];

beforeEach(() => {
	fakeWorld();
	organizationId = newId();
	names = new Map();
	targets = [];
});

/** An endpoint with deliveries that have been attempted once and are due again. Those whose name begins with a tilde are not wanted; `held`: so many wait for a resume. */
async function give(endpoint: Endpoint, deliveries: Readonly<Record<string, Delivery>>, held = 0): Promise<void> {
	const webhookId = newId(organizationId);
	await db.insert(webhookEndpoints).values({
		...{ id: webhookId, organizationId, name: webhookId, url: URL, status: "ACTIVE", events: [], timeoutMs: 5_000 },
		...{ createdAt: now, updatedAt: now, ...endpoint },
	});
	for (const [name, delivery] of Object.entries(deliveries)) {
		const id = newId(organizationId);
		names.set(id, name);
		await db.insert(webhookDeliveries).values({
			...{ id, organizationId, webhookId, eventId: newId(organizationId), eventType: "user.admitted", status: "PENDING" },
			...{ attempts: 1, roundAttempts: 1, attemptPosition: 1, attemptNumber: 1, attemptTrigger: "AUTOMATIC", attemptStartedAt: 1 },
			...{ createdAt: now - DAY_MS, nextAttemptAt: now - 1_000, ...delivery },
		});
		if (!name.startsWith("~")) targets.push({ id, webhookId, batchSize: endpoint.batchSize ?? null });
	}
	await databaseOf(organizationId)
		.prepare(
			`insert into webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, created_at)
			with recursive n(n) as (select 1 union all select n + 1 from n where n < ?1) select ?3 || n, ?2, ?3, ?3 || n, 'user.admitted', 'PENDING', n from n where n <= ?1`,
		)
		.bind(held, organizationId, webhookId)
		.run();
}

const namesOf = (ids: readonly string[]) => ids.map((id) => names.get(id)?.replace("~", "")).toSorted();

it.each([
	["one by one", false, ["after one that failed", "due", "first", "next to one that died"]],
	[
		"in batches",
		true,
		[
			...["after one that failed", "due", "first", "next to one that died"],
			...["the first of a batch", "the second of a batch", "due in company", "the oldest in company", "the company"],
			...["a full batch", "that needs no company", "a request after one that died"],
		],
	],
] as const)("are those that are claimed, %s", async (_, inBatches, expected) => {
	await give({}, { due: {}, "not due": { nextAttemptAt: now + HOUR_MS }, "in flight": running, "never attempted": fresh });
	await give(
		{ ordering: "ENTITY" },
		{
			"~failed": nth(1, { status: "FAILED", nextAttemptAt: null }),
			"after one that failed": nth(2),
			"behind it": nth(3),
			"~of another entity": nth(0, { entityId: organizationId, nextAttemptAt: now + HOUR_MS }),
		},
	);
	await give({ ordering: "ENTITY" }, { "~elsewhere": nth(0, { nextAttemptAt: now + DAY_MS }) });
	await give({ status: "SUSPENDED" }, { suspended: {} });
	await give({ url: "https://moved.example/in" }, { "at another address": {} });
	await give({ maxInFlight: 1 }, { "~has the place": { ...running, ...due(9_000) }, "has no place": {} }, 100);
	await give({ maxInFlight: 1 }, { "~died": { ...died, ...due(9_000) }, "next to one that died": {} });
	await give({ maxInFlight: 1 }, { first: due(2_000), second: due(1_000) });

	await give(batches(2), { "the first of a batch": due(3_000), "~the second of a batch": due(2_000), "~beyond the batch": due(1_000) });
	await give(batches(3, { ordering: "ENTITY" }), {
		"due in company": due(4_000),
		"~failed before": nth(1, { status: "FAILED", nextAttemptAt: null }),
		"~the oldest in company": nth(2, due(3_000)),
		"~behind in company": nth(3, due(2_000)),
		"~of another entity there": nth(0, { entityId: organizationId, nextAttemptAt: now + HOUR_MS }),
		"~a retry": { nextAttemptAt: now + HOUR_MS },
		"in flight elsewhere": { ...running, ...due(5_000) },
		"~the company": company,
	});
	await give(batches(2), { "a full batch": due(2_000), "that needs no company": due(1_000), "~no": company, "~nor this": company });
	await give(batches(2, { maxInFlight: 1 }), { "~takes the place": { ...running, ...due(9_000) }, "has none": {} }, 1_000);
	await give(batches(2, { maxInFlight: 1 }), { "~dead": { ...died, ...due(9_000) }, "a request after one that died": {} }, 1_000);

	const here = (await services()).at(organizationId);
	const wanted = inBatches ? targets : targets.map(({ id, webhookId }) => ({ id, webhookId }));
	const { claimed } = await claim(here, { targets: wanted, urls: [URL], most: 1_000 });
	expect(namesOf(claimed.map(({ id }) => id))).toEqual([...expected, "never attempted"].toSorted());
	const kept = await db.select({ id: webhookAttempts.deliveryId }).from(webhookAttempts);
	expect(namesOf(kept.map(({ id }) => id))).toEqual([...expected].toSorted());
});
