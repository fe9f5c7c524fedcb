// Requests for approval. Each is in the home of its entity, so that one commit decides and executes it.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Json } from "../../shared/json";
import { APPROVAL_STATES, DECISIONS } from "./lifecycle";

export const APPROVAL_TYPES = [
	"BLOCK_CHANGE",
	"REPAYMENT_REVERSAL",
	"REPAYMENT_RESTORATION",
	"REPAYMENT_MOVE",
	"TRANSACTION_REVERSAL",
	"WRITE_OFF",
	"SETTLEMENT",
	"RESCHEDULE",
	"ACCOUNT_CLOSURE",
	"FREEZE_CHANGE",
	"WAIVER",
	"OVERPAYMENT_REFUND",
	"LIMIT_CHANGE",
	"ISSUER_REGISTRATION",
	"OPERATION",
	"NUMBER_RECOVERY",
	"LEDGER_CLOSING",
	"PROVISIONING_RULES",
	"TREASURY_RECORD",
	"PROVIDER_TARIFF",
	"LEDGER_MAPPING",
] as const;
export type ApprovalType = (typeof APPROVAL_TYPES)[number];

export const ENTITY_TYPES = ["USER", "TRANSACTION", "ACCOUNT", "ORGANIZATION", "OPERATION", "TREASURY_RECORD"] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** Who may decide: the organization and operators, or operators only. */
const DECIDERS = ["ORGANIZATION", "OPERATOR"] as const;
export type Decider = (typeof DECIDERS)[number];

export const CREDENTIALS = ["API_KEY", "MEMBER", "OPERATOR"] as const;

export const approvals = sqliteTable(
	"approvals",
	{
		id: text().primaryKey(),
		/** The organization that sees the request; null if it belongs to none. */
		organizationId: text(),
		approvalType: text({ enum: APPROVAL_TYPES }).notNull(),
		entityType: text({ enum: ENTITY_TYPES }).notNull(),
		entityId: text().notNull(),
		payload: text({ mode: "json" }).$type<Json>().notNull(),
		/** SHA-256 of the payload's canonical JSON, which proves that the executed payload is the requested one. */
		payloadHash: text().notNull(),
		reason: text(),
		/** The entity's state at the request. An execution demands it unchanged. */
		targetVersion: text().notNull(),
		decider: text({ enum: DECIDERS }).notNull(),
		status: text({ enum: APPROVAL_STATES }).notNull(),
		/** The person behind the credentials, like `decidedBy`: nobody decides their own request. */
		requestedBy: text().notNull(),
		requestedThrough: text({ enum: CREDENTIALS }).notNull(),
		/** All by which that person was known: an operator's identity, a key's or a user's id, and the identities linked to them. */
		requestedAs: text({ mode: "json" }).$type<readonly string[]>().notNull().default([]),
		decidedBy: text(),
		decidedAt: integer(),
		decision: text({ enum: DECISIONS }),
		comment: text(),
		failureReason: text(),
		expiresAt: integer().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		check("approvals_four_eyes", sql`decided_by is null or decided_by <> requested_by`),
		uniqueIndex("approvals_pending").on(table.entityId, table.approvalType).where(sql`status = 'PENDING'`),
		index("approvals_expiry").on(table.expiresAt).where(sql`status = 'PENDING'`),
		// The lists of an organization; the three after them are the lists of operators. Those of a type merge its states.
		index("approvals_of").on(table.organizationId, table.createdAt, table.id),
		index("approvals_of_by_status").on(table.organizationId, table.status, table.createdAt, table.id),
		index("approvals_of_by_type").on(table.organizationId, table.approvalType, table.status, table.createdAt, table.id),
		index("approvals_of_entity").on(table.entityId, table.createdAt, table.id),
		index("approvals_list").on(table.createdAt, table.id),
		index("approvals_by_status").on(table.status, table.createdAt, table.id),
		index("approvals_by_type").on(table.approvalType, table.status, table.createdAt, table.id),
	],
);

export type ApprovalRow = typeof approvals.$inferSelect;
