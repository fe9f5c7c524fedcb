// The writes that record a batch of agents' events, and that give an agent another supervisor.

import { sql } from "drizzle-orm";
import { type Effect, effect, type Orm, type Write } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { insertAll } from "../../db/insert-all";
import { raiseAll } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { agentPenaltyRecorded } from "./events";
import type { Ingested } from "./ingest.policy";
import { addReversals, currenciesDiffer, endSupervision, haveCurrencies, insertAgents, type Reversal, supervisionFacts } from "./store";
import { type Change, FOREVER, type Supervision } from "./supervision.policy";
import { type AgentEventRow, agentEvents, agentSupervisions } from "./table";

/** Records a batch. Stale when another batch has recorded the same events, or has changed what this batch was judged by. */
export function recordEvents(services: Services, organizationId: string, batch: Extract<Ingested, { accepted: true }>): Write[] {
	const { db, now } = services;
	if (batch.fresh.length === 0) return [];
	const rows = batch.fresh.map((event): AgentEventRow => ({ ...event, organizationId, createdAt: now }));
	const paid = [...new Map(batch.fresh.map(({ agentUserId, currency }) => [agentUserId, { userId: agentUserId, currency }])).values()];
	return [
		orStaleUnless(haveCurrencies(organizationId, paid)),
		insertAgents(db.orm, organizationId, paid, now),
		...insertAll(agentEvents, rows),
		...reverse(db.orm, organizationId, batch.reversals),
		raiseAll(services, agentPenaltyRecorded, {
			organizationId,
			events: rows
				.filter(({ eventType }) => eventType === "PENALTY")
				.map(({ eventId, agentUserId, amount, currency }) => ({
					entityId: eventId,
					data: { agent_user_id: agentUserId, event_id: eventId, amount, currency },
				})),
		}),
	];
}

/** Adds the reversals to their penalties in one statement. Stale if one would exceed the amount of its penalty. */
function reverse(orm: Orm, organizationId: string, reversals: readonly Reversal[]): Effect[] {
	if (reversals.length === 0) return [];
	const update = addReversals(orm, organizationId, reversals);
	return [effect([update, orStaleUnless(sql`changes() = ${reversals.length}`)], () => {})];
}

/** Gives an agent another supervisor. Stale when the intervals that the change was judged by have changed. */
export function changeSupervisor(
	{ db, now }: Services,
	organizationId: string,
	{ change, facts, ends }: { change: Change; facts: string; ends: Supervision | undefined },
): Write[] {
	const { agent: agentUserId, supervisor: supervisorUserId, from: effectiveFrom } = change;
	return [
		orStaleUnless(sql`${supervisionFacts(organizationId, change)} = ${facts}`),
		orStaleUnless(sql`not ${currenciesDiffer(organizationId, change)}`),
		...(ends ? [endSupervision(db.orm, organizationId, agentUserId, { from: ends.from, to: effectiveFrom })] : []),
		db.orm
			.insert(agentSupervisions)
			.values({ organizationId, agentUserId, supervisorUserId, effectiveFrom, effectiveTo: FOREVER, createdAt: now }),
	];
}
