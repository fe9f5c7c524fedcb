// The writes that record a batch of agents' events, and that give an agent another supervisor.

import { and, eq, gt, sql } from "drizzle-orm";
import { type Effect, effect, type Orm, type Write } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { insertAll } from "../../db/insert-all";
import { raiseAll } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { agentPenaltyRecorded } from "./events";
import type { Ingested } from "./ingest.policy";
import { currenciesDiffer, currenciesOf, listed, supervisionFacts } from "./store";
import { type Change, FOREVER, type Supervision } from "./supervision.policy";
import { type AgentEventRow, agentEvents, agentSupervisions, agents } from "./table";

/** Records a batch. Stale when another batch has recorded the same events, or has changed what this batch was judged by. */
export function recordEvents(services: Services, organizationId: string, batch: Extract<Ingested, { accepted: true }>): Write[] {
	const { db, now } = services;
	if (batch.fresh.length === 0) return [];
	const rows = batch.fresh.map((event): AgentEventRow => ({ ...event, organizationId, createdAt: now }));
	const paid = [...new Map(batch.fresh.map(({ agentUserId, currency }) => [agentUserId, { userId: agentUserId, currency }])).values()];
	const users = sql`(select value ->> 'userId' as value from ${listed(paid)})`;
	return [
		orStaleUnless(sql`not exists (
			select 1 from (${currenciesOf(organizationId, users)}) c cross join ${listed(paid)} p
			where p.value ->> 'userId' = c.user_id and p.value ->> 'currency' <> c.currency)`),
		db.orm.run(sql`
			insert into ${agents} (organization_id, user_id, currency, created_at)
			select ${organizationId}, value ->> 'userId', value ->> 'currency', ${now} from ${listed(paid)} where true
			on conflict do nothing`),
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
function reverse(orm: Orm, organizationId: string, reversals: readonly { eventId: string; amount: number }[]): Effect[] {
	if (reversals.length === 0) return [];
	const more = sql`(select r.value ->> 'amount' from ${listed(reversals)} r where r.value ->> 'eventId' = ${agentEvents.eventId})`;
	const named = sql`(select r.value ->> 'eventId' from ${listed(reversals)} r)`;
	const update = orm
		.update(agentEvents)
		.set({ reversed: sql`reversed + ${more}` })
		.where(sql`${agentEvents.organizationId} = ${organizationId} and ${agentEvents.eventId} in ${named} and reversed + ${more} <= amount`);
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
		...(ends
			? [
					guarded(
						db.orm
							.update(agentSupervisions)
							.set({ effectiveTo: effectiveFrom })
							.where(
								and(
									eq(agentSupervisions.organizationId, organizationId),
									eq(agentSupervisions.agentUserId, agentUserId),
									eq(agentSupervisions.effectiveFrom, ends.from),
									gt(agentSupervisions.effectiveTo, effectiveFrom),
								),
							),
					),
				]
			: []),
		db.orm
			.insert(agentSupervisions)
			.values({ organizationId, agentUserId, supervisorUserId, effectiveFrom, effectiveTo: FOREVER, createdAt: now }),
	];
}
