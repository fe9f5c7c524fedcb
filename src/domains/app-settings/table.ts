// The app settings, of one row.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AppSettings } from "./wire";

export const appSettings = sqliteTable("app_settings", {
	id: integer().primaryKey(),
	/** Counts the changes; a copy that counts less is older. */
	version: integer().notNull(),
	settings: text({ mode: "json" }).$type<AppSettings>().notNull(),
	updatedAt: integer().notNull(),
});
