// Uses counted exactly, for limits over longer times than the rate-limiting binding knows.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const rateWindows = sqliteTable(
	"rate_windows",
	{
		/** Policy, caller and window. */
		key: text().primaryKey(),
		uses: integer().notNull(),
		quota: integer().notNull(),
		/** Real time, the window's end. */
		expiresAt: integer().notNull(),
	},
	// Over the quota the whole commit fails, and with it what would have been one use too many.
	(table) => [check("rate_windows_quota", sql`uses <= quota`), index("rate_windows_expiry").on(table.expiresAt)],
);
