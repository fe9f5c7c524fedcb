// Which deliveries may be attempted, and their claims. A delivery is claimed before it is attempted, so that a crash leaves a trace. The
// claim alone holds `max_in_flight` and `rate_limit`, because it is the one place that all consumers and sweeps go through.

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

const d = alias(webhookDeliveries, "d");
const f = alias(webhookDeliveries, "f");
const h = alias(webhookDeliveries, "h");
const o = alias(webhookDeliveries, "o");
const w = alias(webhookEndpoints, "w");

/** How much longer than the endpoint's timeout a claim is valid: time for the commit after the request. */
export const LEASE_MARGIN_MS = 10_000;

/** Attempts of a delivery that are kept, the last one included; a manual retry a minute would otherwise fill the log without end. */
const KEPT_ATTEMPTS = 100;

/** An attempt that this run claimed, with everything it needs to make it. */
export type Claimed = Begun & {
	eventType: string;
	body: string;
	/** How many deliveries a request there carries at most; those of one share a claim. Null: each has a request of its own. */
	batchSize: number | null;
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
/** What is due by then at an endpoint `w` may await company now. */
const waitingBy = sql`${dueBy} + ${w.batchWaitMs}`;
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

const isInFlight = sql`${f.claimedUntil} > ${realNow}`;
const inFlight = sql`(select count(*) from ${webhookDeliveries} ${f} where ${f.id} in ${windowOf(sql`${w.id}`, dueBy)} and ${isInFlight})`;
/** The same of requests: those of a batch share a claim. */
const batchesInFlight = sql`(
	select count(distinct ${f.claim}) from ${webhookDeliveries} ${f} where ${f.id} in ${windowOfBatches(sql`${w.id}`, waitingBy)} and ${isInFlight})`;
/** How many attempts may begin at each endpoint. Claims that have expired belong to runs that have died; they do not keep others waiting. */
const free = sql`min(${permitted}, ${w.maxInFlight} - ${inFlight})`;
const freeOrBatches = sql`min(${permitted}, case when ${w.batchSize} is null then ${w.maxInFlight} - ${inFlight}
	else min(${w.maxInFlight}, max(1, ${MOST_IN_BATCHES} / ${w.batchSize})) - ${batchesInFlight} end)`;
const isOpen = sql`${w.id} in ${webhookIds} and ${w.status} = 'ACTIVE' and ${w.url} in ${urls}`;
const limits = (condition = ALWAYS) => sql`limits(webhook_id, free) as materialized (
	select ${w.id}, ${free} from ${webhookEndpoints} ${w} where ${isOpen} and ${w.batchSize} is null and ${condition})`;
const isClaimable = sql`${d.nextAttemptAt} <= ${dueBy} and ${d.claimedUntil} is null and not ${isBehind(d)}`;
/** Of the wanted deliveries those that may be attempted, with these columns of their endpoints' limits. */
const inTurn = (columns: SQL, condition: SQL) => sql`
	select * from (
		select ${d.id} as claimable_id, limits.free, wanted.key as turn, ${columns},
			row_number() over (partition by ${d.webhookId} order by ${d.nextAttemptAt}, ${d.id}) as place
		from json_each(${placeholder("ids")}) wanted cross join ${webhookDeliveries} ${d} on ${d.id} = wanted.value
			cross join limits on limits.webhook_id = ${d.webhookId}
		where ${condition}) where place <= free order by turn limit ${placeholder("most")}`;
const claimable = sql`${webhookDeliveries.id} in (select claimable_id from (${inTurn(sql`limits.webhook_id`, isClaimable)}))`;
const claimedHere = sql`${d.id} in ${ids} and ${d.claim} = ${token}`;
const hasHistory = sql`exists (select 1 from ${webhookDeliveries} ${h} where ${h.id} in ${ids} and ${h.attemptPosition} > 0)`;

// The same where endpoints with batches are among the wanted ones. There a wanted delivery stands for a request, which takes along what is
// due and what only awaits company; each but the first is made only if something is due that the one before it does not carry. The claims of
// requests differ in what follows the token.
const batches = sql`
	limits(webhook_id, free, size, wait) as materialized (select ${w.id}, ${freeOrBatches}, ${w.batchSize}, ${w.batchWaitMs} from ${webhookEndpoints} ${w} where ${isOpen}),
	led as materialized (${inTurn(sql`limits.webhook_id as at, limits.size as size, limits.wait as wait`, sql`limits.size is not null or ${isClaimable}`)}),
	carried as materialized (
		select member_id, (place - 1) / size as part from (
			select ${d.id} as member_id, requests.size as size, requests.times as times,
				row_number() over (partition by ${d.webhookId} order by ${d.nextAttemptAt}, ${d.id}) as place,
				count(case when ${d.nextAttemptAt} <= ${dueBy} then 1 end) over (partition by ${d.webhookId}) as due
			from (select at, size, wait, count(*) as times from led where size is not null group by at) requests
				cross join ${webhookDeliveries} ${d} on ${d.id} in ${windowOfBatches(sql`requests.at`, sql`${dueBy} + requests.wait`)}
			where ${d.claimedUntil} is null and (${d.nextAttemptAt} <= ${dueBy} or ${awaitsCompany(d, sql`requests.wait`)}) and not ${isBehind(d)})
		where place <= times * size and (place - 1) / size * size < due),
	chosen(id, claim) as materialized (
		select claimable_id, ${token} from led where size is null union all select member_id, ${token} || '/' || part from carried)`;
const isChosen = sql`${webhookDeliveries.id} in (select id from chosen)`;
/** A slash is followed by the digit 0. */
const claimedInBatches = sql`
	${d.claim} >= ${token} and ${d.claim} < ${token} || '0' and ${d.id} in (
		select value from json_each(${placeholder("ids")}) union
		select ${o.id} from ${webhookEndpoints} ${w} cross join ${webhookDeliveries} ${o} on ${o.id} in ${windowOfBatches(sql`${w.id}`, waitingBy)}
		where ${w.id} in ${webhookIds} and ${w.batchSize} is not null)`;

/** Of deliveries that are due although an older one of their entity is open again, after a retry or a recovery, none stays due. */
const puttingBehind = (which: SQL) =>
	prebuilt((orm) =>
		orm.run(sql`
			update ${webhookDeliveries} set ${assign(webhookDeliveries, { nextAttemptAt: BEHIND })} where ${webhookDeliveries.id} in (
				select ${d.id} from ${webhookDeliveries} ${d} where ${which} and ${d.claimedUntil} is null and ${d.nextAttemptAt} is not null
					and ${isBehind(d)})`),
	);
const putBehind = puttingBehind(sql`${d.id} in ${ids}`);
const putBehindInBatches = puttingBehind(sql`${d.id} in (
	select value from json_each(${placeholder("ids")}) union
	select ${o.id} from ${webhookEndpoints} ${w} cross join ${webhookDeliveries} ${o} on ${o.id} in ${windowOfBatches(sql`${w.id}`, waitingBy)}
	where ${w.id} in ${webhookIds} and ${w.batchSize} is not null)`);

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
const moveLastAttemptsOfBatches = prebuilt((orm) => orm.run(sql`with ${batches} ${keepLastAttempts(isChosen)}`));
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
const trigger = sql`case when ${webhookDeliveries.round} > 1 and ${webhookDeliveries.roundAttempts} = 0 then 'MANUAL' else 'AUTOMATIC' end`;
const countsInRound = assign(webhookDeliveries, { roundAttempts: sql`${webhookDeliveries.roundAttempts} + 1` });
const claimDue = prebuilt((orm) =>
	orm.run(sql`
		with ${limits()} update ${webhookDeliveries} set ${begins({ token, now, realNow, trigger })}, ${countsInRound} where ${claimable}`),
);
const claimBatches = prebuilt((orm) =>
	orm.run(sql`
		with ${batches} update ${webhookDeliveries} set ${begins({ token: sql`chosen.claim`, now, realNow, trigger })}, ${countsInRound}
		from chosen where ${webhookDeliveries.id} = chosen.id`),
);
const usingRate = (attempts: SQL, claimed: SQL) =>
	prebuilt((orm) =>
		orm.run(sql`
			update ${webhookEndpoints} as ${w} set ${bare(webhookEndpoints.rateUsedUntil)} = ${usedUntil} + ${costUs} * (
				select ${attempts} from ${webhookDeliveries} ${d} where ${claimed} and ${d.webhookId} = ${w.id})
			where ${w.id} in ${webhookIds} and ${w.rateLimit} is not null and exists (select 1 from ${webhookDeliveries} ${d} where ${claimed} and ${d.webhookId} = ${w.id})`),
	);
const useRate = usingRate(sql`count(*)`, claimedHere);
const useRateInBatches = usingRate(
	sql`case when ${w.batchSize} is null then count(*) else count(distinct ${d.claim}) end`,
	claimedInBatches,
);
const droppingOldAttempts = (claimed: SQL) =>
	prebuilt((orm) =>
		orm.run(sql`
			delete from ${webhookAttempts} where (${webhookAttempts.deliveryId}, ${webhookAttempts.position}) in (
				select ${d.id}, ${d.attemptPosition} - ${KEPT_ATTEMPTS} from ${webhookDeliveries} ${d} where ${claimed} and ${d.attemptPosition} > ${KEPT_ATTEMPTS})`),
	);
const dropOldAttempts = droppingOldAttempts(claimedHere);
const dropOldAttemptsOfBatches = droppingOldAttempts(claimedInBatches);

const claimedBy = (claimed: SQL) =>
	prebuilt((orm) =>
		orm.all<Omit<Claimed, "keys"> & { keys: string }>(sql`
			select ${d.id} as "id", ${d.claim} as "claim", ${begunColumns}, ${d.eventType} as "eventType", ${bodyOf(d)} as "body", ${w.batchSize} as "batchSize",
				${w.name} as "webhookName", ${w.url} as "url", ${w.timeoutMs} as "timeoutMs", ${w.sealedHeaders} as "sealedHeaders", ${w.slow} as "isSlow",
				${lastFailedBefore(d)} as "afterFailed",
				(select json_group_array(json_object('id', key_id, 'sealedSecret', sealed, 'expiresAt', until)) from (
					select ${webhookSigningKeys.id} as key_id, ${webhookSigningKeys.sealedSecret} as sealed, ${webhookSigningKeys.expiresAt} as until from ${webhookSigningKeys}
					where ${webhookSigningKeys.webhookId} = ${w.id} and ${isActive(now)} order by ${webhookSigningKeys.createdAt} desc, ${webhookSigningKeys.id} desc)) as "keys"
			from ${webhookDeliveries} ${d} join ${webhookEndpoints} ${w} on ${w.id} = ${d.webhookId} where ${claimed}`),
	);
export const claimedNow = claimedBy(claimedHere);
const claimedInBatchesNow = claimedBy(claimedInBatches);
const leaving = (free: SQL) =>
	prebuilt((orm) =>
		orm.all<Left>(sql`
			select ${d.id} as "id", ${targetColumns},
				case when ${w.url} in ${urls} and ${isOverRate} then 1 + (${usedUntil} - ${realNowUs} - (${atOnce} - 1) / 2 * ${costUs}) / 1000 else 0 end as "waitMs"
			from ${webhookDeliveries} ${d} join ${webhookEndpoints} ${w} on ${w.id} = ${d.webhookId}
			where ${d.id} in ${ids} and ${isDue(dueBy)} and (${w.url} not in ${urls} or ${isOverRate} or ${free} > 0)`),
	);
const leftNow = leaving(free);
const leftBesideBatches = leaving(freeOrBatches);

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
	const isOrdered = of.targets.some(({ isOrdered }) => isOrdered);
	if (of.targets.some(({ batchSize }) => typeof batchSize === "number"))
		return [
			...(isOrdered ? [putBehindInBatches(values)] : []),
			moveLastAttemptsOfBatches(values),
			claimBatches(values),
			useRateInBatches(values),
			dropOldAttemptsOfBatches(values),
			claimedInBatchesNow(values),
			leftBesideBatches(values),
		];
	return [
		...(isOrdered ? [putBehind(values)] : []),
		moveLastAttempts(values),
		claimDue(values),
		useRate(values),
		dropOldAttempts(values),
		claimedNow(values),
		leftNow(values),
	];
};

export type LastResults = readonly [claimed: Awaited<ReturnType<typeof claimedNow>>, left: Awaited<ReturnType<typeof leftNow>>];
