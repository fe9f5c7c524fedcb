// Chooses the deliveries that may be attempted, and claims them. A delivery is claimed before it is attempted, so that a crash leaves a
// trace. Only the claim enforces `max_in_flight` and `rate_limit`, because all consumers and sweeps go through it.

import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList } from "../../../db/columns";
import { ALWAYS, prebuilt } from "../../../db/prebuilt";
import { awaitsCompany } from "../../../events/batches";
import { BEHIND, isBehind, lastFailedBefore } from "../../../events/ordering";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import type { Begun } from "../attempts/end.policy";
import { isActive } from "../signing/store";
import { bodyOf } from "../store";
import { webhookAttempts, webhookSigningKeys } from "../table";
import { GRACE_MS } from "../wake.store";
import { begunColumns, isDue, MOST_IN_BATCHES, type Target, targetColumns, windowOf, windowOfBatches } from "./due.store";

const delivery = alias(webhookDeliveries, "delivery");
const running = alias(webhookDeliveries, "running");
const attempted = alias(webhookDeliveries, "attempted");
const queued = alias(webhookDeliveries, "queued");
const endpoint = alias(webhookEndpoints, "endpoint");

/** How much longer than the endpoint's timeout a claim is valid: time for the commit after the request. */
export const LEASE_MARGIN_MS = 10_000;

/** Attempts of a delivery that are kept, the last one included; a manual retry a minute would otherwise fill the log without end. */
const KEPT_ATTEMPTS = 100;

/** An attempt that this run claimed, with everything it needs to make it. */
export type Claimed = Begun & {
	eventType: string;
	body: string;
	/** The most deliveries that a request to the endpoint carries; they share a claim. Null: each delivery has its own request. */
	batchSize: number | null;
	timeoutMs: number;
	sealedHeaders: string | null;
	/** 1 when the endpoint was known to be slow as the attempt was claimed. */
	isSlow: number;
	/** The last earlier delivery of its entity that FAILED; null when there is none, or the endpoint asks for no order. */
	afterFailed: string | null;
	/** Active keys, newest first. */
	keys: readonly { id: string; sealedSecret: string; expiresAt: number | null }[];
};

/**
 * A delivery that could not be claimed although it is due: its endpoint has another URL by now, its endpoint has used up its rate, which
 * permits more in `waitMs`, or the run has no more room. Deliveries beyond `max_in_flight` are not among them: the run claims them with the
 * end of an attempt there.
 */
export type Left = Target & { waitMs: number };

/** What a claim must know of a delivery. */
export type Claimable = Pick<Target, "id" | "webhookId"> & Partial<Pick<Target, "isOrdered" | "batchSize">>;

const listed = (json: string | Placeholder) => sql`(select value from json_each(${json}))`;
const { placeholder } = sql;

// The values of the statements that claim: the deliveries, their endpoints, the URLs whose names have been looked up, and the instants.
const ids = listed(placeholder("ids"));
const urls = listed(placeholder("urls"));
const webhookIds = listed(placeholder("webhookIds"));
const token = sql`${placeholder("token")}`;
const now = sql`${placeholder("now")}`;
const realNow = sql`${placeholder("realNow")}`;
const dueBy = sql`${placeholder("dueBy")}`;
/** A delivery that now waits for company is due by this instant. */
const waitingBy = sql`${dueBy} + ${endpoint.batchWaitMs}`;
// An integer, because D1 binds numbers as floating point, and the rate needs the division of integers.
const realNowUs = sql`cast(${placeholder("realNowUs")} as integer)`;

// `rate_limit` lets attempts begin evenly spread over each second, at most a tenth of a second's number at once. `rate_used_until` is
// when the attempts that have begun would all have begun if they had been spread evenly; all in microseconds.
const costUs = sql`((999999 + ${endpoint.rateLimit}) / ${endpoint.rateLimit})`;
const atOnce = sql`((9 + ${endpoint.rateLimit}) / 10)`;
const usedUntil = sql`max(coalesce(${endpoint.rateUsedUntil}, 0), ${realNowUs})`;
/** How many attempts the rate permits now. */
const permitted = sql`
	case when ${endpoint.rateLimit} is null then 1000 else (${atOnce} * ${costUs} - (${usedUntil} - ${realNowUs})) / ${costUs} end`;
