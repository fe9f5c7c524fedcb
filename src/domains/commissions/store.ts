// Finds agents' events, supervisions and models, and the conditions under which what was found still holds.

import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bare, bareList } from "../../db/columns";
import type { Orm, Statement } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { homeMessage } from "../../runtime/home-messages";
import { organizationMembers } from "../organizations/table";
import { users } from "../users/table";
import type { Penalty } from "./ingest.policy";
import type { ReportedEvent } from "./report.policy";
import { type Change, MAX_LEVELS, type Supervision } from "./supervision.policy";
import { agentEvents, agentSupervisions, agents, type CommissionModelRow, commissionModels } from "./table";
import { COMMISSION_TYPES } from "./tariff.policy";

const e = alias(agentEvents, "e");
const s = alias(agentSupervisions, "s");
const a = alias(agents, "a");
const b = alias(agents, "b");
const m = alias(commissionModels, "m");
const x = alias(agents, "x");
const u = alias(users, "u");
const o = alias(organizationMembers, "o");

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

const REPORTED = sql`${e.eventId} as eventId, ${e.eventType} as eventType, ${e.referenceId} as referenceId, ${e.amount} as amount,
	${e.description} as description, ${e.occurredAt} as occurredAt`;

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
			select ${REPORTED} from ${agentEvents} ${e}
			where ${e.organizationId} = ${organizationId} and ${e.agentUserId} = ${userId} and ${e.occurredAt} >= ${from} and ${e.occurredAt} < ${to}
			order by ${e.occurredAt}, ${e.eventId} limit ${MAX_LINES + 1}`),
	supervised: orm.all<ReportedEvent>(sql`
			select ${REPORTED} from ${agentSupervisions} ${s}
			cross join ${agentEvents} ${e} on ${e.organizationId} = ${s.organizationId} and ${e.agentUserId} = ${s.agentUserId}
				and ${e.occurredAt} >= max(${s.effectiveFrom}, ${from}) and ${e.occurredAt} < min(${s.effectiveTo}, ${to})
			where ${s.organizationId} = ${organizationId} and ${s.supervisorUserId} = ${userId}
				and ${s.effectiveTo} > ${from} and ${s.effectiveFrom} < ${to} and ${e.eventType} in (${commissionTypes})
			limit ${MAX_LINES + 1}`),
});

/** The currency of the agent, otherwise of an agent whom they have supervised; null if there is no event. */
const currencyOf = (organizationId: string, userId: string): SQL => sql`coalesce(
	(select ${a.currency} from ${agents} ${a} where ${a.organizationId} = ${organizationId} and ${a.userId} = ${userId}),
	(select ${a.currency} from ${agentSupervisions} ${s}
		cross join ${agents} ${a} on ${a.organizationId} = ${s.organizationId} and ${a.userId} = ${s.agentUserId}
		where ${s.organizationId} = ${organizationId} and ${s.supervisorUserId} = ${userId} limit 1))`;

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
					select max(${m.effectiveFrom}) from ${commissionModels} ${m} where ${m.currency} = ${currency} and ${m.effectiveFrom} <= ${from}), 0)`,
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
			select ${s.supervisorUserId}, above.level + 1 from above
			cross join ${agentSupervisions} ${s} on ${s.organizationId} = ${organizationId} and ${s.agentUserId} = above.user_id
				and ${s.effectiveFrom} <= ${at} and ${s.effectiveTo} > ${at}
			where above.level < ${MAX_LEVELS} and +${s.supervisorUserId} is not null)
		select exists (select 1 from above where level > 0 and user_id = ${by}) as above`);

/** Whether the organization knows the user: as an agent, as one of its own or as a member. */
export const findKnown = (orm: Orm, { organizationId, userId }: { organizationId: string; userId: string }) =>
	orm.all<{ known: 0 | 1 }>(sql`
		select exists (select 1 from ${agents} ${a} where ${a.organizationId} = ${organizationId} and ${a.userId} = ${userId})
			or exists (select 1 from ${users} ${u} where ${u.id} = ${userId} and ${u.homeOrganizationId} = ${organizationId})
			or exists (
				select 1 from ${organizationMembers} ${o}
				where ${o.organizationId} = ${organizationId} and ${o.userId} = ${userId} and ${o.removedAt} is null) as known`);

/* Events */

const listed = (values: readonly unknown[]): SQL => sql`json_each(${JSON.stringify(values)})`;

export const findFingerprints = (orm: Orm, organizationId: string, eventIds: readonly string[]) =>
	orm.all<{ eventId: string; fingerprint: string }>(sql`
		select ${e.eventId} as eventId, ${e.fingerprint} as fingerprint from ${listed(eventIds)} j
		cross join ${agentEvents} ${e} on ${e.organizationId} = ${organizationId} and ${e.eventId} = j.value`);

/** The most penalties that the reversals of one batch are matched with. */
const MAX_PENALTIES = 1_000;

/**
 * The penalties that these references name, by event id or by reference. SQLite would look for a reference among all events of the
 * organization, by the beginning of the primary key, so the index is named.
 */
export const findPenalties = (orm: Orm, organizationId: string, references: readonly string[]) => {
	const columns = sql`${e.eventId} as eventId, ${e.agentUserId} as agentUserId, ${e.referenceId} as referenceId, ${e.amount} as amount,
		${e.occurredAt} as occurredAt, ${e.reversed} as reversed`;
	return orm.all<Penalty>(sql`
		select * from (
			select ${columns} from ${listed(references)} j
			cross join ${agentEvents} ${e} on ${e.organizationId} = ${organizationId} and ${e.eventId} = j.value
			where ${e.eventType} = 'PENALTY'
			union
			select ${columns} from ${listed(references)} j
			cross join ${agentEvents} ${e} indexed by agent_events_penalties on ${e.organizationId} = ${organizationId} and ${e.referenceId} = j.value
			where ${e.eventType} = 'PENALTY')
		limit ${MAX_PENALTIES}`);
};

/** The currency of each of these agents; for one without events, those of their supervisors and of the agents that they supervise. */
const currenciesOf = (organizationId: string, users: SQL): SQL => sql`
	select ${a.userId} as user_id, ${a.currency} as currency from ${users} j
		cross join ${agents} ${a} on ${a.organizationId} = ${organizationId} and ${a.userId} = j.value
	union
	select ${s.agentUserId}, ${a.currency} from ${users} j
		cross join ${agentSupervisions} ${s} on ${s.organizationId} = ${organizationId} and ${s.agentUserId} = j.value
		cross join ${agents} ${a} on ${a.organizationId} = ${organizationId} and ${a.userId} = ${s.supervisorUserId}
	union
	select ${s.supervisorUserId}, ${a.currency} from ${users} j
		cross join ${agentSupervisions} ${s} on ${s.organizationId} = ${organizationId} and ${s.supervisorUserId} = j.value
		cross join ${agents} ${a} on ${a.organizationId} = ${organizationId} and ${a.userId} = ${s.agentUserId}
		where not exists (select 1 from ${agents} ${x} where ${x.organizationId} = ${organizationId} and ${x.userId} = j.value)`;

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
	const later = sql`${s.organizationId} = ${organizationId} and ${s.effectiveTo} > ${from}`;
	return sql`(
		with recursive
		up(user_id, level) as (
			select ${supervisor}, 0
			union
			select ${s.supervisorUserId}, up.level + 1 from up
			cross join ${agentSupervisions} ${s} on ${later} and ${s.agentUserId} = up.user_id
			where up.level <= ${MAX_LEVELS} and +${s.supervisorUserId} is not null),
		down(user_id, level) as (
			select ${agent}, 0
			union
			select ${s.agentUserId}, down.level + 1 from down
			cross join ${agentSupervisions} ${s} on ${later} and ${s.supervisorUserId} = down.user_id
			where down.level <= ${MAX_LEVELS})
		select coalesce(json_group_array(json_object('agent', f.${bare(s.agentUserId)}, 'supervisor', f.${bare(s.supervisorUserId)},
			'from', f.${bare(s.effectiveFrom)}, 'to', f.${bare(s.effectiveTo)})), '[]')
		from (
			select ${s}.* from ${agentSupervisions} ${s}
			where ${later} and ${s.agentUserId} in (select user_id from up union select user_id from down)
			order by ${s.agentUserId}, ${s.effectiveFrom}) f)`;
};

export const findSupervisionFacts = (orm: Orm, organizationId: string, change: Change) =>
	orm.all<{ facts: string }>(sql`select ${supervisionFacts(organizationId, change)} as facts`);

export const readSupervisions = (facts: string): Supervision[] => JSON.parse(facts) as Supervision[];

export const currenciesDiffer = (organizationId: string, { agent, supervisor }: Change): SQL => sql`exists (
	select 1 from ${agents} ${a} join ${agents} ${b} on ${b.organizationId} = ${a.organizationId}
	where ${a.organizationId} = ${organizationId} and ${a.userId} = ${agent} and ${b.userId} = ${supervisor} and ${a.currency} <> ${b.currency})`;

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
