// Changes of users' mobile numbers.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { AUTHORIZATIONS, CHANGE_STATES, PROVIDER_STATES } from "./number-change.lifecycle";

export const mobileNumberChanges = sqliteTable(
	"mobile_number_changes",
	{
		id: text().primaryKey(),
		userId: text().notNull(),
		status: text({ enum: CHANGE_STATES }).notNull(),
		authorizationChannel: text({ enum: AUTHORIZATIONS }).notNull(),
		/** E.164; null for a user who had none. */
		oldNumber: text(),
		newNumber: text().notNull(),
		/** The challenge of the code that the change waits for; empty for a recovery and for a first number. */
		challengeId: text().notNull(),
		provider: text({ enum: PROVIDER_STATES }).notNull(),
		failureReason: text(),
		createdAt: integer().notNull(),
		expiresAt: integer().notNull(),
		authorizedAt: integer(),
		completedAt: integer(),
		/** When the directory was updated: the new number is no longer a reservation, and the old one is removed. */
		namesFinishedAt: integer(),
		/** When a recovery completes itself; null for a change that the user has started. */
		notBefore: integer(),
		/** When the sweep works on a recovery next: the next notice, or a try to complete it. */
		dueAt: integer(),
	},
	(table) => [
		uniqueIndex("mobile_number_changes_one_open").on(table.userId).where(sql`status in ('INITIALIZING', 'AUTHORIZED')`),
		index("mobile_number_changes_expiring").on(table.expiresAt).where(sql`status in ('INITIALIZING', 'AUTHORIZED')`),
		index("mobile_number_changes_unfinished").on(table.completedAt).where(sql`status = 'COMPLETED' and names_finished_at is null`),
		index("mobile_number_changes_recent").on(table.userId, table.completedAt).where(sql`status = 'COMPLETED'`),
		index("mobile_number_changes_due").on(table.dueAt).where(sql`status = 'AUTHORIZED' and due_at is not null`),
		index("mobile_number_changes_recoveries").on(table.userId, table.createdAt).where(sql`not_before is not null`),
		check("mobile_number_changes_completed", sql`(status = 'COMPLETED') = (completed_at is not null)`),
	],
);

export type ChangeRow = typeof mobileNumberChanges.$inferSelect;
