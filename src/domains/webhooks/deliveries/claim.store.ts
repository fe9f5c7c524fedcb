// Which deliveries may be attempted, and their claims. A delivery is claimed before it is attempted, so that a crash leaves a trace. The
// claim alone holds `max_in_flight` and `rate_limit`, because it is the one place that all consumers and sweeps go through.

import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList } from "../../../db/columns";
import type { Statement } from "../../../db/database";
import { ALWAYS, prebuilt } from "../../../db/prebuilt";
import { backlog, longestDue } from "../../../events/backlog";
import { BEHIND, isBehind, lastFailedBefore } from "../../../events/ordering";
import { laneOfEndpoint } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Lane } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import type { Begun } from "../attempts/end.policy";
import { failDeliveries } from "../endpoints/store";
import { isActive } from "../signing/store";
import { webhookAttempts, webhookSigningKeys } from "../table";
import { GRACE_MS } from "../wake.store";
import { bodyOf } from "./store";

const d = alias(webhookDeliveries, "d");
const f = alias(webhookDeliveries, "f");
const h = alias(webhookDeliveries, "h");
const o = alias(webhookDeliveries, "o");
const w = alias(webhookEndpoints, "w");

/** How much longer than the endpoint's timeout a claim is valid: time for the commit after the request. */
export const LEASE_MARGIN_MS = 10_000;

/** Attempts of a delivery that are kept, the last one included; a manual retry a minute would otherwise fill the log without end. */
const KEPT_ATTEMPTS = 100;

/** A delivery that is due, and where it would be sent. */
export type Target = {
	id: string;
	organizationId: string;
	webhookId: string;
	url: string;
	lane: Lane;
	/** 1 when it is in the order of its entity. */
	isOrdered: number;
};

/** An attempt that this run claimed, with everything it needs to make it. */
export type Claimed = Begun & {
	eventType: string;
	body: string;
	timeoutMs: number;
	sealedHeaders: string | null;
	/** 1 when the endpoint was known to be slow as the attempt was claimed. */
	isSlow: number;
	/** The last delivery of its entity before it that FAILED, where the endpoint asks for order. */
	afterFailed: string | null;
	/** Active keys, newest first. */
	keys: readonly { id: string; sealedSecret: string; expiresAt: number | null }[];
};

/**
 * A delivery that could not be claimed although it is due: its endpoint has another URL by now, or has used up its rate, which permits
 * more in `waitMs`, or as many were claimed as the run has room for. Those beyond `max_in_flight` are not among them: the end of an attempt
 * takes the next.
 */
export type Left = Target & { waitMs: number };

/** What a claim must know of a delivery. */
export type Claimable = Pick<Target, "id" | "webhookId"> & Partial<Pick<Target, "isOrdered">>;

const listed = (json: string | Placeholder) => sql`(select value from json_each(${json}))`;
const idsIn = (ids: readonly string[]) => listed(JSON.stringify(ids));

/**
 * Of an endpoint's deliveries, only these many that have been due for the longest time are claimed: twice as many as may be in flight
 * there. So those in flight are among them, and a claim can count them without an index of its own, which would cost every delivery a row.
 */
const WINDOW = 100;

const windowOf = (webhookId: SQL, by?: number | SQL) => sql`(
	select ${o.id} from ${webhookDeliveries} ${o} where ${o.webhookId} = ${webhookId}
		and ${by === undefined ? sql`${o.nextAttemptAt} is not null` : sql`${o.nextAttemptAt} <= ${by}`}
	order by ${o.nextAttemptAt} limit ${WINDOW})`;

const targetColumns = sql`${d.organizationId} as "organizationId", ${d.webhookId} as "webhookId", ${w.url} as "url", ${laneOfEndpoint} as "lane", ${d.entityId} is not null as "isOrdered"`;

const isDue = (by: number | SQL) => sql`${d.nextAttemptAt} <= ${by} and ${d.claimedUntil} is null and ${w.status} = 'ACTIVE'`;

/** What is due at the endpoints, the longest due first, and up to so many of each. */
export const targetsOf = ({ db: { orm }, now }: Services, webhookIds: readonly string[], limit: number) =>
	orm.all<Target>(sql`
		select ${d.id} as "id", ${targetColumns} from ${webhookEndpoints} ${w}
			cross join ${webhookDeliveries} ${d} on ${d.id} in ${longestDue(sql`${w.id}`, now + GRACE_MS, Math.min(limit, WINDOW / 2))}
		where ${w.id} in ${idsIn(webhookIds)} and ${w.status} = 'ACTIVE' order by ${d.nextAttemptAt}`);

const { placeholder } = sql;

