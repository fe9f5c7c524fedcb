// The app settings: a single row.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AppSettings } from "./wire";

export const appSettings = sqliteTable("app_settings", {
	id: integer().primaryKey(),
	/** Counts the changes, so the copy with the lower number is the older one. */
	version: integer().notNull(),
	settings: text({ mode: "json" }).$type<AppSettings>().notNull(),
	updatedAt: integer().notNull(),
});
