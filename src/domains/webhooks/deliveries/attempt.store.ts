// Ends of attempts in D1. The last attempt of a delivery is in the delivery's row. One commit records its end and all consequences for
// the delivery and its endpoint. Only the run that holds the claim can end an attempt, and only once.

import { inArray, type SQL, sql } from "drizzle-orm";
import { assign, bare } from "../../../db/columns";
import { type Effect, effect, type Statement, type Write } from "../../../db/database";
import { ALWAYS } from "../../../db/prebuilt";
import { raise } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import { toTimestamp } from "../../../shared/time";
import type { SuspensionReason } from "../../../shared/webhook-states";
import { type Begun, type End, type Ended, endOf } from "../attempts/end.policy";
import { errorClassOf, isEndpointsFailure, isGone, lastError, SUSPEND_AT_FAILURES, slowness, WARN_AT_FAILURES } from "../attempts/policy";
import { nextProbe } from "../attempts/probes.policy";
import { DELIVERY_TRANSITIONS, ENDPOINT_TRANSITIONS } from "../endpoints/lifecycle";
import { holdPending, releaseHeld } from "../endpoints/store";
import { webhookFailing, webhookSuspended } from "../events";
import { countEnds } from "../statistics/store";
import { wakeLater } from "../wake.store";
import { afterRecording, canBeGrouped, endGrouped } from "./grouped-ends.store";
import { nextOfEntities } from "./order.store";

/** The delivery's transition, by the status that follows its attempt. */
const MOVES = { PENDING: DELIVERY_TRANSITIONS.POSTPONE, DELIVERED: DELIVERY_TRANSITIONS.DELIVER, FAILED: DELIVERY_TRANSITIONS.FAIL };

/** The writes that end attempts, with all consequences of their outcomes. An attempt whose claim is no longer held changes nothing. */
export function endAttempts(services: Services, begunAndEnded: readonly (readonly [Begun, Ended])[]): Write[] {
	const ends = begunAndEnded.map(([attempt, ended]) => endOf(attempt, ended, services.now, Math.random()));
	const grouped = ends.filter(canBeGrouped);
	return [
		...countEnds(services, begunAndEnded),
		...ends.filter((end) => !canBeGrouped(end)).flatMap((end) => endAttempt(services, end)),
		...releaseAfter(services, grouped),
		...endGrouped(services, grouped),
		wakeLater(services, [...new Set(begunAndEnded.map(([{ webhookId }]) => webhookId))]),
	];
}

/** Releases held deliveries after any outcome: a resume lets one attempt go first, and its end, even a failure, releases more. */
function releaseAfter(services: Services, ends: readonly End[]): Effect[] {
	const atHolding = Map.groupBy(
		ends.filter(({ attempt }) => attempt.isHolding),
		({ attempt }) => attempt.webhookId,
	);
	return [...atHolding].map(([webhookId, own]) => {
		const claims = JSON.stringify(own.map(({ attempt: { id, claim } }) => ({ id, claim })));
		const held = sql`exists (
			select 1 from ${webhookDeliveries}
			where (${webhookDeliveries.id}, ${webhookDeliveries.claim}) in (select value ->> 'id', value ->> 'claim' from json_each(${claims})))`;
		return releaseHeld(services, webhookId, held);
	});
}

function endAttempt(services: Services, end: End): Write[] {
	const { attempt, ended, after, roundInterrupted } = end;
	const { now, db } = services;
	const { orm } = db;
	const { outcome } = ended;
	const { roundAttempts } = attempt;
	const endpointFailed = after.status === "FAILED" && !attempt.isTest && isEndpointsFailure({ roundAttempts, roundInterrupted });
	const errorClass = errorClassOf(ended);
	const move = MOVES[after.status];
	const blocked = outcome === "BLOCKED_ADDRESS";
	const gone = isGone(attempt.isTest, ended);
	// A blocked address suspends the endpoint, which holds the delivery. If its URL was changed meanwhile, it is not suspended
	// and the delivery is due immediately.
	const dueAt = blocked ? now : after.nextAttemptAt;
	const delivery = sql`${webhookDeliveries.id} = ${attempt.id} and ${webhookDeliveries.claim} = ${attempt.claim}`;
	const held = sql`exists (select 1 from ${webhookDeliveries} where ${delivery})`;
	const endpointWhere = (condition: SQL) =>
		sql`exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${attempt.webhookId} and ${condition})`;
	const activeThere = (condition = ALWAYS) =>
		sql`${held} and ${endpointWhere(sql`${webhookEndpoints.status} = 'ACTIVE' and ${webhookEndpoints.url} = ${attempt.url} and ${condition}`)}`;
	return [
		...(gone ? suspend(services, attempt, { reason: "GONE", when: activeThere() }) : []),
		...(endpointFailed ? afterFailure(services, attempt, activeThere) : []),
		...(blocked ? suspend(services, attempt, { reason: "PRIVATE_ADDRESS", when: activeThere() }) : []),
		...endpointAfter(services.now, attempt, ended, endpointFailed, held),
		...(blocked || gone || endpointFailed ? [holdIfSuspended(services, attempt, held)] : []),
		...releaseAfter(services, [end]),
		effect(
			[
				orm.all<{ id: string }>(sql`
					update ${webhookDeliveries} set
						${assign(webhookDeliveries, {
							status: move.to,
							claim: null,
							claimedUntil: null,
							nextAttemptAt: sql`case when ${endpointWhere(sql`${webhookEndpoints.status} = 'ACTIVE'`)} then ${dueAt} end`,
							roundInterrupted,
							attempts: sql`${webhookDeliveries.attempts} - ${blocked ? 1 : 0}`,
							roundAttempts: sql`${webhookDeliveries.roundAttempts} - ${blocked ? 1 : 0}`,
							lastError: lastError(errorClass, ended),
							deliveredAt: after.status === "DELIVERED" ? now : null,
							failedAt: after.status === "FAILED" ? now : null,
							attemptNumber: blocked ? null : sql`${webhookDeliveries.attemptNumber}`,
							attemptStartedAt: ended.startedAt ?? sql`${webhookDeliveries.attemptStartedAt}`,
							attemptDurationMs: ended.durationMs,
							attemptOutcome: outcome,
							attemptErrorClass: errorClass,
							responseStatus: ended.responseStatus,
							responseBody: ended.responseBody,
						})}
						where ${delivery} and ${inArray(webhookDeliveries.status, move.from)}
					returning ${webhookDeliveries.id}`),
			],
			([rows]) => afterRecording(services, [end], rows),
		),
		...nextOfEntities(services, [end]),
	];
}