// The values of the statements that claim: the deliveries, their endpoints, the URLs whose names have been looked up, and the instants.
const ids = listed(placeholder("ids"));
const urls = listed(placeholder("urls"));
const webhookIds = listed(placeholder("webhookIds"));
const token = sql`${placeholder("token")}`;
const now = sql`${placeholder("now")}`;
const realNow = sql`${placeholder("realNow")}`;
const dueBy = sql`${placeholder("dueBy")}`;
// D1 binds numbers as floating point, and integers divide differently.
const realNowUs = sql`cast(${placeholder("realNowUs")} as integer)`;

// `rate_limit` lets attempts begin evenly spread over each second, at most a tenth of a second's number at once. `rate_used_until` is
// when the attempts that have begun would all have begun if they had been spread evenly; all in microseconds.
const costUs = sql`((999999 + ${w.rateLimit}) / ${w.rateLimit})`;
const atOnce = sql`((9 + ${w.rateLimit}) / 10)`;
const usedUntil = sql`max(coalesce(${w.rateUsedUntil}, 0), ${realNowUs})`;
/** How many attempts the rate permits now. */
const permitted = sql`
	case when ${w.rateLimit} is null then 1000 else (${atOnce} * ${costUs} - (${usedUntil} - ${realNowUs})) / ${costUs} end`;
const isOverRate = sql`(${w.rateLimit} is not null and ${permitted} <= 0)`;

/** How many attempts may begin at each endpoint. Claims that have expired belong to runs that have died; they do not keep others waiting. */
const free = sql`min(${permitted}, ${w.maxInFlight} - (
	select count(*) from ${webhookDeliveries} ${f} where ${f.id} in ${windowOf(sql`${w.id}`, dueBy)} and ${f.claimedUntil} > ${realNow}))`;
const limits = (condition = ALWAYS) => sql`limits(webhook_id, free) as materialized (
	select ${w.id}, ${free}
	from ${webhookEndpoints} ${w} where ${w.id} in ${webhookIds} and ${w.status} = 'ACTIVE' and ${w.url} in ${urls} and ${condition})`;
const claimable = sql`${webhookDeliveries.id} in (select claimable_id from (
	select ${d.id} as claimable_id, limits.free, wanted.key as turn,
		row_number() over (partition by ${d.webhookId} order by ${d.nextAttemptAt}, ${d.id}) as place
	from json_each(${placeholder("ids")}) wanted cross join ${webhookDeliveries} ${d} on ${d.id} = wanted.value
		cross join limits on limits.webhook_id = ${d.webhookId}
	where ${d.nextAttemptAt} <= ${dueBy} and ${d.claimedUntil} is null and not ${isBehind(d)}) where place <= free order by turn limit ${placeholder("most")})`;
const claimedHere = sql`${d.id} in ${ids} and ${d.claim} = ${token}`;
const hasHistory = sql`exists (select 1 from ${webhookDeliveries} ${h} where ${h.id} in ${ids} and ${h.attemptPosition} > 0)`;

/** Of deliveries that are due although an older one of their entity is open again, after a retry or a recovery, none stays due. */
const putBehind = prebuilt((orm) =>
	orm.run(sql`
		update ${webhookDeliveries} set ${assign(webhookDeliveries, { nextAttemptAt: BEHIND })} where ${webhookDeliveries.id} in (
			select ${d.id} from ${webhookDeliveries} ${d} where ${d.id} in ${ids} and ${d.claimedUntil} is null and ${d.nextAttemptAt} is not null
				and ${isBehind(d)})`),
);

/** The attempt before this one makes room for it. */
export const keepLastAttempts = (condition: SQL): SQL => sql`
		insert into ${webhookAttempts} (${bareList(
			webhookAttempts.deliveryId,
			webhookAttempts.position,
			webhookAttempts.number,
			webhookAttempts.trigger,
			webhookAttempts.startedAt,
			webhookAttempts.durationMs,
			webhookAttempts.outcome,
			webhookAttempts.errorClass,
			webhookAttempts.responseStatus,
			webhookAttempts.responseBody,
		)})
		select ${webhookDeliveries.id}, ${webhookDeliveries.attemptPosition}, ${webhookDeliveries.attemptNumber}, ${webhookDeliveries.attemptTrigger}, ${webhookDeliveries.attemptStartedAt}, ${webhookDeliveries.attemptDurationMs}, ${webhookDeliveries.attemptOutcome}, ${webhookDeliveries.attemptErrorClass}, ${webhookDeliveries.responseStatus}, ${webhookDeliveries.responseBody}
		from ${webhookDeliveries} where ${condition} and ${webhookDeliveries.attemptPosition} > 0`;
