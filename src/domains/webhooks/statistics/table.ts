// What the attempts of an endpoint led to, summed over slots of time.

import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const webhookStatistics = sqliteTable(
	"webhook_statistics",
	{
		webhookId: text().notNull(),
		/** The length of the slot. */
		slotMs: integer().notNull(),
		/** Of the slot. */
		start: integer().notNull(),
		/** That ended in the slot. Tests and attempts at blocked addresses do not count. */
		attempts: integer().notNull(),
		/** Deliveries that finished so. */
		delivered: integer().notNull(),
		failed: integer().notNull(),
		/** How many attempts were answered within each class of latency, as a JSON object. */
		latencies: text().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.webhookId, table.slotMs, table.start] }),
		index("webhook_statistics_by_age").on(table.slotMs, table.start),
	],
);
