// Ends of attempts that decide nothing about their endpoint, which are most of them: a delivery has arrived, or fails with attempts left.
// However many there are, at however many endpoints, the same few statements write them.

import { inArray, type SQL, sql } from "drizzle-orm";
import { type Effect, effect, type Write } from "../../../db/database";
import { prebuilt } from "../../../db/prebuilt";
import { laneSql } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Lane } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { DELIVERY_TRANSITIONS } from "../endpoints/lifecycle";
import type { End } from "./attempt.policy";
import { errorClassOf, lastError, slowness } from "./policy";

/** Ends are handed over as JSON, which cannot carry a NUL to SQLite. */
export const canBeGrouped = ({ ended: { outcome, responseBody }, after }: End): boolean =>
	after.status !== "FAILED" && outcome !== "BLOCKED_ADDRESS" && !responseBody?.includes("\0");

/** Writes nothing for those whose claim is no longer held. */
export function endGrouped(services: Services, ends: readonly End[]): Write[] {
	if (ends.length === 0) return [];
	const delivered = ends.filter(({ after }) => after.status === "DELIVERED");
	const postponed = ends.filter(({ after }) => after.status === "PENDING");
	return [
		updateEndpoints({ ends: JSON.stringify(ends.map(forEndpoint)) }),
		...(delivered.length > 0 ? [deliver(services, delivered)] : []),
		...(postponed.length > 0 ? [postpone(services, postponed)] : []),
	];
}

const { placeholder } = sql;

/** Whether the claim of the end `e` is still the claim of the delivery `d`. */
const stillClaimed = sql`d.claim = e.value ->> 'claim' and d.claimed_until is not null`;

const forEndpoint = ({ attempt: { id, claim, url, isTest }, ended }: End) => {
	const speed = slowness(ended);
	return { id, claim, url, succeeded: ended.outcome === "DELIVERED" && !isTest ? 1 : 0, slow: speed && (speed === "SLOW" ? 1 : 0) };
};

/** What the ends say about their endpoints, where the URL is still the one of the attempt. */
const updateEndpoints = prebuilt((orm) =>
	orm.run(sql`
		with ended as materialized (
			select d.webhook_id, max(e.value ->> 'succeeded') as succeeded, max(e.value ->> 'slow') as slow
			from json_each(${placeholder("ends")}) e cross join ${webhookDeliveries} d on d.id = e.value ->> 'id'
				cross join ${webhookEndpoints} w on w.id = d.webhook_id and w.url = e.value ->> 'url'
			where ${stillClaimed} group by d.webhook_id)
		update ${webhookEndpoints} set
			failures_in_row = case when ended.succeeded then 0 else failures_in_row end, slow = coalesce(ended.slow, webhook_endpoints.slow)
		from ended where webhook_endpoints.id = ended.webhook_id
			and ((ended.succeeded and failures_in_row <> 0) or webhook_endpoints.slow <> ended.slow)`),
);

const forDelivery = ({ attempt: { id, claim }, ended, after, roundInterrupted }: End) => {
	const errorClass = errorClassOf(ended);
	const { outcome, durationMs, responseStatus, responseBody } = ended;
	const failure = { dueAt: after.nextAttemptAt, outcome, errorClass, lastError: lastError(errorClass, ended), roundInterrupted };
	return { id, claim, durationMs, responseStatus, responseBody, ...(after.status === "PENDING" && failure) };
};

const endedClaim = (from: readonly string[]): SQL => sql`
	webhook_deliveries.id = e.value ->> 'id' and claim = e.value ->> 'claim' and claimed_until is not null
	and ${inArray(webhookDeliveries.status, from as readonly ["PENDING"])}`;

const response = sql`
	attempt_duration_ms = e.value ->> 'durationMs', response_status = e.value ->> 'responseStatus', response_body = e.value ->> 'responseBody'`;

const { DELIVER, POSTPONE } = DELIVERY_TRANSITIONS;

const deliverStatement = prebuilt((orm) =>
	orm.all<{ id: string }>(sql`
		update ${webhookDeliveries} set
			status = ${DELIVER.to}, claim = null, claimed_until = null, next_attempt_at = null, last_error = null,
			delivered_at = ${placeholder("now")}, failed_at = null, attempt_outcome = 'DELIVERED', attempt_error_class = null, ${response}
		from json_each(${placeholder("ends")}) e where ${endedClaim(DELIVER.from)}
		returning id`),
);

/** The status stays, and setting it would write its indexes again. A delivery whose endpoint was suspended meanwhile is held. */
const postponeStatement = prebuilt((orm) =>
	orm.all<{ id: string; nextAttemptAt: number | null; lane: Lane | null }>(sql`
		update ${webhookDeliveries} set
			claim = null, claimed_until = null,
			next_attempt_at = case
				when exists (select 1 from ${webhookEndpoints} w where w.id = webhook_deliveries.webhook_id and w.status = 'ACTIVE')
				then e.value ->> 'dueAt' end,
			round_interrupted = e.value ->> 'roundInterrupted', last_error = e.value ->> 'lastError', delivered_at = null, failed_at = null,
			attempt_outcome = e.value ->> 'outcome', attempt_error_class = e.value ->> 'errorClass', ${response}
		from json_each(${placeholder("ends")}) e where ${endedClaim(POSTPONE.from)}
		returning id, next_attempt_at as "nextAttemptAt", ${laneSql}`),
);

function deliver(services: Services, ends: readonly End[]): Effect {
	const statement = deliverStatement({ now: services.now, ends: JSON.stringify(ends.map(forDelivery)) });
	return effect([statement], ([rows]) => afterRecording(services, ends, rows));
}

function postpone(services: Services, ends: readonly End[]): Effect {
	const statement = postponeStatement({ ends: JSON.stringify(ends.map(forDelivery)) });
	return effect([statement], ([rows]) => afterRecording(services, ends, rows));
}

/** A delivery whose end was recorded, with its next attempt if there may be one. */
type Recorded = { id: string; nextAttemptAt?: number | null; lane?: Lane | null };

/** Queues the next attempts, and logs the ends that were not recorded. */
export function afterRecording({ log, now, queue, afterwards }: Services, ends: readonly End[], rows: readonly Recorded[]): void {
	const recorded = new Set(rows.map(({ id }) => id));
	for (const { attempt, ended } of ends)
		if (!recorded.has(attempt.id)) log.info("an attempt ended after its claim", { delivery_id: attempt.id, outcome: ended.outcome });
	const due = rows.flatMap(({ id, nextAttemptAt, lane }) =>
		nextAttemptAt == null ? [] : [{ id, lane: lane ?? ("SLOW" as const), delaySeconds: (nextAttemptAt - now) / 1000 }],
	);
	if (due.length > 0) afterwards(() => queue.poke(due));
}
