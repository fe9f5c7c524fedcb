// What raising an event writes, or reads to know who receives it: the events of an organization (outbox and feed in one),
// the webhook endpoints, and the deliveries of events to endpoints.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CATEGORIES } from "../shared/event-type";
import { DELIVERY_STATES, ENDPOINT_STATES, SUSPENSION_REASONS } from "../shared/webhook-states";

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
		/** Finished deliveries that failed since the last one that did not. */
		failuresInRow: integer().notNull().default(0),
		/** Whether the last attempt failed: first attempts then take the lane of the later ones. */
		failing: integer({ mode: "boolean" }).notNull().default(false),
		suspendedAt: integer(),
		suspensionReason: text({ enum: SUSPENSION_REASONS }),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("webhook_endpoints_name").on(table.organizationId, table.name),
		index("webhook_endpoints_list").on(table.organizationId, table.createdAt, table.id),
	],
);

/** The last sequence number and instant given to an organization's events; kept apart so that a purge never reuses a number. */
export const eventSequences = sqliteTable("event_sequences", {
	organizationId: text().primaryKey(),
	sequence: integer().notNull(),
	createdAt: integer().notNull(),
});

export const webhookEvents = sqliteTable(
	"webhook_events",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		/** Without gaps within the organization, in the order of commits. */
		sequence: integer().notNull(),
		eventType: text().notNull(),
		category: text({ enum: CATEGORIES }).notNull(),
		eventKey: text().notNull(),
		payloadVersion: integer().notNull(),
		/** JSON text, sent as it stands. */
		data: text().notNull(),
		/** Never before that of an earlier sequence, whatever the clocks of isolates say. */
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("webhook_events_sequence").on(table.organizationId, table.sequence),
		// Time never runs against the sequence, so both give one order, and a feed can begin at an instant.
		index("webhook_events_feed").on(table.organizationId, table.createdAt, table.sequence),
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
		status: text({ enum: DELIVERY_STATES }).notNull(),
		/** Over all rounds. */
		attempts: integer().notNull().default(0),
		/** A manual retry starts another round, of up to six attempts. */
		round: integer().notNull().default(1),
		roundAttempts: integer().notNull().default(0),
		/** null: finished, or held while its endpoint is suspended. */
		nextAttemptAt: integer(),
		lane: text({ enum: ["FIRST", "RETRY"] }).notNull(),
		/** While an attempt is in flight: until when its claim holds, in real time. */
		claimedUntil: integer(),
		/** The run that claimed the delivery last; only its outcome counts. */
		claim: text(),
		lastError: text(),
		/** The bytes of the first attempt, sent again ever after. */
		body: text(),
		lastManualRetryAt: integer(),
		createdAt: integer().notNull(),
		deliveredAt: integer(),
		failedAt: integer(),
	},
	(table) => [
		uniqueIndex("webhook_deliveries_once").on(table.eventId, table.webhookId),
		index("webhook_deliveries_log").on(table.organizationId, table.createdAt, table.id),
		index("webhook_deliveries_of").on(table.organizationId, table.webhookId, table.createdAt, table.id),
		// A filter that few rows pass must not read the many that do not: those that failed, or those of a rare event type.
		index("webhook_deliveries_by_status").on(table.organizationId, table.status, table.createdAt, table.id),
		index("webhook_deliveries_of_by_status").on(table.organizationId, table.webhookId, table.status, table.createdAt, table.id),
		index("webhook_deliveries_by_type").on(table.organizationId, table.eventType, table.createdAt, table.id),
		// What still has to happen is little beside what has happened: the indexes of the work hold that little only.
		index("webhook_deliveries_due").on(table.nextAttemptAt).where(sql`status = 'PENDING' and claimed_until is null`),
		index("webhook_deliveries_pending").on(table.webhookId, table.createdAt).where(sql`status = 'PENDING'`),
		index("webhook_deliveries_claimed").on(table.claimedUntil).where(sql`claimed_until is not null`),
	],
);
