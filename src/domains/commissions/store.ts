// Finds agents' events, supervisions and models, and the conditions under which what was found still holds.

import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { homeMessage } from "../../runtime/home-messages";
import type { Penalty } from "./ingest.policy";
import type { ReportedEvent } from "./report.policy";
import { type Change, MAX_LEVELS, type Supervision } from "./supervision.policy";
import { agentEvents, agentSupervisions, agents, type CommissionModelRow, commissionModels } from "./table";
import { COMMISSION_TYPES } from "./tariff.policy";

/** Models apply to all organizations, so every database has a copy. */
export const modelCopy = homeMessage<CommissionModelRow>({
	kind: "commission model",
	apply: ({ db }, row) => [db.orm.insert(commissionModels).values(row).onConflictDoNothing()],
});

export const findModelVersion = (orm: Orm, { modelId, currency, effectiveFrom }: CommissionModelRow) =>
	orm
		.select({ id: commissionModels.id })
		.from(commissionModels)
		.where(
			and(
				eq(commissionModels.modelId, modelId),
				eq(commissionModels.currency, currency),
				eq(commissionModels.effectiveFrom, effectiveFrom),
			),
		);

/** Stale if a concurrent request has stored another version with the same name, currency and start: `modelCopy` inserts nothing then. */
export const orModelIsThere = ({ id }: CommissionModelRow): SQL =>
	orStaleUnless(sql`exists (select 1 from ${commissionModels} where id = ${id})`);

/* Reports */

/** The most lines that a report may have. */
export const MAX_LINES = 10_000;

type Asked = { organizationId: string; userId: string; from: number; to: number };

const REPORTED = sql`e.event_id as eventId, e.event_type as eventType, e.reference_id as referenceId, e.amount as amount,
	e.description as description, e.occurred_at as occurredAt`;

const commissionTypes = sql.join(
	COMMISSION_TYPES.map((type) => sql`${type}`),
	sql`, `,
);

/**
 * The agent's events, and those of the agents whom they supervised directly when the events happened. Each finds one line more than
 * allowed, which shows that there are too many.
 */
export const findReported = (orm: Orm, { organizationId, userId, from, to }: Asked) =>
	[
		orm.all<ReportedEvent>(sql`
			select ${REPORTED} from ${agentEvents} e
			where e.organization_id = ${organizationId} and e.agent_user_id = ${userId} and e.occurred_at >= ${from} and e.occurred_at < ${to}
			order by e.occurred_at, e.event_id limit ${MAX_LINES + 1}`),
		orm.all<ReportedEvent>(sql`
			select ${REPORTED} from ${agentSupervisions} s
			cross join ${agentEvents} e on e.organization_id = s.organization_id and e.agent_user_id = s.agent_user_id
				and e.occurred_at >= max(s.effective_from, ${from}) and e.occurred_at < min(s.effective_to, ${to})
			where s.organization_id = ${organizationId} and s.supervisor_user_id = ${userId}
				and s.effective_to > ${from} and s.effective_from < ${to} and e.event_type in (${commissionTypes})
			limit ${MAX_LINES + 1}`),
	] as const;

/** The currency of the agent, otherwise of an agent whom they have supervised; null if there is no event. */
const currencyOf = (organizationId: string, userId: string): SQL => sql`coalesce(
	(select a.currency from ${agents} a where a.organization_id = ${organizationId} and a.user_id = ${userId}),
	(select a.currency from ${agentSupervisions} s
		cross join ${agents} a on a.organization_id = s.organization_id and a.user_id = s.agent_user_id
		where s.organization_id = ${organizationId} and s.supervisor_user_id = ${userId} limit 1))`;

export const findCurrency = (orm: Orm, { organizationId, userId }: Asked) =>
	orm.all<{ currency: string | null }>(sql`select ${currencyOf(organizationId, userId)} as currency`);

/** The versions of all models in the agent's currency that take effect within the period, and the one in effect at its start. */
export const findTariffs = (orm: Orm, { organizationId, userId, from, to }: Asked) => {
	const currency = currencyOf(organizationId, userId);
	return orm
		.select()
		.from(commissionModels)
		.where(
			sql`${commissionModels.currency} = ${currency} and ${commissionModels.effectiveFrom} < ${to}
				and ${commissionModels.effectiveFrom} >= coalesce((
					select max(m.effective_from) from ${commissionModels} m where m.currency = ${currency} and m.effective_from <= ${from}), 0)`,
		)
		.orderBy(asc(commissionModels.effectiveFrom), asc(commissionModels.createdAt));
};

/** All versions of one model in its currencies, for a what-if. */
export const findModel = (orm: Orm, modelId: string) =>
	orm
		.select()
		.from(commissionModels)
		.where(eq(commissionModels.modelId, modelId))
		.orderBy(asc(commissionModels.currency), asc(commissionModels.effectiveFrom));

/** Whether `by` supervises the agent at the instant, on any level. */
export const findSupervisor = (orm: Orm, organizationId: string, { userId, by, at }: { userId: string; by: string; at: number }) =>
	orm.all<{ above: 0 | 1 }>(sql`
		with recursive above(user_id, level) as (
			select ${userId}, 0
			union all
			select s.supervisor_user_id, above.level + 1 from above
			join ${agentSupervisions} s on s.organization_id = ${organizationId} and s.agent_user_id = above.user_id
				and s.effective_from <= ${at} and s.effective_to > ${at}
			where above.level < ${MAX_LEVELS} and s.supervisor_user_id is not null)
		select exists (select 1 from above where level > 0 and user_id = ${by}) as above`);

