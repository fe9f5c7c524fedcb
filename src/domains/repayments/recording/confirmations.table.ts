// Confirmations that a provider has not verified yet, in the home of the organization that received them.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CONFIRMATION_STATES } from "../lifecycle";

/** What people look at. SQLite uses the partial indexes only for a query that contains exactly this condition. */
export const NEEDS_SOMEBODY = sql`(status not in ('VERIFIED', 'DISMISSED') or contradicted_at is not null)`;

/** Nothing is left to do, and nothing is lost with it. */
export const IS_OVER = sql`(status in ('VERIFIED', 'REFUTED', 'DISMISSED') and contradicted_at is null)`;

export const darajaConfirmations = sqliteTable(
	"daraja_confirmations",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		/** The receipt. */
		transactionId: text().notNull(),
		/** In cents. */
		amount: integer().notNull(),
		/** The body as it was posted, sealed: it names the payer. */
		sealed: text().notNull(),
		status: text({ enum: CONFIRMATION_STATES }).notNull(),
		/** Counted before each question. */
		attempts: integer().notNull(),
		nextAttemptAt: integer().notNull(),
		/** Since when the provider has been asked in vain; null: since it was received. */
		askedSince: integer(),
		/** Since when something else is known of the same transaction: confirmed with another account, or recorded with other facts. */
		contradictedAt: integer(),
		createdAt: integer().notNull(),
		/** The id of the request, message or sweep that ordered it; null for an order from before this was kept. */
		cause: text(),
	},
	(table) => [
		// With the amount: a wrong amount that somebody claims first does not keep the true one out.
		uniqueIndex("daraja_confirmations_once").on(table.organizationId, table.transactionId, table.amount),
		index("daraja_confirmations_due").on(table.nextAttemptAt).where(sql`status = 'WAITING'`),
		index("daraja_confirmations_work").on(table.createdAt, table.id).where(NEEDS_SOMEBODY),
		index("daraja_confirmations_work_of").on(table.organizationId, table.createdAt, table.id).where(NEEDS_SOMEBODY),
		index("daraja_confirmations_over").on(table.createdAt).where(IS_OVER),
	],
);

export type ConfirmationRow = typeof darajaConfirmations.$inferSelect;
