// Deliveries in the archive: each is the JSON that `GET /v1/webhooks/deliveries/{id}` answered when it was written.

import type * as z from "zod";
import { namedIn } from "../../../shared/named-persons";
import { type AttemptRow, DeliveryRecord } from "../wire";

export type Archived = z.output<typeof DeliveryRecord>;

/** As it is written. Objects are not written again, so numbers, names and mail addresses in a receiver's answer stay out of them. */
export const toArchived = (record: Archived): Archived => ({
	...record,
	attempt_log: record.attempt_log.map((attempt) => ({
		...attempt,
		response_body: attempt.response_body === null ? null : namedIn(attempt.response_body).without,
	})),
});

export const archivedFrom = (line: string): Archived => DeliveryRecord.parse(JSON.parse(line));

const instant = (timestamp: string | null) => (timestamp === null ? null : Date.parse(timestamp));

/** What the delivery's row said, and its attempts; the last of them stands in the row too. */
export function rowsFrom(archived: Archived) {
	const attempts = archived.attempt_log.map(
		(attempt, index): AttemptRow => ({
			...{ deliveryId: archived.id, position: index + 1, number: attempt.number, trigger: attempt.trigger },
			...{ startedAt: Date.parse(attempt.started_at), durationMs: attempt.duration_ms, outcome: attempt.outcome },
			...{ errorClass: attempt.error_class, responseStatus: attempt.response_status, responseBody: attempt.response_body },
		}),
	);
	const last = attempts.at(-1);
	const row = {
		...{ id: archived.id, webhookId: archived.webhook_id, eventId: archived.event_id, eventType: archived.event_type },
		...{ status: archived.status, attempts: archived.attempts, lastError: archived.last_error },
		// Each round but the first begins with an attempt by hand.
		round: 1 + attempts.filter(({ trigger }) => trigger === "MANUAL").length,
		nextAttemptAt: null,
		lastManualRetryAt: null,
		createdAt: Date.parse(archived.created_at),
		deliveredAt: instant(archived.delivered_at),
		failedAt: instant(archived.failed_at),
		attemptPosition: attempts.length,
		...(last && {
			...{ attemptNumber: last.number, attemptTrigger: last.trigger, attemptStartedAt: last.startedAt, attemptDurationMs: last.durationMs },
			...{ attemptOutcome: last.outcome, attemptErrorClass: last.errorClass },
			...{ responseStatus: last.responseStatus, responseBody: last.responseBody },
		}),
	};
	return { row, attempts };
}
