// Webhook endpoints, events and deliveries on the wire. A secret appears only in the response that creates its key.

import * as z from "zod";
import { BEHIND, entityOf } from "../../events/ordering";
import type { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../events/table";
import { CATEGORIES, type EventType } from "../../shared/event-type";
import { JsonValue } from "../../shared/json-value";
import { toTimestamp } from "../../shared/time";
import {
	ATTEMPT_TRIGGERS,
	DELIVERY_STATES,
	ENDPOINT_STATES,
	type EndpointState,
	ERROR_CLASSES,
	ORDERINGS,
	OUTCOMES,
	SUSPENSION_REASONS,
} from "../../shared/webhook-states";
import { lastError } from "./attempts/policy";
import { remedyOf } from "./attempts/remedies.policy";
import { FilterCondition } from "./filter.wire";
import type { webhookAttempts, webhookSigningKeys } from "./table";
import { formatTimeout } from "./timeout.policy";

const timestamp = z.iso.datetime();
const maybeAt = (instant: number | null) => (instant === null ? null : toTimestamp(instant));

export const SigningKey = z
	.object({
		id: z.uuid(),
		secret: z.string().optional().meta({ description: "Present only in the response that creates the key" }),
		masked_secret: z.string(),
		created_at: timestamp,
		expires_at: timestamp.nullable().meta({ description: "From when on the key no longer signs; null when it does not expire" }),
	})
	.meta({ id: "SigningKey" });

export type SigningKeyRow = Pick<typeof webhookSigningKeys.$inferSelect, "id" | "maskedSecret" | "createdAt" | "expiresAt">;

export const toSigningKey = (row: SigningKeyRow, secret?: string): z.input<typeof SigningKey> => ({
	id: row.id,
	...(secret !== undefined && { secret }),
	masked_secret: row.maskedSecret,
	created_at: toTimestamp(row.createdAt),
	expires_at: maybeAt(row.expiresAt),
});

export const ORDERING =
	"ENTITY: of the events with the same `entity_id`, the next is sent when the one before it has been delivered or has FAILED. NONE: in any order";

export const BATCH =
	"Several deliveries in one signed request, `{batch_id, deliveries}`; null: each in a request of its own. A 2xx ends all but those that the answer names: `{failed: [delivery_id]}`";

export const AUTO_RECOVER =
	"Whether the endpoint is probed after a suspension by failures, and resumed when it answers with a 2xx. The missed deliveries follow then";

export const WebhookEndpoint = z
	.object({
		id: z.uuid(),
		name: z.string(),
		description: z.string().nullable(),
		url: z.string(),
		status: z.enum(ENDPOINT_STATES),
		events: z.array(z.string()),
		filter: z.array(FilterCondition).nullable().meta({ description: "All must hold for an event that it gets; null: no condition" }),
		timeout: z.string().meta({ description: "ISO 8601 duration" }),
		max_in_flight: z.int().meta({ description: "How many attempts may be under way at the endpoint at once" }),
		rate_limit: z.int().nullable().meta({ description: "Attempts a second; null: no limit" }),
		ordering: z.enum(ORDERINGS).meta({ description: ORDERING }),
		batch: z
			.object({ max_events: z.int(), max_wait: z.string().meta({ description: "ISO 8601 duration" }) })
			.nullable()
			.meta({ description: BATCH }),
		headers: z.record(z.string(), z.string()).meta({ description: "Headers that every delivery carries, with masked values" }),
		signing_keys: z.array(SigningKey).meta({ description: "Active keys, newest first" }),
		suspended_at: timestamp.nullable(),
		suspension_reason: z.enum(SUSPENSION_REASONS).nullable(),
		auto_recover: z.boolean().meta({ description: AUTO_RECOVER }),
		next_probe_at: timestamp.nullable().meta({ description: "When a suspended endpoint is probed next; null when it is not" }),
		failures_in_row: z.int().meta({ description: "FAILED deliveries since the last DELIVERED one; attempts that are retried are none" }),
		created_at: timestamp,
		updated_at: timestamp,
	})
	.meta({ id: "WebhookEndpoint" });

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

/** @param keys the active keys, newest first */
export const toWebhookEndpoint = (row: EndpointRow, keys: readonly z.input<typeof SigningKey>[]): z.input<typeof WebhookEndpoint> => ({
	id: row.id,
	name: row.name,
	description: row.description,
	url: row.url,
	status: row.status,
	events: [...row.events],
	filter: row.filter?.map(({ in: values, ...condition }) => ({ ...condition, ...(values && { in: [...values] }) })) ?? null,
	timeout: formatTimeout(row.timeoutMs),
	max_in_flight: row.maxInFlight,
	rate_limit: row.rateLimit,
	ordering: row.ordering,
	batch: row.batchSize === null ? null : { max_events: row.batchSize, max_wait: formatTimeout(row.batchWaitMs) },
	headers: { ...row.maskedHeaders },
	signing_keys: [...keys],
	suspended_at: maybeAt(row.suspendedAt),
	suspension_reason: row.suspensionReason,
	auto_recover: row.autoRecover,
	next_probe_at: maybeAt(row.probeAt),
	failures_in_row: row.failuresInRow,
	created_at: toTimestamp(row.createdAt),
	updated_at: toTimestamp(row.updatedAt),
});

export const EventTypeEntry = z
	.object({
		event: z.string(),
		category: z.enum(CATEGORIES).meta({ title: "EventCategory" }),
		description: z.string(),
		schema: z.record(z.string(), z.unknown()).meta({ description: "JSON Schema of `data`" }),
		example: z.record(z.string(), z.unknown()).meta({ description: "A `data` of this type" }),
	})
	.meta({ id: "EventType" });

export const toEventTypeEntry = ({ type, category, description, jsonSchema, example }: EventType): z.input<typeof EventTypeEntry> => ({
	event: type,
	category,
	description,
	schema: jsonSchema(),
	example,
});

export const WebhookEvent = z
	.object({
		id: z.uuid(),
		event_type: z.string(),
		category: z.enum(CATEGORIES),
		event_key: z.string(),
		entity_id: z
			.string()
			.nullable()
			.meta({ description: "The id of what the event is about, such as the account: what `ordering` goes by" }),
		payload_version: z.int(),
		data: z.record(z.string(), JsonValue),
		sequence: z.int().meta({ description: "Gapless within the organization and the stream" }),
		stream: z.int().meta({ description: "The stream that `sequence` counts in. Each organization has one, which is 0" }),
		created_at: timestamp,
	})
	.meta({ id: "WebhookEvent" });

export const toWebhookEvent = (row: typeof webhookEvents.$inferSelect): z.input<typeof WebhookEvent> => {
	const data = JSON.parse(row.data);
	return {
		id: row.id,
		event_type: row.eventType,
		category: row.category,
		event_key: row.eventKey,
		entity_id: entityOf(data),
		payload_version: row.payloadVersion,
		data,
		sequence: row.sequence,
		stream: 0,
		created_at: toTimestamp(row.createdAt),
	};
};

const deliveryMembers = {
	id: z.uuid(),
	webhook_id: z.uuid(),
	event_id: z.uuid(),
	event_type: z.string(),
	status: z.enum(DELIVERY_STATES),
	attempts: z.int(),
	next_attempt_at: timestamp.nullable().meta({
		description: "null when it has ended, while its endpoint is suspended, and while it waits for an older one of its entity",
	}),
	created_at: timestamp,
	delivered_at: timestamp.nullable(),
	failed_at: timestamp.nullable(),
	last_error: z.string().nullable(),
};

/** A row of the delivery log. */
export const DeliverySummary = z.object(deliveryMembers).meta({ id: "DeliverySummary" });

export const Attempt = z
	.object({
		number: z.int().nullable().meta({ description: "null when a blocked address prevented the attempt" }),
		trigger: z
			.enum(ATTEMPT_TRIGGERS)
			.meta({ description: "MANUAL: the first after a retry by hand. PROBE: of a suspended endpoint, and not one of the six attempts" }),
		started_at: timestamp,
		duration_ms: z.int().nullable(),
		outcome: z.enum(OUTCOMES).nullable().meta({ description: "null while the attempt is in flight" }),
		error_class: z
			.enum(ERROR_CLASSES)
			.nullable()
			.meta({ description: "Why the attempt failed, as `last_error` puts it in words; null after success and while it is in flight" }),
		response_status: z.int().nullable(),
		response_body: z.string().nullable().meta({ description: "At most the first 1,024 bytes" }),
	})
	.meta({ title: "DeliveryAttempt" });

export const DeliveryRecord = z
	.object({
		...deliveryMembers,
		remedy: z.string().nullable().meta({ description: "How to repair `last_error`" }),
		body: z.string().nullable().meta({ description: "The body that every attempt sends; null before the first attempt" }),
		attempt_log: z.array(Attempt),
	})
	.meta({ id: "DeliveryRecord" });

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type AttemptRow = typeof webhookAttempts.$inferSelect;
type SummaryRow = Pick<
	DeliveryRow,
	| "id"
	| "webhookId"
	| "eventId"
	| "eventType"
	| "status"
	| "attempts"
	| "nextAttemptAt"
	| "createdAt"
	| "deliveredAt"
	| "failedAt"
	| "lastError"
> & {
	/** Of a PENDING delivery: null when its endpoint was deleted. Absent when it is known to be ACTIVE. */
	endpointStatus?: EndpointState | null | undefined;
	/** When that was. */
	endpointDeletedAt?: number | null | undefined;
};

/** A suspension or deletion of the endpoint applies to all its deliveries at once; the rows of many follow in portions. */
function asOfEndpoint(row: SummaryRow): SummaryRow {
	if (row.status !== "PENDING" || row.endpointStatus === undefined || row.endpointStatus === "ACTIVE") return row;
	if (row.endpointStatus === "SUSPENDED") return { ...row, nextAttemptAt: null };
	const failedAt = row.endpointDeletedAt ?? null;
	return { ...row, status: "FAILED", nextAttemptAt: null, failedAt, lastError: lastError("WEBHOOK_DELETED") };
}

export const toDeliverySummary = (stored: SummaryRow): z.input<typeof DeliverySummary> => {
	const row = asOfEndpoint(stored);
	return {
		id: row.id,
		webhook_id: row.webhookId,
		event_id: row.eventId,
		event_type: row.eventType,
		status: row.status,
		attempts: row.attempts,
		next_attempt_at: maybeAt(row.nextAttemptAt === BEHIND ? null : row.nextAttemptAt),
		created_at: toTimestamp(row.createdAt),
		delivered_at: maybeAt(row.deliveredAt),
		failed_at: maybeAt(row.failedAt),
		last_error: row.lastError,
	};
};

export const toDeliveryRecord = (
	row: SummaryRow & { body: string | null },
	attempts: readonly AttemptRow[],
): z.input<typeof DeliveryRecord> => {
	const summary = toDeliverySummary(row);
	const failed = attempts.findLast(({ errorClass }) => errorClass !== null);
	return { ...summary, remedy: remedyOf(summary.last_error, failed), body: row.body, attempt_log: attempts.map(toAttempt) };
};

const toAttempt = (attempt: AttemptRow): z.input<typeof Attempt> => ({
	number: attempt.number,
	trigger: attempt.trigger,
	started_at: toTimestamp(attempt.startedAt),
	duration_ms: attempt.durationMs,
	outcome: attempt.outcome,
	error_class: attempt.errorClass,
	response_status: attempt.responseStatus,
	response_body: attempt.responseBody,
});
