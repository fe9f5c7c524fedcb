// Confirmations that a provider has not verified yet, in the home of the organization that they were told to.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CONFIRMATION_STATES } from "../lifecycle";

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
		/** WAITING: the provider is asked. VERIFIED: the payment is recorded. REFUTED: there is no such payment. LAPSED: nobody could tell. */
		status: text({ enum: CONFIRMATION_STATES }).notNull(),
		/** Counted before each question. */
		attempts: integer().notNull(),
		nextAttemptAt: integer().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		// With the amount: a wrong one that somebody claims first does not keep the true one out.
		uniqueIndex("daraja_confirmations_once").on(table.organizationId, table.transactionId, table.amount),
		index("daraja_confirmations_due").on(table.nextAttemptAt).where(sql`status = 'WAITING'`),
		index("daraja_confirmations_over").on(table.createdAt).where(sql`status <> 'WAITING'`),
	],
);

export type ConfirmationRow = typeof darajaConfirmations.$inferSelect;