const isSuspended = sql`${webhookEndpoints.status} = 'SUSPENDED'`;

/** Updates the endpoint's speed and failures in a row, if it still has the URL of the attempt. */
function endpointAfter(now: number, { webhookId, url, isTest }: Begun, ended: Ended, endpointFailed: boolean, held: SQL): SQL[] {
	const speed = slowness(ended);
	const slow = speed === undefined ? sql`${webhookEndpoints.slow}` : sql`${speed === "SLOW" ? 1 : 0}`;
	const failures =
		ended.outcome === "DELIVERED" && !isTest
			? sql`0`
			: endpointFailed
				? sql`${webhookEndpoints.failuresInRow} + 1`
				: sql`${webhookEndpoints.failuresInRow}`;
	const troubledSince = sql`case when ${failures} > 0 or ${isSuspended} then coalesce(${webhookEndpoints.troubledSince}, ${now}) end`;
	return [
		sql`
			update ${webhookEndpoints} set ${assign(webhookEndpoints, { failuresInRow: failures, slow, troubledSince })}
						where ${webhookEndpoints.id} = ${webhookId} and ${webhookEndpoints.url} = ${url} and (${webhookEndpoints.failuresInRow} <> ${failures} or ${webhookEndpoints.slow} <> ${slow}) and ${held}`,
	];
}

/** The warnings and the suspension after one more failure. SQL decides within the commit, so concurrent failures are counted correctly. */
function afterFailure(services: Services, attempt: Begun, activeThere: (condition: SQL) => SQL): Effect[] {
	const { organizationId, webhookId, webhookName } = attempt;
	const warnings = WARN_AT_FAILURES.map((failures) =>
		raise(services, webhookFailing, {
			organizationId,
			data: { webhook_id: webhookId, name: webhookName, failures_in_row: failures, suspended_at_failures: SUSPEND_AT_FAILURES },
			except: webhookId,
			when: activeThere(sql`${webhookEndpoints.failuresInRow} = ${failures - 1}`),
		}),
	);
	const tenth = activeThere(sql`${webhookEndpoints.failuresInRow} >= ${SUSPEND_AT_FAILURES - 1}`);
	return [...warnings, ...suspend(services, attempt, { reason: "TEN_FAILED_DELIVERIES", when: tenth })];
}

const { SUSPEND } = ENDPOINT_TRANSITIONS;

type Suspension = { reason: SuspensionReason; when: SQL };

function suspend(services: Services, { organizationId, webhookId, webhookName }: Begun, { reason, when }: Suspension): Effect[] {
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
					update ${webhookEndpoints} set ${assign(webhookEndpoints, {
						status: SUSPEND.to,
						troubledSince: sql`coalesce(${webhookEndpoints.troubledSince}, ${now})`,
						suspendedAt: now,
						suspensionReason: reason,
						releasedUntil: null,
						probeAt:
							reason === "TEN_FAILED_DELIVERIES" ? sql`case when ${webhookEndpoints.autoRecover} then ${nextProbe(now, now)} end` : null,
						updatedAt: now,
					})}
						where ${webhookEndpoints.id} = ${webhookId} and ${inArray(webhookEndpoints.status, SUSPEND.from)} and ${when}`),
			],
		},
	];
}

const holdIfSuspended = ({ db: { orm } }: Services, { webhookId }: Begun, held: SQL): Statement =>
	holdPending(
		orm,
		webhookId,
		sql`${held} and exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${webhookId} and ${webhookEndpoints.status} = 'SUSPENDED')`,
	);

/** Moves the endpoint's other deliveries to the SLOW lane while this attempt is still waiting for a response. */
export const markSlow = ({ db: { orm } }: Services, { webhookId, url }: Begun): Statement =>
	orm.run(
		sql`update ${webhookEndpoints} set ${bare(webhookEndpoints.slow)} = 1 where ${webhookEndpoints.id} = ${webhookId} and ${webhookEndpoints.url} = ${url} and ${webhookEndpoints.slow} = 0`,
	);
