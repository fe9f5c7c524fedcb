// What an outside authorization provider has to hear: that what a user holds in an organization, or for one of its merchants, has changed.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** In the home of the user. A row says that something has changed, not what: the provider gets what holds when it is sent. */
export const authorizationSyncs = sqliteTable(
	"authorization_syncs",
	{
		id: text().primaryKey(),
		userId: text().notNull(),
		organizationId: text().notNull(),
		/** Empty for the role. */
		merchantId: text().notNull(),
		/** Counts what has changed, so that an answer about an earlier change ends no later one. */
		changes: integer().notNull(),
		/** Counted before each attempt. */
		attempts: integer().notNull(),
		nextAttemptAt: integer().notNull(),
		/** Why the last attempt has failed; null while one is under way. */
		failure: text(),
		createdAt: integer().notNull(),
		/** When the provider got it, in real time. The row stays for as long as somebody may remember an earlier decision. */
		reachedAt: integer(),
	},
	(table) => [
		uniqueIndex("authorization_syncs_once").on(table.userId, table.organizationId, table.merchantId),
		index("authorization_syncs_due").on(table.nextAttemptAt).where(sql`reached_at is null`),
		index("authorization_syncs_waiting").on(table.createdAt, table.id).where(sql`reached_at is null`),
		index("authorization_syncs_reached").on(table.reachedAt).where(sql`reached_at is not null`),
	],
);

export type SyncRow = typeof authorizationSyncs.$inferSelect;
