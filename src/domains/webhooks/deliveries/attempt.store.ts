// Attempts in D1. The last attempt of a delivery is in the delivery's row. An attempt is claimed before it is made, so that a crash leaves a trace. One commit records its end and
// all consequences for the delivery and its endpoint. Only the run that holds the claim can end an attempt, and only once.

import { inArray, type SQL, sql } from "drizzle-orm";
import { type Effect, effect, type Statement, type Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Lane, Poked } from "../../../runtime/ports";
import type { JobServices, Services } from "../../../runtime/services";
import { toTimestamp } from "../../../shared/time";
import type { ConnectionError, Outcome, SuspensionReason } from "../../../shared/webhook-states";
import { DELIVERY_TRANSITIONS, ENDPOINT_TRANSITIONS } from "../endpoints/lifecycle";
import { failDeliveries, holdPending, releaseHeld } from "../endpoints/store";
import { webhookFailing, webhookSuspended } from "../events";
import { isActive } from "../signing/store";
import { webhookAttempts, webhookSigningKeys } from "../table";
import { afterAttempt, errorClassOf, lastError, SUSPEND_AT_FAILURES, WARN_AT_FAILURES } from "./policy";
import { bodyOf } from "./store";

/** How much longer than the endpoint's timeout a claim is valid: time for the DNS look-ups before the request and the commit after it. */
export const LEASE_MARGIN_MS = 10_000;

/** An attempt that has begun. */
export type Begun = {
	id: string;
	claim: string;
	position: number;
	roundAttempts: number;
	/** 1 for a test, which says nothing about the endpoint's failures in a row. */
	isTest: number;
	organizationId: string;
	webhookId: string;
	webhookName: string;
	/** The endpoint's URL when the attempt began. */
	url: string;
};

/** An attempt that this run claimed, with everything it needs to make it. */
export type Claimed = Begun & {
	eventType: string;
	body: string;
	timeoutMs: number;
	sealedHeaders: string | null;
	/** Active keys, newest first. */
	keys: readonly { id: string; sealedSecret: string; expiresAt: number | null }[];
};

export type Ended = {
	outcome: Outcome;
	durationMs: number | null;
	responseStatus: number | null;
	responseBody: string | null;
	/** How the connection failed, where there was no answer. */
	connectionError?: ConnectionError | undefined;
	/** Why it failed, where that is known. */
	failure?: string | undefined;
	/** The wait that a 429 or 503 response asked for. */
	retryAfterMs?: number | undefined;
};

