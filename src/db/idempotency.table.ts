// Answers to requests with an Idempotency-Key, written in the same commit as the effect of the request.

import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const idempotencyRecords = sqliteTable(
	"idempotency_records",
	{
		/** The digits of the home, then SHA-256 of caller, acting organization, method, path and key. */
		scope: text().primaryKey(),
		fingerprint: text().notNull(),
		status: integer().notNull(),
		body: text(),
		/** Real time, not the service's clock, because clients count the seven days in real time. */
		expiresAt: integer().notNull(),
	},
	(table) => [index("idempotency_records_expiry").on(table.expiresAt)],
);
