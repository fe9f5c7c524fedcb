// Exact counts of uses, and exact sums of amounts, for limits over longer times than the rate-limiting binding supports.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The CHECK constraint that refuses a use over the quota. */
export const QUOTA_CONSTRAINT = "rate_windows_quota";

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
	(table) => [check(QUOTA_CONSTRAINT, sql`uses <= quota`), index("rate_windows_expiry").on(table.expiresAt)],
);