const moveLastAttempts = prebuilt((orm) => orm.run(sql`with ${limits(hasHistory)} ${keepLastAttempts(claimable)}`));
/** The assignments by which a claim begins an attempt. */
export const begins = (by: { token: SQL; now: SQL; realNow: SQL; trigger: SQL }): SQL =>
	assign(webhookDeliveries, {
		claim: by.token,
		claimedUntil: sql`${by.realNow} + ${LEASE_MARGIN_MS} + (select ${w.timeoutMs} from ${webhookEndpoints} ${w} where ${w.id} = ${webhookDeliveries.webhookId})`,
		attempts: sql`${webhookDeliveries.attempts} + 1`,
		attemptPosition: sql`${webhookDeliveries.attemptPosition} + 1`,
		attemptNumber: sql`${webhookDeliveries.attempts} + 1`,
		attemptTrigger: by.trigger,
		attemptStartedAt: by.now,
		attemptDurationMs: null,
		attemptOutcome: null,
		attemptErrorClass: null,
		responseStatus: null,
		responseBody: null,
	});
const claimDue = prebuilt((orm) =>
	orm.run(sql`
		with ${limits()} update ${webhookDeliveries} set
			${begins({
				...{ token, now, realNow },
				trigger: sql`case when ${webhookDeliveries.round} > 1 and ${webhookDeliveries.roundAttempts} = 0 then 'MANUAL' else 'AUTOMATIC' end`,
			})},
			${assign(webhookDeliveries, { roundAttempts: sql`${webhookDeliveries.roundAttempts} + 1` })}
		where ${claimable}`),
);
const useRate = prebuilt((orm) =>
	orm.run(sql`
		update ${webhookEndpoints} as ${w} set ${bare(webhookEndpoints.rateUsedUntil)} = ${usedUntil} + ${costUs} * (
			select count(*) from ${webhookDeliveries} ${d} where ${claimedHere} and ${d.webhookId} = ${w.id})
		where ${w.id} in ${webhookIds} and ${w.rateLimit} is not null and exists (select 1 from ${webhookDeliveries} ${d} where ${claimedHere} and ${d.webhookId} = ${w.id})`),
);
const dropOldAttempts = prebuilt((orm) =>
	orm.run(sql`
		delete from ${webhookAttempts} where (${webhookAttempts.deliveryId}, ${webhookAttempts.position}) in (
			select ${d.id}, ${d.attemptPosition} - ${KEPT_ATTEMPTS} from ${webhookDeliveries} ${d} where ${claimedHere} and ${d.attemptPosition} > ${KEPT_ATTEMPTS})`),
);

const begunColumns = sql`
	${d.roundAttempts} as "roundAttempts", ${d.roundInterrupted} as "roundInterrupted", ${d.testData} is not null as "isTest",
	${d.organizationId} as "organizationId", ${d.webhookId} as "webhookId", ${d.attemptPosition} as "position", ${d.entityId} as "entityId",
	exists (select 1 from ${webhookDeliveries} ${h} where ${h.webhookId} = ${d.webhookId} and ${h.status} = 'PENDING' and ${h.nextAttemptAt} is null) as "isHolding"`;

export const claimedNow = prebuilt((orm) =>
	orm.all<Omit<Claimed, "keys" | "claim"> & { keys: string }>(sql`
		select ${d.id} as "id", ${begunColumns}, ${d.eventType} as "eventType", ${bodyOf(d)} as "body",
			${w.name} as "webhookName", ${w.url} as "url", ${w.timeoutMs} as "timeoutMs", ${w.sealedHeaders} as "sealedHeaders", ${w.slow} as "isSlow",
			${lastFailedBefore(d)} as "afterFailed",
			(select json_group_array(json_object('id', key_id, 'sealedSecret', sealed, 'expiresAt', until)) from (
				select ${webhookSigningKeys.id} as key_id, ${webhookSigningKeys.sealedSecret} as sealed, ${webhookSigningKeys.expiresAt} as until from ${webhookSigningKeys}
				where ${webhookSigningKeys.webhookId} = ${w.id} and ${isActive(now)} order by ${webhookSigningKeys.createdAt} desc, ${webhookSigningKeys.id} desc)) as "keys"
		from ${webhookDeliveries} ${d} join ${webhookEndpoints} ${w} on ${w.id} = ${d.webhookId} where ${claimedHere}`),
);
const leftNow = prebuilt((orm) =>
	orm.all<Left>(sql`
		select ${d.id} as "id", ${targetColumns},
			case when ${w.url} in ${urls} and ${isOverRate} then 1 + (${usedUntil} - ${realNowUs} - (${atOnce} - 1) / 2 * ${costUs}) / 1000 else 0 end as "waitMs"
		from ${webhookDeliveries} ${d} join ${webhookEndpoints} ${w} on ${w.id} = ${d.webhookId}
		where ${d.id} in ${ids} and ${isDue(dueBy)} and (${w.url} not in ${urls} or ${isOverRate} or ${free} > 0)`),
);

