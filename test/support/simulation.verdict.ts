// Checks the end of a simulation of webhooks.

import { expect } from "vitest";
import { webhookEvents } from "../../src/events/table";
import { allDeliveries } from "./all-deliveries";
import { everyDatabase } from "./databases";
import { db } from "./factories";

/** Expects that no older event of the same entity is still to arrive at the delivery's endpoint. */
export async function expectNoOlderOpen(deliveryId: string): Promise<void> {
	const older = await everyDatabase
		.prepare(`
			select o.id from webhook_deliveries d join webhook_events e on e.id = d.event_id
				join webhook_deliveries o on o.webhook_id = d.webhook_id and o.status = 'PENDING' join webhook_events p on p.id = o.event_id
			where d.id = ? and p.sequence < e.sequence
				and coalesce(p.data ->> 'account_id', p.data ->> 'user_id') = coalesce(e.data ->> 'account_id', e.data ->> 'user_id')`)
		.bind(deliveryId)
		.all();
	expect(older.results, `older deliveries than ${deliveryId} of its entity`).toEqual([]);
}

/** How a delivery has ended. */
type Ended = { id: string; eventId: string; webhookId: string; status: string; lastError: string | null };

/**
 * Expects one delivery of each event for each endpoint that must get it, and that it has arrived. One to a deleted endpoint must have ended, and a
 * failed one needs a reason.
 */
export async function expectDelivered(of: {
	endpoints: readonly { id: string; deleted: boolean }[];
	/** The types of the events that the simulation has raised. */
	types: readonly string[];
	/** The endpoints that must get each event. */
	audiences: ReadonlyMap<string, ReadonlySet<string>>;
	/** Those that may get it in addition. */
	missing: ReadonlyMap<string, ReadonlySet<string>>;
	/** How often each delivery was answered with a 2xx, and how often a crash prevented such an answer from being recorded. */
	accepted: ReadonlyMap<string, number>;
	forgotten: ReadonlyMap<string, number>;
	archived: readonly Ended[];
}): Promise<void> {
	const events = await db.select({ id: webhookEvents.id, type: webhookEvents.eventType }).from(webhookEvents);
	const deliveries: Ended[] = [...(await allDeliveries()), ...of.archived];
	expect(of.archived.length, "deliveries in the archive").toBeGreaterThan(0);
	const raised = events.filter(({ type }) => of.types.includes(type));
	expect(raised.map(({ id }) => id).sort()).toEqual([...of.audiences.keys()].sort());
	const made = Map.groupBy(deliveries, ({ eventId }) => eventId);
	for (const [id, audience] of of.audiences)
		expect(
			(made.get(id) ?? [])
				.map(({ webhookId }) => webhookId)
				.filter((webhookId) => audience.has(webhookId) || !of.missing.get(id)?.has(webhookId))
				.sort(),
			"exactly one delivery for each endpoint",
		).toEqual([...audience].sort());
	for (const row of deliveries) {
		const accepted = of.accepted.get(row.id) ?? 0;
		if (of.endpoints.find(({ id }) => id === row.webhookId)?.deleted)
			expect(["DELIVERED", "FAILED"], "the end of a delivery to a deleted endpoint").toContain(row.status);
		else expect(row.status, `delivery ${row.id} to an endpoint that answers again`).toBe("DELIVERED");
		if (row.status === "FAILED") expect(row.lastError, "the reason of a failure").toMatch(/\w/);
		if (row.status === "DELIVERED") expect(accepted, `delivery ${row.id} is DELIVERED`).toBeGreaterThan(0);
		// An accepted delivery is sent again only if a crash prevented its answer from being recorded.
		expect(accepted, `delivery ${row.id} was accepted`).toBeLessThanOrEqual(1 + (of.forgotten.get(row.id) ?? 0));
	}
}
