// The instruction to the custodian.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { INSTRUCTION_KINDS, INSTRUCTION_STATES } from "./lifecycle";

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
		/** The id of the request, message or sweep that ordered it; null for an order from before this was kept. */
		cause: text(),
	},
	(table) => [
		index("custodian_instructions_due").on(table.nextAttemptAt).where(sql`status = 'PENDING'`),
		index("custodian_instructions_waiting").on(table.createdAt, table.id).where(sql`status = 'PENDING'`),
		uniqueIndex("custodian_instructions_once").on(table.subjectId, table.kind, table.round),
	],
);

export type InstructionRow = typeof custodianInstructions.$inferSelect;
