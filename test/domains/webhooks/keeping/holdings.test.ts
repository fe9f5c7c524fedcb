// What removes deliveries of one organization counts off those and no others.

import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { removeArchived } from "../../../../src/domains/webhooks/keeping/archive.store";
import { finishedOf } from "../../../../src/domains/webhooks/keeping/purge.store";
import { deliveryHoldings, webhookDeliveries } from "../../../../src/events/table";
import { homeOf, uuidv7 } from "../../../../src/shared/ids";
import { DAY_MS } from "../../../../src/shared/time";
import { db, newId } from "../../../support/factories";
import { services } from "../../../support/webhooks";

const now = Date.now();
const OLD = now - 2 * DAY_MS;
let one: string;
let other: string;

beforeEach(() => {
	one = newId();
	other = newId(one);
});

type Row = Pick<typeof webhookDeliveries.$inferInsert, "status" | "createdAt" | "attemptPosition">;

const giveDelivery = async (organizationId: string, row: Row) => {
	const id = newId(organizationId);
	const about = { webhookId: newId(organizationId), eventId: newId(organizationId), eventType: "user.admitted" };
	await db.insert(webhookDeliveries).values({ id, organizationId, ...about, ...row });
	return id;
};

const giveReceipt = async (organizationId: string, createdAt: number) => {
	const short = (id: string) => sql`unhex(${id.replaceAll("-", "")})`;
	const [organization, webhook, event] = [short(organizationId), short(newId(organizationId)), short(newId(organizationId))];
	const there = (await services()).at(organizationId).db;
	await there.commit([
		there.orm.run(sql`
			insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
			values (${organization}, ${short(uuidv7(createdAt, homeOf(organizationId)))}, ${webhook}, ${event}, 'user.admitted', ${createdAt}, ${createdAt}, ${createdAt})`),
	]);
};

const hold = async (held: number) => {
	for (const organizationId of [one, other]) await db.insert(deliveryHoldings).values({ organizationId, held });
};
const held = async () => {
	const all = await db.select().from(deliveryHoldings);
	return [one, other].map((organizationId) => all.find((holding) => holding.organizationId === organizationId)?.held);
};

it("the finished ones of an organization leave the newer ones and those of others counted", async () => {
	for (const organizationId of [one, other])
		for (const createdAt of [OLD, now]) {
			for (const status of ["DELIVERED", "FAILED", "PENDING"] as const) await giveDelivery(organizationId, { status, createdAt });
			await giveReceipt(organizationId, createdAt);
		}
	await hold(8);
	const { db: there } = (await services()).at(one);
	for (const kind of finishedOf(there.orm, one, OLD, OLD)) await there.commit(kind(100));
	expect(await held()).toEqual([5, 8]);
});

it("a delivery that is sent again after it was written to the archive stays, and counts", async () => {
	const written = await giveDelivery(one, { status: "FAILED", createdAt: OLD, attemptPosition: 3 });
	const sentAgain = await giveDelivery(one, { status: "PENDING", createdAt: OLD, attemptPosition: 3 });
	const failedAgain = await giveDelivery(one, { status: "FAILED", createdAt: OLD, attemptPosition: 4 });
	await hold(3);
	const { db: there } = (await services()).at(one);
	const portion = [written, sentAgain, failedAgain].map((id) => ({ id, position: 3 }));
	await there.commit(removeArchived(there.orm, { organizationId: one, written: portion, before: now, eventsBefore: OLD }));
	expect(await held()).toEqual([2, 3]);
	const left = (await db.select().from(webhookDeliveries)).filter(({ organizationId }) => organizationId === one);
	expect(left.map(({ id }) => id).toSorted()).toEqual([sentAgain, failedAgain].toSorted());
});