/* Events */

export const listed = (values: readonly unknown[]): SQL => sql`json_each(${JSON.stringify(values)})`;

export const findFingerprints = (orm: Orm, organizationId: string, eventIds: readonly string[]) =>
	orm.all<{ eventId: string; fingerprint: string }>(sql`
		select e.event_id as eventId, e.fingerprint as fingerprint from ${listed(eventIds)} j
		cross join ${agentEvents} e on e.organization_id = ${organizationId} and e.event_id = j.value`);

/** The most penalties that the reversals of one batch are matched with. */
const MAX_PENALTIES = 1_000;

/** The penalties that these references name, by event id or by reference. */
export const findPenalties = (orm: Orm, organizationId: string, references: readonly string[]) => {
	const columns = sql`e.event_id as eventId, e.agent_user_id as agentUserId, e.reference_id as referenceId, e.amount as amount,
		e.occurred_at as occurredAt, e.reversed as reversed`;
	return orm.all<Penalty>(sql`
		select * from (
			select ${columns} from ${listed(references)} j
			cross join ${agentEvents} e on e.organization_id = ${organizationId} and e.event_id = j.value
			where e.event_type = 'PENALTY'
			union
			select ${columns} from ${listed(references)} j
			cross join ${agentEvents} e on e.organization_id = ${organizationId} and e.reference_id = j.value
			where e.event_type = 'PENALTY')
		limit ${MAX_PENALTIES}`);
};

/** The currency of each of these agents; for one without events, those of their supervisors and of the agents that they supervise. */
export const currenciesOf = (organizationId: string, users: SQL): SQL => sql`
	select a.user_id, a.currency from ${users} j
		cross join ${agents} a on a.organization_id = ${organizationId} and a.user_id = j.value
	union
	select s.agent_user_id, a.currency from ${users} j
		cross join ${agentSupervisions} s on s.organization_id = ${organizationId} and s.agent_user_id = j.value
		cross join ${agents} a on a.organization_id = ${organizationId} and a.user_id = s.supervisor_user_id
	union
	select s.supervisor_user_id, a.currency from ${users} j
		cross join ${agentSupervisions} s on s.organization_id = ${organizationId} and s.supervisor_user_id = j.value
		cross join ${agents} a on a.organization_id = ${organizationId} and a.user_id = s.agent_user_id
		where not exists (select 1 from ${agents} x where x.organization_id = ${organizationId} and x.user_id = j.value)`;

export const findCurrencies = (orm: Orm, organizationId: string, users: readonly string[]) =>
	orm.all<{ userId: string; currency: string }>(
		sql`select c.user_id as userId, c.currency as currency from (${currenciesOf(organizationId, listed(users))}) c`,
	);

/* Supervisors */

/**
 * As JSON, the intervals that a change of supervisor must agree with: those of the agent, of everybody below the agent and of
 * everybody above the supervisor, from the change on. They include one level more than allowed, which shows that there are too many.
 */
export const supervisionFacts = (organizationId: string, { agent, supervisor, from }: Change): SQL => {
	const later = sql`s.organization_id = ${organizationId} and s.effective_to > ${from}`;
	return sql`(
		with recursive
		up(user_id, level) as (
			select ${supervisor}, 0
			union
			select s.supervisor_user_id, up.level + 1 from up
			join ${agentSupervisions} s on ${later} and s.agent_user_id = up.user_id
			where up.level <= ${MAX_LEVELS} and s.supervisor_user_id is not null),
		down(user_id, level) as (
			select ${agent}, 0
			union
			select s.agent_user_id, down.level + 1 from down
			join ${agentSupervisions} s on ${later} and s.supervisor_user_id = down.user_id
			where down.level <= ${MAX_LEVELS})
		select coalesce(json_group_array(json_object('agent', f.agent_user_id, 'supervisor', f.supervisor_user_id,
			'from', f.effective_from, 'to', f.effective_to)), '[]')
		from (
			select s.* from ${agentSupervisions} s
			where ${later} and s.agent_user_id in (select user_id from up union select user_id from down)
			order by s.agent_user_id, s.effective_from) f)`;
};

export const findSupervisionFacts = (orm: Orm, organizationId: string, change: Change) =>
	orm.all<{ facts: string }>(sql`select ${supervisionFacts(organizationId, change)} as facts`);

export const readSupervisions = (facts: string): Supervision[] => JSON.parse(facts) as Supervision[];

export const currenciesDiffer = (organizationId: string, { agent, supervisor }: Change): SQL => sql`exists (
	select 1 from ${agents} a join ${agents} b on b.organization_id = a.organization_id
	where a.organization_id = ${organizationId} and a.user_id = ${agent} and b.user_id = ${supervisor} and a.currency <> b.currency)`;

export const findCurrencyClash = (orm: Orm, organizationId: string, change: Change) =>
	orm.all<{ differ: 0 | 1 }>(sql`select ${currenciesDiffer(organizationId, change)} as differ`);
