// Every event that a test raises is checked once the test has ended: its payload against the schema of its type, and that its
// `event_key` names no other event of the organization.

import { expect } from "vitest";
import { eventTypes } from "../../src/wiring/domains";
import { everyDatabase } from "./databases";

type RaisedRow = { event_type: string; category: string; data: string };

/** Fails on a type that no domain declares, on a payload of another shape, and on members that its schema does not name. */
export async function expectDocumentedEvents(): Promise<void> {
	const { results } = await everyDatabase.prepare("select distinct event_type, category, data from webhook_events").all<RaisedRow>();
	for (const row of results) {
		const eventType = eventTypes.get(row.event_type);
		if (!eventType) throw new Error(`No domain declares the event type ${row.event_type}`);
		expect(row.category).toBe(eventType.category);
		const data: unknown = JSON.parse(row.data);
		// Parsing drops the members that the schema does not name, at any depth.
		expect(eventType.data.parse(data)).toEqual(data);
	}
}

/** Fails when two events of an organization share a key. */
export async function expectUniqueKeys(): Promise<void> {
	const { results } = await everyDatabase
		.prepare("select event_key from webhook_events group by organization_id, event_key having count(*) > 1")
		.all();
	expect(results).toEqual([]);
}
