// Erasures of persons: a row in every database, each of which works off its own. The rows stay, so that a database that is restored from
// before learns of them from the others.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const erasures = sqliteTable(
	"erasures",
	{
		userId: text().primaryKey(),
		/** The user's home organization, which gets the event. */
		organizationId: text(),
		requestedAt: integer().notNull(),
		/** When the walk begins: requests that were under way have ended by then. */
		beginsAt: integer().notNull(),
		/** By what the person is found where no id names them, as encrypted JSON; null once nothing is left to find. */
		sealed: text(),
		/** The place that is walked through, and how far: the key of the last row that was seen. */
		place: integer().notNull().default(0),
		cursor: text({ mode: "json" }).$type<readonly (string | number)[]>(),
		/** When nothing was left in this database. */
		finishedAt: integer(),
		/** In the person's home: when nothing was left in any, which is announced. */
		erasedAt: integer(),
	},
	(table) => [
		index("erasures_due").on(table.beginsAt).where(sql`finished_at is null`),
		index("erasures_untold").on(table.finishedAt).where(sql`finished_at is not null and erased_at is null`),
	],
);

export type ErasureRow = typeof erasures.$inferSelect;
