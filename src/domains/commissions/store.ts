// Finds agents' events, supervisions and models, and the conditions under which what was found still holds.

import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bare, bareList } from "../../db/columns";
import type { Orm, Statement } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { homeMessage } from "../../runtime/home-messages";
import { organizationMembers } from "../organizations/table";
import { users } from "../users/model/table";
import type { Penalty } from "./ingest.policy";
import type { ReportedEvent } from "./report.policy";
import { type Change, MAX_LEVELS, type Supervision } from "./supervision.policy";
import { agentEvents, agentSupervisions, agents, type CommissionModelRow, commissionModels } from "./table";
import { COMMISSION_TYPES } from "./tariff.policy";

const agentEvent = alias(agentEvents, "agent_event");
const agentSupervision = alias(agentSupervisions, "agent_supervision");
const eachAgent = alias(agents, "agent");
const supervising = alias(agents, "supervising");
const commissionModel = alias(commissionModels, "commission_model");
const otherAgent = alias(agents, "other_agent");
const user = alias(users, "user");
const member = alias(organizationMembers, "member");

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
	orStaleUnless(sql`exists (select 1 from ${commissionModels} where ${commissionModels.id} = ${id})`);

/* Reports */

/** The most lines that a report may have. */
export const MAX_LINES = 10_000;

type Asked = { organizationId: string; userId: string; from: number; to: number };

const REPORTED = sql`${agentEvent.eventId} as eventId, ${agentEvent.eventType} as eventType, ${agentEvent.referenceId} as referenceId, ${agentEvent.amount} as amount,
	${agentEvent.description} as description, ${agentEvent.occurredAt} as occurredAt`;

const commissionTypes = sql.join(
	COMMISSION_TYPES.map((type) => sql`${type}`),
	sql`, `,
);

/**
 * The agent's events, and those of the agents whom they supervised directly when the events happened. Each finds one line more than
 * allowed, which shows that there are too many.
 */
export const findReported = (orm: Orm, { organizationId, userId, from, to }: Asked) => ({
	own: orm.all<ReportedEvent>(sql`
			select ${REPORTED} from ${agentEvents} ${agentEvent}
			where ${agentEvent.organizationId} = ${organizationId} and ${agentEvent.agentUserId} = ${userId} and ${agentEvent.occurredAt} >= ${from} and ${agentEvent.occurredAt} < ${to}
			order by ${agentEvent.occurredAt}, ${agentEvent.eventId} limit ${MAX_LINES + 1}`),
	supervised: orm.all<ReportedEvent>(sql`
			select ${REPORTED} from ${agentSupervisions} ${agentSupervision}
			cross join ${agentEvents} ${agentEvent} on ${agentEvent.organizationId} = ${agentSupervision.organizationId} and ${agentEvent.agentUserId} = ${agentSupervision.agentUserId}
				and ${agentEvent.occurredAt} >= max(${agentSupervision.effectiveFrom}, ${from}) and ${agentEvent.occurredAt} < min(${agentSupervision.effectiveTo}, ${to})
			where ${agentSupervision.organizationId} = ${organizationId} and ${agentSupervision.supervisorUserId} = ${userId}
				and ${agentSupervision.effectiveTo} > ${from} and ${agentSupervision.effectiveFrom} < ${to} and ${agentEvent.eventType} in (${commissionTypes})
			limit ${MAX_LINES + 1}`),
});

/** The currency of the agent, otherwise of an agent whom they have supervised; null if there is no event. */
const currencyOf = (organizationId: string, userId: string): SQL => sql`coalesce(
	(select ${eachAgent.currency} from ${agents} ${eachAgent} where ${eachAgent.organizationId} = ${organizationId} and ${eachAgent.userId} = ${userId}),
	(select ${eachAgent.currency} from ${agentSupervisions} ${agentSupervision}
		cross join ${agents} ${eachAgent} on ${eachAgent.organizationId} = ${agentSupervision.organizationId} and ${eachAgent.userId} = ${agentSupervision.agentUserId}
		where ${agentSupervision.organizationId} = ${organizationId} and ${agentSupervision.supervisorUserId} = ${userId} limit 1))`;

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
					select max(${commissionModel.effectiveFrom}) from ${commissionModels} ${commissionModel} where ${commissionModel.currency} = ${currency} and ${commissionModel.effectiveFrom} <= ${from}), 0)`,
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
			select ${agentSupervision.supervisorUserId}, above.level + 1 from above
			cross join ${agentSupervisions} ${agentSupervision} on ${agentSupervision.organizationId} = ${organizationId} and ${agentSupervision.agentUserId} = above.user_id
				and ${agentSupervision.effectiveFrom} <= ${at} and ${agentSupervision.effectiveTo} > ${at}
			where above.level < ${MAX_LEVELS} and +${agentSupervision.supervisorUserId} is not null)
		select exists (select 1 from above where level > 0 and user_id = ${by}) as above`);

