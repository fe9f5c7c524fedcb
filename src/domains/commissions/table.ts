// Agents, their events, their supervisors, and the models by which they are paid. All but the models are in the home of the
// reporting organization; amounts are in minor units.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { FOREVER } from "./supervision.policy";
import { AGENT_EVENT_TYPES, type Rule } from "./tariff.policy";

/** One row for each version of a model, in the directory and as a copy in every other database. */
export const commissionModels = sqliteTable(
	"commission_models",
	{
		id: text().primaryKey(),
		/** The name of the model, which all its versions share. */
		modelId: text().notNull(),
		currency: text().notNull(),
		effectiveFrom: integer().notNull(),
		rules: text({ mode: "json" }).$type<readonly Rule[]>().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("commission_models_version").on(table.modelId, table.currency, table.effectiveFrom),
		index("commission_models_effective").on(table.currency, table.effectiveFrom, table.createdAt),
		index("commission_models_list").on(table.createdAt, table.id),
	],
);

export type CommissionModelRow = typeof commissionModels.$inferSelect;

export const agents = sqliteTable(
	"agents",
	{
		organizationId: text().notNull(),
		userId: text().notNull(),
		/** The currency of the agent's first event, which all their events must have. */
		currency: text().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.organizationId, table.userId] }), index("agents_of_user").on(table.userId)],
);

export const agentEvents = sqliteTable(
	"agent_events",
	{
		organizationId: text().notNull(),
		/** The organization's own id: an event is recorded once. */
		eventId: text().notNull(),
		agentUserId: text().notNull(),
		eventType: text({ enum: AGENT_EVENT_TYPES }).notNull(),
		referenceId: text().notNull(),
		amount: integer().notNull(),
		currency: text().notNull(),
		description: text().notNull(),
		occurredAt: integer().notNull(),
		fingerprint: text().notNull(),
		/** For a penalty, the part of the amount that reversals have taken back. */
		reversed: integer().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.eventId] }),
		index("agent_events_report").on(table.organizationId, table.agentUserId, table.occurredAt, table.eventId),
		index("agent_events_penalties").on(table.organizationId, table.referenceId).where(sql`event_type = 'PENALTY'`),
		check("agent_events_amount", sql`amount >= 0 and amount <= 9007199254740991`),
		check("agent_events_reversed", sql`reversed between 0 and amount`),
	],
);

export type AgentEventRow = typeof agentEvents.$inferSelect;

/** Intervals of one agent follow each other: `effectiveTo` is the next one's `effectiveFrom`. */
export const agentSupervisions = sqliteTable(
	"agent_supervisions",
	{
		organizationId: text().notNull(),
		agentUserId: text().notNull(),
		effectiveFrom: integer().notNull(),
		effectiveTo: integer().notNull().default(FOREVER),
		/** null: no supervisor from then on. */
		supervisorUserId: text(),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.agentUserId, table.effectiveFrom] }),
		index("agent_supervisions_of").on(table.organizationId, table.supervisorUserId, table.effectiveTo),
	],
);
