// Ends of attempts that cannot suspend their endpoint or warn of it: the delivery has arrived, or has attempts left. Most ends are such.
// The same few statements write them, for any number of ends and endpoints.

import { inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare } from "../../../db/columns";
import { type Effect, effect, type Write } from "../../../db/database";
import { prebuilt } from "../../../db/prebuilt";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import type { End } from "../attempts/end.policy";
import { errorClassOf, isGone, lastError, slowness } from "../attempts/policy";
import { DELIVERY_TRANSITIONS } from "../endpoints/lifecycle";
import { keepReceipts, removeReceived } from "../keeping/receipts.store";
import { nextOfEntities } from "./order.store";

const delivery = alias(webhookDeliveries, "delivery");
const endpoint = alias(webhookEndpoints, "endpoint");

/** Ends are handed over as JSON, which cannot carry a NUL to SQLite. */
export const canBeGrouped = ({ attempt: { isTest }, ended, ended: { outcome, responseBody }, after }: End): boolean =>
	after.status !== "FAILED" && !isGone(isTest, ended) && outcome !== "BLOCKED_ADDRESS" && !responseBody?.includes("\0");

/** Writes nothing for those whose claim is no longer held. */
export function endGrouped(services: Services, ends: readonly End[]): Write[] {
	if (ends.length === 0) return [];
	const delivered = ends.filter(({ after }) => after.status === "DELIVERED");
	const postponed = ends.filter(({ after }) => after.status === "PENDING");
	return [
		updateEndpoints({ ends: JSON.stringify(ends.map(forEndpoint)) }),
		...(delivered.length > 0 ? deliver(services, delivered) : []),
		...nextOfEntities(services, delivered),
		...(postponed.length > 0 ? [postpone(services, postponed)] : []),
	];
}

const { placeholder } = sql;

/** Whether the claim of the end is still the claim of the delivery. */
const stillClaimed = sql`${delivery.claim} = ended_attempt.value ->> 'claim'`;

const forEndpoint = ({ attempt: { id, claim, url, isTest }, ended }: End) => {
	const speed = slowness(ended);
	return { id, claim, url, succeeded: ended.outcome === "DELIVERED" && !isTest ? 1 : 0, slow: speed && (speed === "SLOW" ? 1 : 0) };
};

/** Updates the speed and the failures in a row of endpoints that still have the URL of the attempt. */
const updateEndpoints = prebuilt((orm) =>
	orm.run(sql`
		with ended as materialized (
			select ${delivery.webhookId} as webhook_id, max(ended_attempt.value ->> 'succeeded') as succeeded, max(ended_attempt.value ->> 'slow') as slow
			from json_each(${placeholder("ends")}) ended_attempt cross join ${webhookDeliveries} ${delivery} on ${delivery.id} = ended_attempt.value ->> 'id'
				cross join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = ${delivery.webhookId} and ${endpoint.url} = ended_attempt.value ->> 'url'
			where ${stillClaimed} group by ${delivery.webhookId})
		update ${webhookEndpoints} set
			${bare(webhookEndpoints.failuresInRow)} = case when ended.succeeded then 0 else ${webhookEndpoints.failuresInRow} end, ${bare(webhookEndpoints.slow)} = coalesce(ended.slow, ${webhookEndpoints.slow}),
			${bare(webhookEndpoints.troubledSince)} = case when ended.succeeded and ${webhookEndpoints.status} = 'ACTIVE' then null else ${webhookEndpoints.troubledSince} end
		from ended where ${webhookEndpoints.id} = ended.webhook_id
			and ((ended.succeeded and ${webhookEndpoints.failuresInRow} <> 0) or ${webhookEndpoints.slow} <> ended.slow)`),
);

const forDelivery = ({ attempt: { id, claim }, ended, after, roundInterrupted }: End) => {
	const errorClass = errorClassOf(ended);
	const { startedAt, outcome, durationMs, responseStatus, responseBody } = ended;
	const failure = { dueAt: after.nextAttemptAt, outcome, errorClass, lastError: lastError(errorClass, ended), roundInterrupted };
	return { id, claim, startedAt, durationMs, responseStatus, responseBody, ...(after.status === "PENDING" && failure) };
};

