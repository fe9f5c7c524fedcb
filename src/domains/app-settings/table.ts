// The app settings: a single row.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AppSettings } from "./wire";

export const appSettings = sqliteTable("app_settings", {
	id: integer().primaryKey(),
	/** Counts the changes: of two that are cached, the one with the lower number is older. */
	version: integer().notNull(),
	settings: text({ mode: "json" }).$type<AppSettings>().notNull(),
	updatedAt: integer().notNull(),
});