/**
 * Claims those of the deliveries that are due and unclaimed, as many as their endpoints permit, and loads what their attempts need. Claims
 * nothing at other URLs than these, whose names have been looked up: the URL, the keys and the status that an attempt uses are those of the
 * instant of its claim. The last two statements return what was claimed, and what was left.
 *
 * @param targets the first in turn first
 */
export const claiming = (
	{ now, realNow }: Services,
	of: { targets: readonly Claimable[]; urls: readonly string[]; most: number; token: string },
) => {
	const { most, token } = of;
	const values = {
		ids: JSON.stringify(of.targets.map(({ id }) => id)),
		webhookIds: JSON.stringify([...new Set(of.targets.map(({ webhookId }) => webhookId))]),
		urls: JSON.stringify(of.urls),
		...{ most, token, now, realNow },
		dueBy: now + GRACE_MS,
		realNowUs: realNow * 1000,
	};
	return [
		...(of.targets.some(({ isOrdered }) => isOrdered) ? [putBehind(values)] : []),
		moveLastAttempts(values),
		claimDue(values),
		useRate(values),
		dropOldAttempts(values),
		claimedNow(values),
		leftNow(values),
	];
};

export type LastResults = readonly [claimed: Awaited<ReturnType<typeof claimedNow>>, left: Awaited<ReturnType<typeof leftNow>>];

/** Attempts whose end nobody will record: their claim has expired, or was not made by this process, if that is the only one. */
export const abandonedAttempts = ({ db: { orm }, realNow }: Services, limit: number, onlyProcess: string | undefined) =>
	orm.all<Begun>(sql`
		with ${backlog}
		select ${d.id} as "id", ${d.claim} as "claim", ${begunColumns}, coalesce(${w.name}, '') as "webhookName",
			case when ${w.updatedAt} <= ${d.attemptStartedAt} then ${w.url} else '' end as "url"
		from backlog cross join ${webhookDeliveries} ${d} on ${d.id} in ${windowOf(sql`backlog.webhook_id`)} and ${d.claimedUntil} is not null left join ${webhookEndpoints} ${w} on ${w.id} = ${d.webhookId}
		where (${d.claimedUntil} <= ${realNow} ${onlyProcess === undefined ? sql`` : sql`or ${d.claim} not like ${`${onlyProcess}:%`}`})
		limit ${limit}`);

/** When the last open claim expires, in real time; null when none is open. */
export const openClaims = ({ db: { orm } }: Services) =>
	orm.all<{ until: number | null }>(sql`
		with ${backlog}
		select max((select max(${d.claimedUntil}) from ${webhookDeliveries} ${d} where ${d.id} in ${windowOf(sql`backlog.webhook_id`)})) as "until" from backlog`);

/** The endpoints at which something is due, with the delivery that has been due for the longest time. */
export const dueEndpoints = ({ db: { orm }, now }: Services) =>
	orm.all<Target & { hintedAt: number | null }>(sql`
		with ${backlog}
		select ${d.id} as "id", ${targetColumns}, ${w.hintedAt} as "hintedAt"
		from backlog cross join ${webhookEndpoints} ${w} on ${w.id} = backlog.webhook_id
			cross join ${webhookDeliveries} ${d} on ${d.id} = ${longestDue(sql`${w.id}`, now)}
		where ${w.status} = 'ACTIVE'`);

/**
 * Holds or fails deliveries that wait although their endpoint was suspended or deleted: a suspension or deletion deals with one
 * portion of them itself. The last statement counts both.
 */
export const holdOrFailUnsendable = ({ db: { orm }, now }: Services, limit: number): Statement[] => {
	const unsent = (condition: SQL) => sql`(
		with ${backlog}
		select ${d.id} from backlog left join ${webhookEndpoints} ${w} on ${w.id} = backlog.webhook_id
			cross join ${webhookDeliveries} ${d} on ${d.webhookId} = backlog.webhook_id and ${d.nextAttemptAt} is not null and ${d.claimedUntil} is null
		where ${condition} limit ${limit})`;
	return [
		failDeliveries(orm, unsent(sql`${w.id} is null`), "WEBHOOK_DELETED", now),
		orm.run(
			sql`update ${webhookDeliveries} set ${bare(webhookDeliveries.nextAttemptAt)} = null where ${webhookDeliveries.id} in ${unsent(sql`${w.status} = 'SUSPENDED'`)}`,
		),
	];
};
