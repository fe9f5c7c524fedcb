// What the custodian is told, and what it reported: decisions and movements, each once by the custodian's own id.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DIRECTIONS, INSTRUCTION_KINDS, INSTRUCTION_STATES, SUBJECTS, VERDICTS } from "./lifecycle";

export const custodianInstructions = sqliteTable(
	"custodian_instructions",
	{
		/** The reference that every repetition carries. */
		id: text().primaryKey(),
		kind: text({ enum: INSTRUCTION_KINDS }).notNull(),
		subjectId: text().notNull(),
		/** Of a subject that is submitted again. */
		round: integer().notNull(),
		facts: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
		status: text({ enum: INSTRUCTION_STATES }).notNull(),
		/** Counted before each attempt. */
		attempts: integer().notNull(),
		nextAttemptAt: integer().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		index("custodian_instructions_due").on(table.nextAttemptAt).where(sql`status = 'PENDING'`),
		uniqueIndex("custodian_instructions_once").on(table.subjectId, table.kind, table.round),
	],
);

export type InstructionRow = typeof custodianInstructions.$inferSelect;

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
