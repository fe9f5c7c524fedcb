// Signing keys of webhook endpoints, the attempts of deliveries before the last, which is in the row of its delivery, and what is kept of
// deliveries that needed one attempt.

import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ATTEMPT_TRIGGERS, ERROR_CLASSES, OUTCOMES } from "../../shared/webhook-states";

export const webhookSigningKeys = sqliteTable(
	"webhook_signing_keys",
	{
		id: text().primaryKey(),
		webhookId: text().notNull(),
		/** Encrypted with MASTER_KEY, bound to organization, endpoint and key. */
		sealedSecret: text().notNull(),
		maskedSecret: text().notNull(),
		createdAt: integer().notNull(),
		/** From when on the key no longer signs, whether or not that is recorded in `revokedAt` yet; null: it does not expire. */
		expiresAt: integer(),
		revokedAt: integer(),
	},
	(table) => [
		index("webhook_signing_keys_of").on(table.webhookId, table.createdAt, table.id),
		index("webhook_signing_keys_expiring").on(table.expiresAt).where(sql`expires_at is not null and revoked_at is null`),
		index("webhook_signing_keys_revoked").on(table.revokedAt).where(sql`revoked_at is not null`),
	],
);

export const webhookAttempts = sqliteTable(
	"webhook_attempts",
	{
		deliveryId: text().notNull(),
		/** Order within the delivery. An attempt at a blocked address has a position but no number. */
		position: integer().notNull(),
		number: integer(),
		trigger: text({ enum: ATTEMPT_TRIGGERS }).notNull(),
		startedAt: integer().notNull(),
		durationMs: integer(),
		outcome: text({ enum: OUTCOMES }),
		errorClass: text({ enum: ERROR_CLASSES }),
		responseStatus: integer(),
		responseBody: text(),
	},
	(table) => [primaryKey({ columns: [table.deliveryId, table.position] })],
);

/**
 * What is kept of a delivery that its first attempt delivered, which are most of them: the end of that attempt moves it here from
 * `webhook_deliveries`. Ids are in 16 bytes, and rows lie in the order of their ids, whose time is that of the creation. A manual retry moves
 * it back.
 */
export const webhookReceipts = sqliteTable(
	"webhook_receipts",
	{
		organizationId: blob({ mode: "buffer" }).notNull(),
		id: blob({ mode: "buffer" }).notNull(),
		webhookId: blob({ mode: "buffer" }).notNull(),
		eventId: blob({ mode: "buffer" }).notNull(),
		eventType: text().notNull(),
		createdAt: integer().notNull(),
		deliveredAt: integer().notNull(),
		/** Of the attempt. */
		startedAt: integer().notNull(),
		durationMs: integer(),
		responseStatus: integer(),
		responseBody: text(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.id] }),
		uniqueIndex("webhook_receipts_once").on(table.eventId, table.webhookId),
		index("webhook_receipts_of").on(table.webhookId, table.id),
	],
);

/** Endpoints whose wake-up message the queue could not deliver. The sweep wakes them up all the same: these rows are for people to see. */
export const deadLetters = sqliteTable(
	"dead_letters",
	{
		/** The endpoint's. */
		id: text().primaryKey(),
		organizationId: text().notNull(),
		lane: text({ enum: ["QUICK", "SLOW"] }).notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [index("dead_letters_list").on(table.createdAt, table.id)],
);

/** Recoveries that were too large for one request; the sweep carries them on. */
export const webhookRecoveries = sqliteTable(
	"webhook_recoveries",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		webhookId: text().notNull(),
		/** The events' period: `since` inclusive, `until` exclusive. A portion moves `since` to the last event that it looked at. */
		since: integer().notNull(),
		until: integer().notNull(),
		/** The sequence of the last event that was looked at. */
		position: integer().notNull(),
		/** Deliveries that were created and retried so far, and those of the next events, of as many as a portion has. */
		created: integer().notNull().default(0),
		retried: integer().notNull().default(0),
		remaining: integer().notNull().default(0),
		/** The deliveries made so far are due up to this instant: the next portion follows at their pace. */
		dueUntil: integer().notNull().default(0),
	},
	(table) => [index("webhook_recoveries_of").on(table.webhookId)],
);