const endedClaim = (from: readonly string[]): SQL => sql`
	${webhookDeliveries.id} = ended_attempt.value ->> 'id' and ${webhookDeliveries.claim} = ended_attempt.value ->> 'claim'
	and ${inArray(webhookDeliveries.status, from as readonly ["PENDING"])}`;

const response = assign(webhookDeliveries, {
	attemptStartedAt: sql`coalesce(ended_attempt.value ->> 'startedAt', ${webhookDeliveries.attemptStartedAt})`,
	attemptDurationMs: sql`ended_attempt.value ->> 'durationMs'`,
	responseStatus: sql`ended_attempt.value ->> 'responseStatus'`,
	responseBody: sql`ended_attempt.value ->> 'responseBody'`,
});

const { DELIVER, POSTPONE } = DELIVERY_TRANSITIONS;

const deliverStatement = prebuilt((orm) =>
	orm.all<{ id: string }>(sql`
		update ${webhookDeliveries} set
			${bare(webhookDeliveries.status)} = ${DELIVER.to}, ${bare(webhookDeliveries.claim)} = null, ${bare(webhookDeliveries.claimedUntil)} = null, ${bare(webhookDeliveries.nextAttemptAt)} = null, ${bare(webhookDeliveries.lastError)} = null,
			${bare(webhookDeliveries.deliveredAt)} = ${placeholder("now")}, ${bare(webhookDeliveries.failedAt)} = null, ${bare(webhookDeliveries.attemptOutcome)} = 'DELIVERED', ${bare(webhookDeliveries.attemptErrorClass)} = null, ${response}
		from json_each(${placeholder("ends")}) ended_attempt where ${endedClaim(DELIVER.from)}
		returning ${webhookDeliveries.id}`),
);

/** Does not set the status, which stays PENDING, because that would write its indexes again. Holds deliveries of suspended endpoints. */
const postponeStatement = prebuilt((orm) =>
	orm.all<{ id: string }>(sql`
		update ${webhookDeliveries} set
			${bare(webhookDeliveries.claim)} = null, ${bare(webhookDeliveries.claimedUntil)} = null,
			${bare(webhookDeliveries.nextAttemptAt)} = case
				when exists (select 1 from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookDeliveries.webhookId} and ${endpoint.status} = 'ACTIVE')
				then ended_attempt.value ->> 'dueAt' end,
			${bare(webhookDeliveries.roundInterrupted)} = ended_attempt.value ->> 'roundInterrupted', ${bare(webhookDeliveries.lastError)} = ended_attempt.value ->> 'lastError', ${bare(webhookDeliveries.deliveredAt)} = null, ${bare(webhookDeliveries.failedAt)} = null,
			${bare(webhookDeliveries.attemptOutcome)} = ended_attempt.value ->> 'outcome', ${bare(webhookDeliveries.attemptErrorClass)} = ended_attempt.value ->> 'errorClass', ${response}
		from json_each(${placeholder("ends")}) ended_attempt where ${endedClaim(POSTPONE.from)}
		returning ${webhookDeliveries.id}`),
);

/** A delivery whose first attempt succeeded is kept as a receipt, in place of its row. */
function deliver(services: Services, ends: readonly End[]): Write[] {
	const values = { now: services.now, ends: JSON.stringify(ends.map(forDelivery)) };
	return [
		keepReceipts(values),
		effect([removeReceived(values), deliverStatement(values)], ([received, others]) =>
			afterRecording(services, ends, [...received, ...others]),
		),
	];
}

function postpone(services: Services, ends: readonly End[]): Effect {
	const statement = postponeStatement({ ends: JSON.stringify(ends.map(forDelivery)) });
	return effect([statement], ([rows]) => afterRecording(services, ends, rows));
}

/** Logs the ends that were not recorded. */
export function afterRecording({ log }: Services, ends: readonly End[], rows: readonly { id: string }[]): void {
	const recorded = new Set(rows.map(({ id }) => id));
	for (const { attempt, ended } of ends)
		if (!recorded.has(attempt.id)) log.info("an attempt ended after its claim", { delivery_id: attempt.id, outcome: ended.outcome });
}
