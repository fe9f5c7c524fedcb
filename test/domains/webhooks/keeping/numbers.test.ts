// What the purge remembers of the events that it removes: the last number of those, and of no others.

import { beforeEach, expect, it } from "vitest";
import type { Statement } from "../../../../src/db/database";
import { userAdmitted } from "../../../../src/domains/users/model/events";
import { removeArchived } from "../../../../src/domains/webhooks/keeping/archive.store";
import {
	expiredDeliveries,
	FAILED_RETENTION_FACTOR,
	finishedOf,
	undeliveredArePurged,
	undeliveredEvents,
} from "../../../../src/domains/webhooks/keeping/purge.store";
import { eventPurges, webhookDeliveries, webhookEvents } from "../../../../src/events/table";
import { homeOf, uuidv7 } from "../../../../src/shared/ids";
import { DAY_MS } from "../../../../src/shared/time";
import { databaseOf, everyDatabase } from "../../../support/databases";
import { db, newId } from "../../../support/factories";
import { services } from "../../../support/webhooks";

const RETENTION_MS = 30 * DAY_MS;
const now = Date.now();
/** Past the retention of failed ones too. */
const OLD = now - (FAILED_RETENTION_FACTOR + 1) * RETENTION_MS;
let one: string;
let other: string;
let sequence: number;

beforeEach(() => {
	one = newId();
	other = newId(one);
	sequence = 0;
});

async function happen(organizationId: string, createdAt = OLD): Promise<string> {
	const id = newId(organizationId);
	const { type, category, example } = userAdmitted;
	const about = { eventType: type, category, eventKey: `${type}:${id}`, payloadVersion: 1, data: JSON.stringify(example) };
	await db.insert(webhookEvents).values({ id, organizationId, sequence: ++sequence, ...about, createdAt });
	return id;
}

type Given = { organizationId: string; eventId: string; createdAt?: number };

async function giveRow(
	{ organizationId, eventId, createdAt = OLD }: Given,
	status: "PENDING" | "DELIVERED" | "FAILED",
	attemptPosition = 1,
) {
	const id = newId(organizationId);
	const about = {
		organizationId,
		webhookId: newId(organizationId),
		eventId,
		eventType: "user.admitted",
		status,
		createdAt,
		attemptPosition,
	};
	await db.insert(webhookDeliveries).values({ id, ...about, ...(status === "FAILED" && { failedAt: createdAt }) });
	return id;
}

async function giveShort({ organizationId, eventId, createdAt = OLD }: Given) {
	const id = uuidv7(createdAt, homeOf(organizationId));
	await databaseOf(organizationId)
		.prepare(
			`insert into webhook_receipts (organization_id, id, webhook_id, event_id, event_type, created_at, delivered_at, started_at)
			values (unhex(replace(?1, '-', '')), unhex(replace(?2, '-', '')), unhex(replace(?3, '-', '')), unhex(replace(?4, '-', '')), 'user.admitted', ?5, ?5, ?5)`,
		)
		.bind(organizationId, id, newId(organizationId), eventId, createdAt)
		.run();
	return id;
}

/** First an old event for each form of a finished delivery; then such as stay, for each reason that there is. */
async function givenDeliveries(organizationId: string): Promise<void> {
	const forms = [(of: Given) => giveRow(of, "DELIVERED"), (of: Given) => giveRow(of, "FAILED"), giveShort];
	const given = async (createdAt?: number) => ({ organizationId, eventId: await happen(organizationId, createdAt) });
	for (const give of forms) await give(await given());
	for (const give of forms) {
		await give({ ...(await given()), createdAt: now });
		await give(await given(now));
		for (const again of [give, giveShort]) {
			const of = await given();
			await give(of);
			await again({ ...of, createdAt: now });
		}
		const of = await given();
		await give(of);
		await giveRow(of, "PENDING");
	}
	await giveRow(await given(), "PENDING");
	await given();
	await given(now);
}

