// Webhook endpoints, the events of an organization (both outbox and feed), and their deliveries and attempts.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const webhookEndpoints = sqliteTable(
	"webhook_endpoints",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		name: text().notNull(),
		description: text(),
		url: text().notNull(),
		status: text({ enum: ["ACTIVE", "SUSPENDED"] }).notNull(),
		events: text({ mode: "json" }).$type<readonly string[]>().notNull(),
		timeoutMs: integer().notNull(),
		/** Failed deliveries since the last successful one. */
		failuresInRow: integer().notNull().default(0),
		/** Whether the last attempt failed or was slow. First attempts then use the RETRY lane. */
		failing: integer({ mode: "boolean" }).notNull().default(false),
		suspendedAt: integer(),
		suspensionReason: text({ enum: ["TEN_FAILED_DELIVERIES", "PRIVATE_ADDRESS", "MANUAL"] }),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("webhook_endpoints_name").on(table.organizationId, table.name),
		index("webhook_endpoints_list").on(table.organizationId, table.createdAt, table.id),
	],
);

export const webhookSigningKeys = sqliteTable(
	"webhook_signing_keys",
	{
		id: text().primaryKey(),
		webhookId: text().notNull(),
		/** Encrypted with MASTER_KEY, bound to organization, endpoint and key. */
		sealedSecret: text().notNull(),
		maskedSecret: text().notNull(),
		createdAt: integer().notNull(),
		revokedAt: integer(),
	},
	(table) => [
		index("webhook_signing_keys_of").on(table.webhookId, table.createdAt, table.id),
		index("webhook_signing_keys_revoked").on(table.revokedAt).where(sql`revoked_at is not null`),
	],
);

/** The last sequence number and time of an organization's events. A table of its own, so that no number is reused after a purge. */
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
		/** Gapless within the organization, in the order of commits. */
		sequence: integer().notNull(),
		eventType: text().notNull(),
		category: text().notNull(),
		eventKey: text().notNull(),
		payloadVersion: integer().notNull(),
		/** JSON text, sent unchanged. */
		data: text().notNull(),
		/** Never earlier than that of a lower sequence, even when the clocks of isolates differ. */
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("webhook_events_sequence").on(table.organizationId, table.sequence),
		// Time and sequence give the same order, so a feed can start at an instant.
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
		status: text({ enum: ["PENDING", "DELIVERED", "FAILED"] }).notNull(),
		/** Over all rounds. */
		attempts: integer().notNull().default(0),
		/** A manual retry starts a new round of up to six attempts. */
		round: integer().notNull().default(1),
		roundAttempts: integer().notNull().default(0),
		/** null: finished, or held because its endpoint is suspended or being probed. */
		nextAttemptAt: integer(),
		lane: text({ enum: ["FIRST", "RETRY"] }).notNull(),
		/** While an attempt is in flight: when its claim expires, in real time. */
		claimedUntil: integer(),
		/** Token of the run that claimed the delivery last; only its outcome is recorded. */
		claim: text(),
		lastError: text(),
		/** The body of the first attempt; every later attempt sends the same bytes. */
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
		// These keep selective filters (failed deliveries, a rare event type) from reading all other rows.
		index("webhook_deliveries_by_status").on(table.organizationId, table.status, table.createdAt, table.id),
		index("webhook_deliveries_of_by_status").on(table.organizationId, table.webhookId, table.status, table.createdAt, table.id),
		index("webhook_deliveries_by_type").on(table.organizationId, table.eventType, table.createdAt, table.id),
		// Partial indexes: the deliveries still to be worked on are few compared with the finished ones.
		index("webhook_deliveries_due").on(table.nextAttemptAt).where(sql`status = 'PENDING' and claimed_until is null`),
		index("webhook_deliveries_pending").on(table.webhookId, table.createdAt).where(sql`status = 'PENDING'`),
		index("webhook_deliveries_claimed").on(table.claimedUntil).where(sql`claimed_until is not null`),
	],
);

export const webhookAttempts = sqliteTable(
	"webhook_attempts",
	{
		deliveryId: text().notNull(),
		/** Order within the delivery. An attempt at a blocked address has a position but no number. */
		position: integer().notNull(),
		number: integer(),
		trigger: text({ enum: ["AUTOMATIC", "MANUAL"] }).notNull(),
		startedAt: integer().notNull(),
		durationMs: integer(),
		/** null while the attempt is in flight. */
		outcome: text({
			enum: ["DELIVERED", "HTTP_ERROR", "REDIRECT", "TIMEOUT", "CONNECTION_FAILED", "BLOCKED_ADDRESS", "INTERRUPTED"],
		}),
		responseStatus: integer(),
		responseBody: text(),
	},
	(table) => [primaryKey({ columns: [table.deliveryId, table.position] })],
);
