// What raising an event writes, or reads to know who receives it: the events of an organization (outbox and feed in one),
// the webhook endpoints, and the deliveries of events to endpoints.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CATEGORIES } from "../shared/event-type";
import { CROWDED_STATES, STORAGE_LEVELS } from "../shared/storage-levels";
import type { Filter } from "../shared/webhook-filter";
import {
	ATTEMPT_TRIGGERS,
	DELIVERY_STATES,
	ENDPOINT_STATES,
	ERROR_CLASSES,
	ORDERINGS,
	OUTCOMES,
	SUSPENSION_REASONS,
} from "../shared/webhook-states";

export const webhookEndpoints = sqliteTable(
	"webhook_endpoints",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		name: text().notNull(),
		description: text(),
		url: text().notNull(),
		status: text({ enum: ENDPOINT_STATES }).notNull(),
		events: text({ mode: "json" }).$type<readonly string[]>().notNull(),
		timeoutMs: integer().notNull(),
		/** How many attempts may be under way at the endpoint concurrently. */
		maxInFlight: integer().notNull().default(10),
		/** Attempts a second; null: no limit. */
		rateLimit: integer(),
		/** Which of the events it gets; null: all. */
		filter: text({ mode: "json" }).$type<Filter>(),
		ordering: text({ enum: ORDERINGS }).notNull().default("NONE"),
		/** How many deliveries one request carries at most; null: each has a request of its own. */
		batchSize: integer(),
		/** How long a new delivery waits for others that its request could carry. */
		batchWaitMs: integer().notNull().default(0),
		/** The static headers of deliveries, by name, with values as reads show them. */
		maskedHeaders: text({ mode: "json" }).$type<Readonly<Record<string, string>>>().notNull().default({}),
		/** The same headers with their values, encrypted with MASTER_KEY; null when there are none. */
		sealedHeaders: text(),
		/** Finished deliveries that failed since the last successful one. */
		failuresInRow: integer().notNull().default(0),
		/** Whether the endpoint was slow to answer last time, or did not answer: its messages then take the SLOW lane. */
		slow: integer({ mode: "boolean" }).notNull().default(false),
		/** How far `rate_limit` is used up, in real microseconds; null before the first attempt under a limit. */
		rateUsedUntil: integer(),
		/** When the consumer is woken up for what is due next at the endpoint; in the past when no such message is outstanding. */
		wakesAt: integer(),
		/** When the sweep last queued a message for what is due at the endpoint; the sweep itself delivers what is still due a minute later. */
		hintedAt: integer(),
		/** The held deliveries that were already released are due up to this instant; null while they wait for a probe, or none is held. */
		releasedUntil: integer(),
		/** Since when it is suspended, or its deliveries fail; null while neither is so. */
		troubledSince: integer(),
		suspendedAt: integer(),
		suspensionReason: text({ enum: SUSPENSION_REASONS }),
		/** Whether it is probed after a suspension by failures, and resumed when it answers. */
		autoRecover: integer({ mode: "boolean" }).notNull().default(false),
		/** When it is probed next; null unless it is suspended by failures and to recover by itself. */
		probeAt: integer(),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		index("webhook_endpoints_probed").on(table.probeAt).where(sql`probe_at is not null`),
		uniqueIndex("webhook_endpoints_name").on(table.organizationId, table.name),
		index("webhook_endpoints_list").on(table.organizationId, table.createdAt, table.id),
		index("webhook_endpoints_troubled").on(table.troubledSince, table.id).where(sql`troubled_since is not null`),
	],
);

/** How full the database is, as the sweep last found it: a single row, and none while it has never been four fifths full. */
export const storageLevels = sqliteTable("storage_levels", {
	id: integer().primaryKey(),
	level: text({ enum: STORAGE_LEVELS }).notNull(),
});

/** The deliveries of an organization in its database, in either form. */
export const deliveryHoldings = sqliteTable("delivery_holdings", {
	organizationId: text().primaryKey(),
	held: integer().notNull().default(0),
	/** Of its own, by an operator; null: as configured. */
	quota: integer(),
	/** When the count was last checked. */
	checkedAt: integer(),
	/** When its members got the notice that four fifths are used; null while less is. */
	nearingToldAt: integer(),
	/** When they last got the notice that no deliveries are made. */
	reachedToldAt: integer(),
	/** The finished ones made before this are in the archive; null: none has been archived. */
	archivedTo: integer(),
	/** Some that were made before this have left the database before their time; null: none has. */
	completeFrom: integer(),
});

/** Organizations whose deliveries somebody must look after, as long as that is so. */
export const crowdedOrganizations = sqliteTable(
	"crowded_organizations",
	{
		/** The organization's. */
		id: text().primaryKey(),
		state: text({ enum: CROWDED_STATES }).notNull(),
		since: integer().notNull(),
	},
	(table) => [index("crowded_organizations_list").on(table.since, table.id)],
);

/** Endpoints that were deleted while deliveries were pending, until the rows of all those say FAILED. */
export const deletedEndpoints = sqliteTable(
	"deleted_endpoints",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		deletedAt: integer().notNull(),
	},
	(table) => [index("deleted_endpoints_of").on(table.organizationId, table.id)],
);

