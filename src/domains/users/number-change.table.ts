// Changes of users' mobile numbers.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CHANGE_STATES, CHANNELS, PROVIDER_STATES } from "./number-change.lifecycle";

export const mobileNumberChanges = sqliteTable(
	"mobile_number_changes",
	{
		id: text().primaryKey(),
		userId: text().notNull(),
		status: text({ enum: CHANGE_STATES }).notNull(),
		authorizationChannel: text({ enum: CHANNELS }).notNull(),
		/** E.164; null for a user who had none. */
		oldNumber: text(),
		newNumber: text().notNull(),
		/** The challenge of the code that the change waits for. */
		challengeId: text().notNull(),
		provider: text({ enum: PROVIDER_STATES }).notNull(),
		failureReason: text(),
		createdAt: integer().notNull(),
		expiresAt: integer().notNull(),
		authorizedAt: integer(),
		completedAt: integer(),
		/** When the directory was updated: the new number is no longer a reservation, and the old one is removed. */
		namesFinishedAt: integer(),
	},
	(table) => [
		uniqueIndex("mobile_number_changes_one_open").on(table.userId).where(sql`status in ('INITIALIZING', 'AUTHORIZED')`),
		index("mobile_number_changes_expiring").on(table.expiresAt).where(sql`status in ('INITIALIZING', 'AUTHORIZED')`),
		index("mobile_number_changes_unfinished").on(table.completedAt).where(sql`status = 'COMPLETED' and names_finished_at is null`),
		index("mobile_number_changes_recent").on(table.userId, table.completedAt).where(sql`status = 'COMPLETED'`),
		check("mobile_number_changes_completed", sql`(status = 'COMPLETED') = (completed_at is not null)`),
	],
);

export type ChangeRow = typeof mobileNumberChanges.$inferSelect;
