// What the custodian has reported, each once by the custodian's own id.

import { sql } from "drizzle-orm";
import { check, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { DIRECTIONS, SUBJECTS, VERDICTS } from "./lifecycle";

export const custodianDecisions = sqliteTable("custodian_decisions", {
	id: text().primaryKey(),
	subject: text({ enum: SUBJECTS }).notNull(),
	subjectId: text().notNull(),
	decision: text({ enum: VERDICTS }).notNull(),
	rejectionReason: text(),
	createdAt: integer().notNull(),
});

export type DecisionRow = typeof custodianDecisions.$inferSelect;

export const custodianMovements = sqliteTable(
	"custodian_movements",
	{
		id: text().primaryKey(),
		accountId: text().notNull(),
		direction: text({ enum: DIRECTIONS }).notNull(),
		amount: integer().notNull(),
		currency: text().notNull(),
		/** As the custodian reports it. The day of the entry is that of its posting. */
		occurredAt: integer().notNull(),
		createdAt: integer().notNull(),
	},
	() => [check("custodian_movements_amount", sql`amount > 0`)],
);

export type MovementRow = typeof custodianMovements.$inferSelect;
