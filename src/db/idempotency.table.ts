// Answers to requests with an Idempotency-Key, written in the same commit as the effect of the request.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** All are kept equally long, so the rows lie in the order in which they expire, and need no index of that. */
export const idempotencyRecords = sqliteTable("idempotency_records", {
	/** The digits of the home, then SHA-256 of caller, acting organization, method, path and key. */
	scope: text().primaryKey(),
	fingerprint: text().notNull(),
	status: integer().notNull(),
	body: text(),
	/** Real time, not the service's clock, because clients count the seven days in real time. */
	expiresAt: integer().notNull(),
});
