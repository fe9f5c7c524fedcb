// Alerts that are on, of the database's own sweep, and what the receiver of alerts has got of each.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const ALERT_LEVELS = ["NONE", "LOOK", "WAKE"] as const;

export const alerts = sqliteTable("alerts", {
	name: text().primaryKey(),
	/** `LOOK` at it in working hours, or `WAKE` somebody. */
	level: text({ enum: ALERT_LEVELS }).notNull(),
	/** When it came to this level. */
	since: integer().notNull(),
	/** What was found then. */
	found: text().notNull(),
	/** The level that the receiver knows of. */
	told: text({ enum: ALERT_LEVELS }).notNull(),
});