/** Runs statements, and checks that the last number of what they have removed is remembered. Returns how many that were. */
async function remove(statements: readonly Statement[]): Promise<number> {
	const { db: there } = (await services()).at(one);
	const all = await db.select().from(webhookEvents);
	await everyDatabase.exec("delete from event_purges");
	await there.commit(statements);
	const left = new Set((await db.select().from(webhookEvents)).map(({ id }) => id));
	const gone = Map.groupBy(
		all.filter(({ id }) => !left.has(id)),
		({ organizationId }) => organizationId,
	);
	const last = [...gone].map(([organizationId, events]) => [organizationId, Math.max(...events.map((event) => event.sequence))]);
	const remembered = (await db.select().from(eventPurges)).map((purge) => [purge.organizationId, purge.sequence]);
	expect(remembered.toSorted()).toEqual(last.toSorted());
	return all.length - left.size;
}

it("by the deliveries of all organizations that are past their retention, and by events without one", async () => {
	for (const organizationId of [one, other]) await givenDeliveries(organizationId);
	const { db: there } = (await services()).at(one);
	const counts: number[] = [];
	for (const kind of expiredDeliveries(there.orm, now, RETENTION_MS).kinds) counts.push(await remove(kind(100)));
	counts.push(await remove(undeliveredEvents(there.orm, now - RETENTION_MS)(100)));
	expect(counts).toEqual([2, 2, 2, 2]);
});

it("by the finished deliveries of one organization", async () => {
	for (const organizationId of [one, other]) await givenDeliveries(organizationId);
	const { db: there } = (await services()).at(one);
	const counts: number[] = [];
	for (const kind of finishedOf(there.orm, one, OLD, OLD)) counts.push(await remove(kind(100)));
	expect(counts).toEqual([1, 1, 1]);
});

it("by the deliveries that are in the archive and have not been sent again", async () => {
	const of = async () => ({ organizationId: one, eventId: await happen(one) });
	const { db: there } = (await services()).at(one);
	const removed = (ids: readonly string[]) =>
		remove(
			removeArchived(there.orm, { organizationId: one, written: ids.map((id) => ({ id, position: 3 })), before: now, eventsBefore: OLD }),
		);
	const [alone, short] = [await giveRow(await of(), "DELIVERED", 3), await giveShort(await of())];
	const beside: string[] = [];
	for (const give of [(given: Given) => giveRow(given, "DELIVERED", 3), giveShort]) {
		for (const [status, position] of [
			["PENDING", 3],
			["FAILED", 4],
		] as const) {
			const given = await of();
			beside.push(await give(given), await giveRow(given, status, position));
		}
		const given = await of();
		beside.push(await give(given));
		await giveRow(given, "FAILED", 3);
	}
	await of();
	expect(await removed([alone, ...beside])).toBe(1);
	expect(await removed([short])).toBe(1);
});

it("and up to when no old event without a delivery is left, once a day", async () => {
	const before = now - RETENTION_MS;
	const [dealtWith, dealtWithToday] = [newId(one), newId(one)];
	const given = async (organizationId: string, createdAt?: number) => ({
		organizationId,
		eventId: await happen(organizationId, createdAt),
	});
	await giveRow(await given(one), "PENDING");
	await giveShort(await given(one));
	await given(one, now);
	await given(other);
	await given(dealtWith);
	await db.insert(eventPurges).values({ organizationId: dealtWith, purgedTo: OLD });
	await giveRow(await given(dealtWithToday), "PENDING");
	await db.insert(eventPurges).values({ organizationId: dealtWithToday, purgedTo: before - DAY_MS / 2 });
	const { db: there } = (await services()).at(one);
	await there.commit(undeliveredArePurged(there.orm, before)(1));
	const remembered = (await db.select().from(eventPurges)).map(({ organizationId, purgedTo }) => [organizationId, purgedTo]);
	expect(remembered.toSorted()).toEqual(
		[
			[one, before],
			[dealtWith, before],
			[dealtWithToday, before - DAY_MS / 2],
		].toSorted(),
	);
});