/** Whether the organization knows the user: as an agent, as one of its own or as a member. */
export const findKnown = (orm: Orm, { organizationId, userId }: { organizationId: string; userId: string }) =>
	orm.all<{ known: 0 | 1 }>(sql`
		select exists (select 1 from ${agents} ${eachAgent} where ${eachAgent.organizationId} = ${organizationId} and ${eachAgent.userId} = ${userId})
			or exists (select 1 from ${users} ${user} where ${user.id} = ${userId} and ${user.homeOrganizationId} = ${organizationId})
			or exists (
				select 1 from ${organizationMembers} ${member}
				where ${member.organizationId} = ${organizationId} and ${member.userId} = ${userId} and ${member.removedAt} is null) as known`);

/* Events */

const listed = (values: readonly unknown[]): SQL => sql`json_each(${JSON.stringify(values)})`;

export const findFingerprints = (orm: Orm, organizationId: string, eventIds: readonly string[]) =>
	orm.all<{ eventId: string; fingerprint: string }>(sql`
		select ${agentEvent.eventId} as eventId, ${agentEvent.fingerprint} as fingerprint from ${listed(eventIds)} j
		cross join ${agentEvents} ${agentEvent} on ${agentEvent.organizationId} = ${organizationId} and ${agentEvent.eventId} = j.value`);

/** The most penalties that the reversals of one batch are matched with. */
const MAX_PENALTIES = 1_000;

/**
 * The penalties that these references name, by event id or by reference. SQLite would look for a reference among all events of the
 * organization, by the beginning of the primary key, so the index is named.
 */
export const findPenalties = (orm: Orm, organizationId: string, references: readonly string[]) => {
	const columns = sql`${agentEvent.eventId} as eventId, ${agentEvent.agentUserId} as agentUserId, ${agentEvent.referenceId} as referenceId, ${agentEvent.amount} as amount,
		${agentEvent.occurredAt} as occurredAt, ${agentEvent.reversed} as reversed`;
	return orm.all<Penalty>(sql`
		select * from (
			select ${columns} from ${listed(references)} j
			cross join ${agentEvents} ${agentEvent} on ${agentEvent.organizationId} = ${organizationId} and ${agentEvent.eventId} = j.value
			where ${agentEvent.eventType} = 'PENALTY'
			union
			select ${columns} from ${listed(references)} j
			cross join ${agentEvents} ${agentEvent} indexed by agent_events_penalties on ${agentEvent.organizationId} = ${organizationId} and ${agentEvent.referenceId} = j.value
			where ${agentEvent.eventType} = 'PENALTY')
		limit ${MAX_PENALTIES}`);
};

/** The currency of each of these agents; for one without events, those of their supervisors and of the agents that they supervise. */
const currenciesOf = (organizationId: string, users: SQL): SQL => sql`
	select ${eachAgent.userId} as user_id, ${eachAgent.currency} as currency from ${users} j
		cross join ${agents} ${eachAgent} on ${eachAgent.organizationId} = ${organizationId} and ${eachAgent.userId} = j.value
	union
	select ${agentSupervision.agentUserId}, ${eachAgent.currency} from ${users} j
		cross join ${agentSupervisions} ${agentSupervision} on ${agentSupervision.organizationId} = ${organizationId} and ${agentSupervision.agentUserId} = j.value
		cross join ${agents} ${eachAgent} on ${eachAgent.organizationId} = ${organizationId} and ${eachAgent.userId} = ${agentSupervision.supervisorUserId}
	union
	select ${agentSupervision.supervisorUserId}, ${eachAgent.currency} from ${users} j
		cross join ${agentSupervisions} ${agentSupervision} on ${agentSupervision.organizationId} = ${organizationId} and ${agentSupervision.supervisorUserId} = j.value
		cross join ${agents} ${eachAgent} on ${eachAgent.organizationId} = ${organizationId} and ${eachAgent.userId} = ${agentSupervision.agentUserId}
		where not exists (select 1 from ${agents} ${otherAgent} where ${otherAgent.organizationId} = ${organizationId} and ${otherAgent.userId} = j.value)`;

export const findCurrencies = (orm: Orm, organizationId: string, users: readonly string[]) =>
	orm.all<{ userId: string; currency: string }>(
		sql`select c.user_id as userId, c.currency as currency from (${currenciesOf(organizationId, listed(users))}) c`,
	);

type Paid = { readonly userId: string; readonly currency: string };

/** Whether no agent has, or is supervised in, another currency than these. */
export const haveCurrencies = (organizationId: string, paid: readonly Paid[]): SQL => {
	const named = sql`(select value ->> 'userId' as value from ${listed(paid)})`;
	return sql`not exists (
		select 1 from (${currenciesOf(organizationId, named)}) c cross join ${listed(paid)} p
		where p.value ->> 'userId' = c.user_id and p.value ->> 'currency' <> c.currency)`;
};