/** What the purge has removed of an organization's events, so that their numbers are not given again. */
export const eventPurges = sqliteTable("event_purges", {
	organizationId: text().primaryKey(),
	/** The last sequence and instant of those removed; 0 while none has been. */
	sequence: integer().notNull().default(0),
	createdAt: integer().notNull().default(0),
	/** The purge has dealt with all events up to this instant: an event that is left goes together with its last delivery. */
	purgedTo: integer().notNull().default(0),
});

export const webhookEvents = sqliteTable(
	"webhook_events",
	{
		id: text().notNull(),
		organizationId: text().notNull(),
		/** Without gaps within the organization, in the order of commits. Each number is given once: the next follows the last event, or the last that was purged. */
		sequence: integer().notNull(),
		eventType: text().notNull(),
		category: text({ enum: CATEGORIES }).notNull(),
		eventKey: text().notNull(),
		payloadVersion: integer().notNull(),
		/** JSON text, sent as it stands. */
		data: text().notNull(),
		/** Never before that of an earlier sequence, even where the clocks of isolates differ. */
		createdAt: integer().notNull(),
		/** The endpoints at which it has arrived and whose delivery is in the archive, one id after the other; null: none. */
		archivedFor: text(),
		/** The id of the request, message or sweep that raised it, by which its lines in the log are found; null: of before it was kept. */
		cause: text(),
	},
	(table) => [
		// The rows lie in the order of the feed. Instants never descend along the sequence, so a feed can begin at an instant.
		primaryKey({ columns: [table.organizationId, table.createdAt, table.sequence] }),
		uniqueIndex("webhook_events_id").on(table.id),
		index("webhook_events_by_type").on(table.organizationId, table.eventType, table.createdAt, table.sequence),
	],
);

export const webhookDeliveries = sqliteTable(
	"webhook_deliveries",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		webhookId: text().notNull(),
		eventId: text().notNull(),
		eventType: text().notNull(),
		/** The payload of a test, as JSON text. Null for the delivery of an event, whose payload is in the event. */
		testData: text(),
		status: text({ enum: DELIVERY_STATES }).notNull(),
		/** Over all rounds. */
		attempts: integer().notNull().default(0),
		/** A manual retry starts another round, of up to six attempts. */
		round: integer().notNull().default(1),
		roundAttempts: integer().notNull().default(0),
		/** How many attempts of the round the service itself broke off: they say nothing about the endpoint. */
		roundInterrupted: integer().notNull().default(0),
		/** null: finished, or held. While an attempt is in flight, the instant at which it was due. `BEHIND`: an older one of its entity is open. */
		nextAttemptAt: integer(),
		/** While an attempt is in flight: until when its claim holds, in real time. */
		claimedUntil: integer(),
		/** While an attempt is in flight: the run that claimed it; only its outcome counts. */
		claim: text(),
		lastError: text(),
		/** Where the endpoint asks for order: what the event is about, and its place. */
		entityId: text(),
		eventSequence: integer(),
		lastManualRetryAt: integer(),
		createdAt: integer().notNull(),
		deliveredAt: integer(),
		failedAt: integer(),
		// The last attempt, in flight or ended. The next claim moves it to `webhook_attempts`, so a delivery whose first attempt succeeds
		// needs no row there.
		/** Order within the delivery; 0 before the first attempt. */
		attemptPosition: integer().notNull().default(0),
		attemptNumber: integer(),
		attemptTrigger: text({ enum: ATTEMPT_TRIGGERS }),
		attemptStartedAt: integer(),
		attemptDurationMs: integer(),
		attemptOutcome: text({ enum: OUTCOMES }),
		attemptErrorClass: text({ enum: ERROR_CLASSES }),
		responseStatus: integer(),
		responseBody: text(),
	},
	(table) => [
		uniqueIndex("webhook_deliveries_once").on(table.eventId, table.webhookId),
		// The lists. Each index written costs a row for every delivery (with the status in it two), so there are two for all
		// deliveries: a list of every status merges the three statuses. Those of failed deliveries cost nothing as long as none fails.
		index("webhook_deliveries_by_status").on(table.organizationId, table.status, table.createdAt, table.id),
		index("webhook_deliveries_of_by_status").on(table.organizationId, table.webhookId, table.status, table.createdAt, table.id),
		index("webhook_deliveries_failed_by_type")
			.on(table.organizationId, table.eventType, table.createdAt, table.id)
			.where(sql`status = 'FAILED'`),
		index("webhook_deliveries_of_failed_by_type")
			.on(table.organizationId, table.webhookId, table.eventType, table.createdAt, table.id)
			.where(sql`status = 'FAILED'`),
		index("webhook_deliveries_failed").on(table.failedAt).where(sql`status = 'FAILED'`),
		// The work. Few deliveries are unfinished, and these indexes hold only those. They begin with the endpoint, so that the search for one
		// endpoint's work never reads through another's backlog. Deliveries in flight stay among the due ones, so that a claim writes no index.
		index("webhook_deliveries_due").on(table.webhookId, table.nextAttemptAt).where(sql`next_attempt_at is not null`),
		index("webhook_deliveries_held").on(table.webhookId, table.createdAt).where(sql`status = 'PENDING' and next_attempt_at is null`),
		// The order within an entity: the oldest that is open, and the last that failed.
		index("webhook_deliveries_of_entity")
			.on(table.webhookId, table.entityId, table.status, table.eventSequence)
			.where(sql`entity_id is not null and status <> 'DELIVERED'`),
	],
);