const idsIn = (ids: readonly string[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** Attempts of a delivery that are kept, the last one included; a manual retry a minute would otherwise fill the log without end. */
const KEPT_ATTEMPTS = 100;

/**
 * Claims those of the deliveries that are due and unclaimed, and loads what their attempts need, in one round trip. In the FIRST
 * lane, deliveries of failing endpoints are not claimed but moved to the RETRY lane.
 */
export async function claim(services: JobServices, ids: readonly string[], lane: Lane | undefined): Promise<readonly Claimed[]> {
	const { db, now, realNow } = services;
	const { orm } = db;
	const token = crypto.randomUUID();
	const free = sql`id in ${idsIn(ids)} and status = 'PENDING' and claimed_until is null`;
	const endpointIs = (condition: SQL) =>
		sql`exists (select 1 from ${webhookEndpoints} w where w.id = webhook_deliveries.webhook_id and w.status = 'ACTIVE' and ${condition})`;
	const claimable = sql`${free} and next_attempt_at <= ${now} and ${lane === "FIRST" ? sql`lane = 'FIRST'` : sql`true`} and ${endpointIs(sql`true`)}`;
	const [moved, , , , claimed] = await db.commit([
		orm.all<Poked>(sql`
			update ${webhookDeliveries} set lane = 'RETRY'
			where ${free} and ${lane === "FIRST" ? sql`lane = 'FIRST'` : sql`false`} and ${endpointIs(sql`w.failing`)}
			returning id, lane`),
		// The attempt before this one makes room for it.
		orm.run(sql`
			insert into ${webhookAttempts} (delivery_id, position, number, trigger, started_at, duration_ms, outcome, error_class, response_status, response_body)
			select id, attempt_position, attempt_number, attempt_trigger, attempt_started_at, attempt_duration_ms, attempt_outcome, attempt_error_class, response_status, response_body
			from ${webhookDeliveries} where ${claimable} and attempt_position > 0`),
		orm.run(sql`
			update ${webhookDeliveries} set
				claim = ${token},
				claimed_until = ${realNow + LEASE_MARGIN_MS} + (select timeout_ms from ${webhookEndpoints} w where w.id = webhook_deliveries.webhook_id),
				attempts = attempts + 1, round_attempts = round_attempts + 1,
				attempt_position = attempt_position + 1, attempt_number = attempts + 1,
				attempt_trigger = case when round > 1 and round_attempts = 0 then 'MANUAL' else 'AUTOMATIC' end,
				attempt_started_at = ${now}, attempt_duration_ms = null, attempt_outcome = null, attempt_error_class = null, response_status = null, response_body = null
			where ${claimable}`),
		orm.run(sql`
			delete from ${webhookAttempts} where (delivery_id, position) in (
				select id, attempt_position - ${KEPT_ATTEMPTS} from ${webhookDeliveries} where id in ${idsIn(ids)} and claim = ${token})`),
		orm.all<Omit<Claimed, "keys" | "claim"> & { keys: string }>(sql`
			select d.id as "id", d.organization_id as "organizationId", d.webhook_id as "webhookId", d.event_type as "eventType",
				${bodyOf(sql`d`)} as "body", d.round_attempts as "roundAttempts", d.test_data is not null as "isTest", w.name as "webhookName", w.url as "url",
				w.timeout_ms as "timeoutMs", w.sealed_headers as "sealedHeaders", d.attempt_position as "position",
				(select json_group_array(json_object('id', id, 'sealedSecret', sealed_secret, 'expiresAt', expires_at)) from (
					select id, sealed_secret, expires_at from ${webhookSigningKeys}
					where webhook_id = w.id and ${isActive(now)} order by created_at desc, id desc)) as "keys"
			from ${webhookDeliveries} d join ${webhookEndpoints} w on w.id = d.webhook_id
			where d.id in ${idsIn(ids)} and d.claim = ${token}`),
	]);
	if (moved.length > 0) services.afterwards(services.queue.poke(moved));
	return claimed.map((row) => ({ ...row, claim: token, keys: JSON.parse(row.keys) }));
}

/** The move of the delivery by the status that its attempt leads to. */
const MOVES = { PENDING: DELIVERY_TRANSITIONS.POSTPONE, DELIVERED: DELIVERY_TRANSITIONS.DELIVER, FAILED: DELIVERY_TRANSITIONS.FAIL };

/** What ends an attempt and all that follows from its outcome. Writes nothing when the claim is no longer held. */
export function endAttempt(services: Services, attempt: Begun, ended: Ended, random = Math.random()): Write[] {
	const { now, db } = services;
	const { orm } = db;
	const { outcome } = ended;
	const errorClass = errorClassOf(ended);
	const after = afterAttempt({ roundAttempts: attempt.roundAttempts, outcome, retryAfterMs: ended.retryAfterMs, now, random });
	const move = MOVES[after.status];
	const blocked = outcome === "BLOCKED_ADDRESS";
	// A blocked address suspends the endpoint, which holds the delivery. If its URL was changed meanwhile, it is not suspended
	// and the delivery is due immediately.
	const dueAt = blocked ? now : after.nextAttemptAt;
	const delivery = sql`id = ${attempt.id} and claim = ${attempt.claim} and claimed_until is not null`;
	const held = sql`exists (select 1 from ${webhookDeliveries} where ${delivery})`;
	const endpointWhere = (condition: SQL) =>
		sql`exists (select 1 from ${webhookEndpoints} where id = ${attempt.webhookId} and ${condition})`;
	return [
		...(after.status === "FAILED" && !attempt.isTest ? afterFailure(services, attempt, held, endpointWhere) : []),
		...(blocked
			? suspend(services, attempt, "PRIVATE_ADDRESS", sql`${held} and ${endpointWhere(sql`status = 'ACTIVE' and url = ${attempt.url}`)}`)
			: []),
		orm.run(endpointAfter(attempt, outcome, after.status, held)),
		...(blocked || after.status === "FAILED" ? [holdIfSuspended(services, attempt, held)] : []),
		// Whatever the outcome: of what a resume left held, only the first attempt goes before the others.
		releaseHeld(services, attempt.webhookId, held),
		effect(
			[
				orm.all<{ nextAttemptAt: number | null }>(sql`
					update ${webhookDeliveries} set
						status = ${move.to}, claim = null, claimed_until = null,
						lane = ${outcome === "DELIVERED" ? sql`lane` : "RETRY"},
						next_attempt_at = case when ${endpointWhere(sql`status = 'ACTIVE'`)} then ${dueAt} end,
						attempts = attempts - ${blocked ? 1 : 0}, round_attempts = round_attempts - ${blocked ? 1 : 0},
						last_error = ${lastError(errorClass, ended)},
						delivered_at = ${after.status === "DELIVERED" ? now : null}, failed_at = ${after.status === "FAILED" ? now : null},
						attempt_number = ${blocked ? null : sql`attempt_number`}, attempt_duration_ms = ${ended.durationMs},
						attempt_outcome = ${outcome}, attempt_error_class = ${errorClass}, response_status = ${ended.responseStatus}, response_body = ${ended.responseBody}
					where ${delivery} and ${inArray(webhookDeliveries.status, move.from)}
					returning next_attempt_at as "nextAttemptAt"`),
			],
			([[row]]) => {
				if (!row) services.log.info("an attempt ended after its claim", { delivery_id: attempt.id, outcome });
				const due = row?.nextAttemptAt;
				if (due === undefined || due === null) return;
				services.afterwards(services.queue.poke([{ id: attempt.id, lane: "RETRY", delaySeconds: (due - now) / 1000 }]));
			},
		),
	];
}

function endpointAfter(attempt: Begun, outcome: Outcome, status: string, held: SQL): SQL {
	const where = sql`id = ${attempt.webhookId} and ${held}`;
	const failures = attempt.isTest ? sql`failures_in_row` : status === "DELIVERED" ? sql`0` : sql`failures_in_row + 1`;
	if (status === "DELIVERED")
		return sql`update ${webhookEndpoints} set failures_in_row = ${failures}, failing = 0 where ${where} and (failures_in_row <> 0 or failing <> 0)`;
	// A blocked address has already suspended the endpoint; an attempt that we interrupted says nothing about it.
	const failing = outcome === "INTERRUPTED" || outcome === "BLOCKED_ADDRESS" ? sql`failing` : sql`1`;
	return status === "FAILED"
		? sql`update ${webhookEndpoints} set failing = ${failing}, failures_in_row = ${failures} where ${where}`
		: sql`update ${webhookEndpoints} set failing = ${failing} where ${where} and failing <> ${failing}`;
}

/** The warnings and the suspension after one more failure. SQL decides within the commit, so concurrent failures are counted correctly. */
function afterFailure(services: Services, attempt: Begun, held: SQL, endpointWhere: (condition: SQL) => SQL): Effect[] {
	const { organizationId, webhookId, webhookName } = attempt;
	const warnings = WARN_AT_FAILURES.map((failures) =>
		raise(services, webhookFailing, {
			organizationId,
			data: { webhook_id: webhookId, name: webhookName, failures_in_row: failures, suspended_at_failures: SUSPEND_AT_FAILURES },
			except: webhookId,
			when: sql`${held} and ${endpointWhere(sql`status = 'ACTIVE' and failures_in_row = ${failures - 1}`)}`,
		}),
	);
	const tenth = sql`${held} and ${endpointWhere(sql`status = 'ACTIVE' and failures_in_row >= ${SUSPEND_AT_FAILURES - 1}`)}`;
	return [...warnings, ...suspend(services, attempt, "TEN_FAILED_DELIVERIES", tenth)];
}

const { SUSPEND } = ENDPOINT_TRANSITIONS;

function suspend(services: Services, { organizationId, webhookId, webhookName }: Begun, reason: SuspensionReason, when: SQL): Effect[] {
	const { now, db } = services;
	return [
		raise(services, webhookSuspended, {
			organizationId,
			data: { webhook_id: webhookId, name: webhookName, reason, suspended_at: toTimestamp(now) },
			except: webhookId,
			when,
		}),
		{
			statements: [
				db.orm.run(sql`
					update ${webhookEndpoints} set status = ${SUSPEND.to}, suspended_at = ${now}, suspension_reason = ${reason}, released_until = null, updated_at = ${now}
					where id = ${webhookId} and ${inArray(webhookEndpoints.status, SUSPEND.from)} and ${when}`),
			],
		},
	];
}

const holdIfSuspended = ({ db: { orm } }: Services, { organizationId, webhookId }: Begun, held: SQL): Statement =>
	holdPending(
		orm,
		organizationId,
		webhookId,
		sql`${held} and exists (select 1 from ${webhookEndpoints} where id = ${webhookId} and status = 'SUSPENDED')`,
	);

/** Moves the endpoint's other first attempts to the RETRY lane while this one is still waiting for a response. */
export const markSlow = ({ db: { orm } }: Services, webhookId: string): Statement =>
	orm.run(sql`update ${webhookEndpoints} set failing = 1 where id = ${webhookId} and failing = 0`);

/** The deliveries that wait for an attempt or are in flight, the longest due first. */
const longestDue = (limit: number, by?: number) => sql`(
	select id, webhook_id, lane, next_attempt_at, claimed_until from ${webhookDeliveries}
	where ${by === undefined ? sql`next_attempt_at is not null` : sql`next_attempt_at <= ${by}`}
	order by next_attempt_at limit ${limit})`;

/** How many deliveries in flight may lie before those that are looked for. */
const IN_FLIGHT = 1_000;

/** Unclaimed deliveries that are due by then, in due order. */
export const dueDeliveries = ({ db: { orm } }: Services, by: number, limit: number) =>
	orm.all<Omit<Poked, "delaySeconds"> & { dueAt: number }>(sql`
		select d.id as "id", d.lane as "lane", d.next_attempt_at as "dueAt" from ${longestDue(limit + IN_FLIGHT, by)} d
		where d.claimed_until is null limit ${limit}`);

/** Attempts whose claim expired before their end was recorded. */
export const expiredAttempts = ({ db: { orm } }: Services, realNow: number, limit: number) =>
	orm.all<Begun>(sql`
		select d.id as "id", d.claim as "claim", d.round_attempts as "roundAttempts", d.test_data is not null as "isTest", d.organization_id as "organizationId",
			d.webhook_id as "webhookId", coalesce(w.name, '') as "webhookName", coalesce(w.url, '') as "url", d.attempt_position as "position"
		from ${longestDue(limit + IN_FLIGHT)} due cross join ${webhookDeliveries} d on d.id = due.id
			left join ${webhookEndpoints} w on w.id = d.webhook_id
		where due.claimed_until <= ${realNow} limit ${limit}`);

/** When the last open claim expires, in real time; null when none is open. */
export const openClaims = ({ db: { orm } }: Services) =>
	orm.all<{ until: number | null }>(sql`select max(d.claimed_until) as "until" from ${longestDue(IN_FLIGHT)} d`);

/**
 * Holds or fails those of the longest due deliveries whose endpoint was suspended or deleted: a suspension or deletion deals with
 * one portion of them itself. The last statement counts both.
 */
export const settleUnsendable = ({ db: { orm }, now }: Services, limit: number): Statement[] => {
	const unsent = (condition: SQL) => sql`(
		select d.id from ${longestDue(limit, now)} d left join ${webhookEndpoints} w on w.id = d.webhook_id
		where d.claimed_until is null and ${condition})`;
	return [
		failDeliveries(orm, unsent(sql`w.id is null`), "WEBHOOK_DELETED", now),
		orm.run(sql`update ${webhookDeliveries} set next_attempt_at = null where id in ${unsent(sql`w.status = 'SUSPENDED'`)}`),
	];
};
