// The choices of users: one row for each channel of a category. Without a row the category's default applies. In the user's home.

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { NOTIFICATION_CATEGORIES, NOTIFICATION_CHANNELS } from "./policy";

export const notificationPreferences = sqliteTable(
	"notification_preferences",
	{
		userId: text().notNull(),
		category: text({ enum: NOTIFICATION_CATEGORIES }).notNull(),
		channel: text({ enum: NOTIFICATION_CHANNELS }).notNull(),
		enabled: integer({ mode: "boolean" }).notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.category, table.channel] })],
);