const isOverRate = sql`(${endpoint.rateLimit} is not null and ${permitted} <= 0)`;

const isInFlight = sql`${running.claimedUntil} > ${realNow}`;
const inFlight = sql`(select count(*) from ${webhookDeliveries} ${running} where ${running.id} in ${windowOf(sql`${endpoint.id}`, dueBy)} and ${isInFlight})`;
/** How many requests are in flight where they carry batches: the deliveries of a batch share a claim. */
const batchesInFlight = sql`(
	select count(distinct ${running.claim}) from ${webhookDeliveries} ${running} where ${running.id} in ${windowOfBatches(sql`${endpoint.id}`, waitingBy)} and ${isInFlight})`;
const isOpen = sql`${endpoint.id} in ${webhookIds} and ${endpoint.status} = 'ACTIVE' and ${endpoint.url} in ${urls}`;
const isClaimable = sql`${delivery.nextAttemptAt} <= ${dueBy} and ${delivery.claimedUntil} is null and not ${isBehind(delivery)}`;
/** The wanted deliveries that may be attempted, with these columns of their endpoints' limits. */
const inTurn = (columns: SQL, condition: SQL) => sql`
	select * from (
		select ${delivery.id} as claimable_id, limits.free, wanted.key as turn, ${columns},
			row_number() over (partition by ${delivery.webhookId} order by ${delivery.nextAttemptAt}, ${delivery.id}) as place
		from json_each(${placeholder("ids")}) wanted cross join ${webhookDeliveries} ${delivery} on ${delivery.id} = wanted.value
			cross join limits on limits.webhook_id = ${delivery.webhookId}
		where ${condition}) where place <= free order by turn limit ${placeholder("most")}`;

