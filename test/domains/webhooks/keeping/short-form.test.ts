// Which deliveries get their short form as they arrive: those of an event that their first attempt delivers, and no others.

import { beforeEach, expect, it } from "vitest";
import { longId } from "../../../../src/db/short-ids";
import { endGrouped } from "../../../../src/domains/webhooks/deliveries/grouped-ends.store";
import { webhookReceipts } from "../../../../src/domains/webhooks/table";
import { webhookDeliveries } from "../../../../src/events/table";
import { db, newId } from "../../../support/factories";
import { fakeWorld, services } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

type Delivery = Partial<typeof webhookDeliveries.$inferInsert>;

it("the form of a delivery that has arrived follows from how it arrived", async () => {
	const organizationId = newId();
	const here = (await services()).at(organizationId);
	const names = new Map<string, string>();
	const give = async (name: string, delivery: Delivery = {}) => {
		const id = delivery.id ?? newId(organizationId);
		names.set(id, name);
		const about = { webhookId: newId(organizationId), eventId: newId(organizationId), eventType: "user.admitted" };
		await db.insert(webhookDeliveries).values({
			...{
				id,
				organizationId,
				...about,
				status: "PENDING",
				createdAt: Number.parseInt(id.replace("-", "").slice(0, 12), 16),
				nextAttemptAt: 1,
			},
			...{ claim: "the run", claimedUntil: 8_000_000_000_000, attempts: 1, roundAttempts: 1 },
			...{ attemptPosition: 1, attemptNumber: 1, attemptTrigger: "AUTOMATIC", attemptStartedAt: 1, ...delivery },
		});
	};
	await give("short");
	await give("of another run", { claim: "another run" });
	await give("after another attempt", { attemptPosition: 2 });
	await give("by hand", { attemptTrigger: "MANUAL" });
	await give("in another round", { round: 2 });
	await give("a test", { testData: "{}" });
	await give("made at another instant", { createdAt: 1 });
	await give("with a capital", { id: `${newId(organizationId).slice(0, -1)}A` });
	for (const column of ["organizationId", "webhookId", "eventId"] as const) await give(`without ${column}`, { [column]: "no UUID" });

	const ends = [...names.keys()].map((id) => ({
		attempt: {
			...{ id, claim: "the run", position: 1, roundAttempts: 1, roundInterrupted: 0, isTest: 0, organizationId },
			...{ webhookId: "", webhookName: "", entityId: null, isHolding: 0, cause: null, url: "" },
		},
		ended: { outcome: "DELIVERED" as const, durationMs: 1, responseStatus: 204, responseBody: null },
		after: { status: "DELIVERED" as const, nextAttemptAt: null },
		roundInterrupted: 0,
	}));
	await here.commit(endGrouped(here, ends));

	const rows = await db.select().from(webhookDeliveries);
	const short = await db.select({ id: longId(webhookReceipts.id).as("long") }).from(webhookReceipts);
	expect(short.map(({ id }) => names.get(id))).toEqual(["short"]);
	expect(rows.filter(({ status }) => status === "PENDING").map(({ id }) => names.get(id))).toEqual(["of another run"]);
	expect(rows).toHaveLength(names.size - 1);
});
