// What users read inside an app, in their home: their messages, whether or not they were sent too. Never a code.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { NOTIFICATION_CATEGORIES } from "./preferences/policy";

export const inbox = sqliteTable(
	"inbox",
	{
		/** Begins with the instant of `createdAt`, so that the oldest rows come first. */
		id: text().primaryKey(),
		userId: text().notNull(),
		category: text({ enum: NOTIFICATION_CATEGORIES }).notNull(),
		/** The content as encrypted JSON. */
		sealed: text().notNull(),
		readAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [
		index("inbox_list").on(table.userId, table.createdAt, table.id),
		index("inbox_unread").on(table.userId, table.createdAt, table.id).where(sql`read_at is null`),
	],
);

export type InboxRow = typeof inbox.$inferSelect;