/** Copies the last attempt from the delivery's row into the table of attempts, because the next attempt takes its place in the row. */
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
/** The assignments by which a claim begins an attempt. */
export const begins = (by: { token: SQL; now: SQL; realNow: SQL; trigger: SQL }): SQL =>
	assign(webhookDeliveries, {
		claim: by.token,
		claimedUntil: sql`${by.realNow} + ${LEASE_MARGIN_MS} + (select ${endpoint.timeoutMs} from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookDeliveries.webhookId})`,
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
const trigger = sql`case when ${webhookDeliveries.round} > 1 and ${webhookDeliveries.roundAttempts} = 0 then 'MANUAL' else 'AUTOMATIC' end`;
const beginning = (claim: SQL): SQL =>
	sql`${begins({ token: claim, now, realNow, trigger })}, ${assign(webhookDeliveries, { roundAttempts: sql`${webhookDeliveries.roundAttempts} + 1` })}`;

/** The parts in which statements for single deliveries and for batches differ. */
type Claims = {
	/** How many requests may begin at an endpoint. Claims that have expired belong to runs that have died; they do not keep others waiting. */
	readonly free: SQL;
	/** The tables of a `with` clause that choose deliveries; they may be empty unless the condition holds. */
	readonly choosing: (condition?: SQL) => SQL;
	/** Whether a delivery was chosen. */
	readonly isChosen: SQL;
	/** The assignments and the condition of the update that claims the chosen deliveries. */
	readonly claim: SQL;
	/** The ids of the deliveries that may have been chosen. */
	readonly candidates: SQL;
	/** Whether a candidate was claimed. */
	readonly isClaimed: SQL;
	/** How many attempts the claimed deliveries count as, for the rate. */
	readonly attempts: SQL;
};

function single(): Claims {
	const free = sql`min(${permitted}, ${endpoint.maxInFlight} - ${inFlight})`;
	const isChosen = sql`${webhookDeliveries.id} in (select claimable_id from (${inTurn(sql`limits.webhook_id`, isClaimable)}))`;
	return {
		free,
		choosing: (condition = ALWAYS) => sql`limits(webhook_id, free) as materialized (
	select ${endpoint.id}, ${free} from ${webhookEndpoints} ${endpoint} where ${isOpen} and ${endpoint.batchSize} is null and ${condition})`,
		isChosen,
		claim: sql`${beginning(token)} where ${isChosen}`,
		candidates: ids,
		isClaimed: sql`${delivery.id} in ${ids} and ${delivery.claim} = ${token}`,
		attempts: sql`count(*)`,
	};
}

/**
 * For wanted deliveries of which some belong to endpoints with batches. Such a delivery stands for a request, which carries deliveries that
 * are due and deliveries that only wait for company. Each request after the first is made only if a delivery is due that the requests
 * before it do not carry. The claims of the requests share the token and differ in the number that follows it.
 */
function inBatches(): Claims {
	const free = sql`min(${permitted}, case when ${endpoint.batchSize} is null then ${endpoint.maxInFlight} - ${inFlight}
	else min(${endpoint.maxInFlight}, max(1, ${MOST_IN_BATCHES} / ${endpoint.batchSize})) - ${batchesInFlight} end)`;
	const choosing = sql`
	limits(webhook_id, free, size, wait) as materialized (select ${endpoint.id}, ${free}, ${endpoint.batchSize}, ${endpoint.batchWaitMs} from ${webhookEndpoints} ${endpoint} where ${isOpen}),
	led as materialized (${inTurn(sql`limits.webhook_id as at, limits.size as size, limits.wait as wait`, sql`limits.size is not null or ${isClaimable}`)}),
	carried as materialized (
		select member_id, (place - 1) / size as part from (
			select ${delivery.id} as member_id, requests.size as size, requests.times as times,
				row_number() over (partition by ${delivery.webhookId} order by ${delivery.nextAttemptAt}, ${delivery.id}) as place,
				count(case when ${delivery.nextAttemptAt} <= ${dueBy} then 1 end) over (partition by ${delivery.webhookId}) as due
			from (select at, size, wait, count(*) as times from led where size is not null group by at) requests
				cross join ${webhookDeliveries} ${delivery} on ${delivery.id} in ${windowOfBatches(sql`requests.at`, sql`${dueBy} + requests.wait`)}
			where ${delivery.claimedUntil} is null and (${delivery.nextAttemptAt} <= ${dueBy} or ${awaitsCompany(delivery, sql`requests.wait`)}) and not ${isBehind(delivery)})
		where place <= times * size and (place - 1) / size * size < due),
	chosen(id, claim) as materialized (
		select claimable_id, ${token} from led where size is null union all select member_id, ${token} || '/' || part from carried)`;
	const candidates = sql`(
		select value from json_each(${placeholder("ids")}) union
		select ${queued.id} from ${webhookEndpoints} ${endpoint} cross join ${webhookDeliveries} ${queued} on ${queued.id} in ${windowOfBatches(sql`${endpoint.id}`, waitingBy)}
		where ${endpoint.id} in ${webhookIds} and ${endpoint.batchSize} is not null)`;
	return {
		free,
		choosing: () => choosing,
		isChosen: sql`${webhookDeliveries.id} in (select id from chosen)`,
		claim: sql`${beginning(sql`chosen.claim`)} from chosen where ${webhookDeliveries.id} = chosen.id`,
		candidates,
		// A range, because all claims with the token are the token itself or begin with it and "/", and the character after "/" is "0".
		isClaimed: sql`${delivery.claim} >= ${token} and ${delivery.claim} < ${token} || '0' and ${delivery.id} in ${candidates}`,
		attempts: sql`case when ${endpoint.batchSize} is null then count(*) else count(distinct ${delivery.claim}) end`,
	};
}

/** The statements that claim, in their order. */
function statementsOf({ free, choosing, isChosen, claim, candidates, isClaimed, attempts }: Claims) {
	const hasHistory = sql`exists (select 1 from ${webhookDeliveries} ${attempted} where ${attempted.id} in ${ids} and ${attempted.attemptPosition} > 0)`;
	return {
		/** Puts due deliveries behind an older delivery of their entity that a retry or a recovery has opened again. */
		putBehind: prebuilt((orm) =>
			orm.run(sql`
			update ${webhookDeliveries} set ${assign(webhookDeliveries, { nextAttemptAt: BEHIND })} where ${webhookDeliveries.id} in (
				select ${delivery.id} from ${webhookDeliveries} ${delivery} where ${delivery.id} in ${candidates} and ${delivery.claimedUntil} is null and ${delivery.nextAttemptAt} is not null
					and ${isBehind(delivery)})`),
		),
		keepLast: prebuilt((orm) => orm.run(sql`with ${choosing(hasHistory)} ${keepLastAttempts(isChosen)}`)),
		claim: prebuilt((orm) => orm.run(sql`with ${choosing()} update ${webhookDeliveries} set ${claim}`)),
		useRate: prebuilt((orm) =>
			orm.run(sql`
			update ${webhookEndpoints} as ${endpoint} set ${bare(webhookEndpoints.rateUsedUntil)} = ${usedUntil} + ${costUs} * (
				select ${attempts} from ${webhookDeliveries} ${delivery} where ${isClaimed} and ${delivery.webhookId} = ${endpoint.id})
			where ${endpoint.id} in ${webhookIds} and ${endpoint.rateLimit} is not null and exists (select 1 from ${webhookDeliveries} ${delivery} where ${isClaimed} and ${delivery.webhookId} = ${endpoint.id})`),
		),
		dropOld: prebuilt((orm) =>
			orm.run(sql`
			delete from ${webhookAttempts} where (${webhookAttempts.deliveryId}, ${webhookAttempts.position}) in (
				select ${delivery.id}, ${delivery.attemptPosition} - ${KEPT_ATTEMPTS} from ${webhookDeliveries} ${delivery} where ${isClaimed} and ${delivery.attemptPosition} > ${KEPT_ATTEMPTS})`),
		),
		claimed: prebuilt((orm) =>
			orm.all<Omit<Claimed, "keys"> & { keys: string }>(sql`
			select ${delivery.id} as "id", ${delivery.claim} as "claim", ${begunColumns}, ${delivery.eventType} as "eventType", ${bodyOf(delivery)} as "body", ${endpoint.batchSize} as "batchSize",
				${endpoint.name} as "webhookName", ${endpoint.url} as "url", ${endpoint.timeoutMs} as "timeoutMs", ${endpoint.sealedHeaders} as "sealedHeaders", ${endpoint.slow} as "isSlow",
				${lastFailedBefore(delivery)} as "afterFailed",
				(select json_group_array(json_object('id', key_id, 'sealedSecret', sealed, 'expiresAt', until)) from (
					select ${webhookSigningKeys.id} as key_id, ${webhookSigningKeys.sealedSecret} as sealed, ${webhookSigningKeys.expiresAt} as until from ${webhookSigningKeys}
					where ${webhookSigningKeys.webhookId} = ${endpoint.id} and ${isActive(now)} order by ${webhookSigningKeys.createdAt} desc, ${webhookSigningKeys.id} desc)) as "keys"
			from ${webhookDeliveries} ${delivery} join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = ${delivery.webhookId} where ${isClaimed}`),
		),
		left: prebuilt((orm) =>
			orm.all<Left>(sql`
			select ${delivery.id} as "id", ${targetColumns},
				case when ${endpoint.url} in ${urls} and ${isOverRate} then 1 + (${usedUntil} - ${realNowUs} - (${atOnce} - 1) / 2 * ${costUs}) / 1000 else 0 end as "waitMs"
			from ${webhookDeliveries} ${delivery} join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = ${delivery.webhookId}
			where ${delivery.id} in ${ids} and ${isDue(dueBy)} and (${endpoint.url} not in ${urls} or ${isOverRate} or ${free} > 0)`),
		),
	};
}

const SINGLE = statementsOf(single());
const IN_BATCHES = statementsOf(inBatches());
export const claimedNow = SINGLE.claimed;

/**
 * Claims due and unclaimed deliveries among the targets, as many as their endpoints permit, and loads all that their attempts need. Claims
 * only at these URLs, whose host names have been looked up: an attempt uses the URL, the keys and the status of the instant of its claim.
 * The last two statements return the claimed deliveries, and the deliveries that were left.
 *
 * @param of.targets in the order of their turns
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
	const isOrdered = of.targets.some(({ isOrdered }) => isOrdered);
	const statements = of.targets.some(({ batchSize }) => typeof batchSize === "number") ? IN_BATCHES : SINGLE;
	const { putBehind, keepLast, claim, useRate, dropOld, claimed, left } = statements;
	return [...(isOrdered ? [putBehind] : []), keepLast, claim, useRate, dropOld, claimed, left].map((statement) => statement(values));
};

export type LastResults = readonly [claimed: Awaited<ReturnType<typeof SINGLE.claimed>>, left: Awaited<ReturnType<typeof SINGLE.left>>];
