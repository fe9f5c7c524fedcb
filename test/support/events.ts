// Every event that a test raises is checked once the test has ended: its payload against the schema of its type, and that its
// `event_key` names no other event of the organization.

import { expect } from "vitest";
import { databases } from "./databases";
import { eventTypes } from "./domains";
import { unlessTableIsMissing, withRows } from "./storage";

type RaisedRow = { organization_id: string; event_key: string; event_type: string; category: string; data: string };

const RAISED = "select organization_id, event_key, event_type, category, data from webhook_events";

async function raisedIn(database: D1Database): Promise<RaisedRow[]> {
	const raised = database.prepare(RAISED);
	const looked = await withRows(database, raised).catch(unlessTableIsMissing);
	return (looked?.answers[0] ?? (await raised.all())).results as RaisedRow[];
}

/** Fails on a type that no domain declares, on a payload of another shape, on members that its schema does not name, and on a shared key. */
export async function expectSoundEvents(): Promise<void> {
	const results = (await Promise.all(databases.map(raisedIn))).flat();
	for (const row of results) {
		const eventType = eventTypes.get(row.event_type);
		if (!eventType) throw new Error(`No domain declares the event type ${row.event_type}`);
		expect(row.category).toBe(eventType.category);
		const data: unknown = JSON.parse(row.data);
		// Parsing drops the members that the schema does not name, at any depth.
		expect(eventType.data.parse(data)).toEqual(data);
	}
	const byKey = Map.groupBy(results, ({ organization_id, event_key }) => `${organization_id} ${event_key}`);
	const shared = [...byKey].filter(([, events]) => events.length > 1).map(([key]) => key);
	expect(shared, "events of an organization share a key").toEqual([]);
}
