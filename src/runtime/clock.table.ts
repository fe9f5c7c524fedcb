// The sandbox's clock: a single row.

import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

export const sandboxClock = sqliteTable("sandbox_clock", {
	id: integer().primaryKey(),
	/** How far the service's clock is ahead of real time, in ms. */
	offsetMs: integer().notNull(),
});