/** Records agents with the currencies of their first events. */
export const insertAgents = (orm: Orm, organizationId: string, paid: readonly Paid[], now: number): Statement =>
	orm.run(sql`
		insert into ${agents} (${bareList(agents.organizationId, agents.userId, agents.currency, agents.createdAt)})
		select ${organizationId}, value ->> 'userId', value ->> 'currency', ${now} from ${listed(paid)} where true
		on conflict do nothing`);

export type Reversal = { readonly eventId: string; readonly amount: number };

/** Adds reversals to their penalties, but for those that would exceed the amount of their penalty. */
export const addReversals = (orm: Orm, organizationId: string, reversals: readonly Reversal[]) => {
	const { eventId, reversed, amount } = agentEvents;
	const more = sql`(select r.value ->> 'amount' from ${listed(reversals)} r where r.value ->> 'eventId' = ${eventId})`;
	const named = sql`(select r.value ->> 'eventId' from ${listed(reversals)} r)`;
	return orm
		.update(agentEvents)
		.set({ reversed: sql`${reversed} + ${more}` })
		.where(sql`${agentEvents.organizationId} = ${organizationId} and ${eventId} in ${named} and ${reversed} + ${more} <= ${amount}`);
};

/* Supervisors */

/*
 * An agent's supervisors are searched by the agent, in the primary key. SQLite would take the index of supervisors, in which those that
 * have one are all of the organization: the joins are CROSS, and the plus keeps the condition from that index.
 */

/**
 * As JSON, the intervals that a change of supervisor must agree with: those of the agent, of everybody below the agent and of
 * everybody above the supervisor, from the change on. They include one level more than allowed, which shows that there are too many.
 */
export const supervisionFacts = (organizationId: string, { agent, supervisor, from }: Change): SQL => {
	const later = sql`${agentSupervision.organizationId} = ${organizationId} and ${agentSupervision.effectiveTo} > ${from}`;
	return sql`(
		with recursive
		up(user_id, level) as (
			select ${supervisor}, 0
			union
			select ${agentSupervision.supervisorUserId}, up.level + 1 from up
			cross join ${agentSupervisions} ${agentSupervision} on ${later} and ${agentSupervision.agentUserId} = up.user_id
			where up.level <= ${MAX_LEVELS} and +${agentSupervision.supervisorUserId} is not null),
		down(user_id, level) as (
			select ${agent}, 0
			union
			select ${agentSupervision.agentUserId}, down.level + 1 from down
			cross join ${agentSupervisions} ${agentSupervision} on ${later} and ${agentSupervision.supervisorUserId} = down.user_id
			where down.level <= ${MAX_LEVELS})
		select coalesce(json_group_array(json_object('agent', f.${bare(agentSupervision.agentUserId)}, 'supervisor', f.${bare(agentSupervision.supervisorUserId)},
			'from', f.${bare(agentSupervision.effectiveFrom)}, 'to', f.${bare(agentSupervision.effectiveTo)})), '[]')
		from (
			select ${agentSupervision}.* from ${agentSupervisions} ${agentSupervision}
			where ${later} and ${agentSupervision.agentUserId} in (select user_id from up union select user_id from down)
			order by ${agentSupervision.agentUserId}, ${agentSupervision.effectiveFrom}) f)`;
};

export const findSupervisionFacts = (orm: Orm, organizationId: string, change: Change) =>
	orm.all<{ facts: string }>(sql`select ${supervisionFacts(organizationId, change)} as facts`);

export const readSupervisions = (facts: string): Supervision[] => JSON.parse(facts) as Supervision[];

export const currenciesDiffer = (organizationId: string, { agent, supervisor }: Change): SQL => sql`exists (
	select 1 from ${agents} ${eachAgent} join ${agents} ${supervising} on ${supervising.organizationId} = ${eachAgent.organizationId}
	where ${eachAgent.organizationId} = ${organizationId} and ${eachAgent.userId} = ${agent} and ${supervising.userId} = ${supervisor} and ${eachAgent.currency} <> ${supervising.currency})`;

export const findCurrencyClash = (orm: Orm, organizationId: string, change: Change) =>
	orm.all<{ differ: 0 | 1 }>(sql`select ${currenciesDiffer(organizationId, change)} as differ`);

/** Ends the agent's supervision that began at `from`. */
export const endSupervision = (
	orm: Orm,
	organizationId: string,
	agentUserId: string,
	{ from, to }: { from: number; to: number },
): Statement =>
	orm
		.update(agentSupervisions)
		.set({ effectiveTo: to })
		.where(
			and(
				eq(agentSupervisions.organizationId, organizationId),
				eq(agentSupervisions.agentUserId, agentUserId),
				eq(agentSupervisions.effectiveFrom, from),
			),
		);
