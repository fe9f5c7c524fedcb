// Answers of calls that carried an Idempotency-Key, written in the same commit as their effect.

import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const idempotencyRecords = sqliteTable(
	"idempotency_records",
	{
		/** SHA-256 of caller, method, concrete path and key. */
		scope: text().primaryKey(),
		fingerprint: text().notNull(),
		status: integer().notNull(),
		body: text(),
		/** Real time, not the service's clock: callers count their seven days by it. */
		expiresAt: integer().notNull(),
	},
	(table) => [index("idempotency_records_expiry").on(table.expiresAt)],
);
