// Exact counts of uses, for limits over longer times than the rate-limiting binding supports.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const rateWindows = sqliteTable(
	"rate_windows",
	{
		/** The digits of the home, and JSON of policy, caller and the window's end. */
		key: text().primaryKey(),
		uses: integer().notNull(),
		quota: integer().notNull(),
		/** Real time, the window's end. */
		expiresAt: integer().notNull(),
	},
	// The CHECK fails the whole commit of a use over the quota.
	(table) => [check("rate_windows_quota", sql`uses <= quota`), index("rate_windows_expiry").on(table.expiresAt)],
);
