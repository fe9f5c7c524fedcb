// Saved payees and their accounts, and how much of the daily quota each user has used.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ACCOUNT_TYPES, type BlockReason, VERIFICATION_STATES } from "./policy";

export const payees = sqliteTable(
	"payees",
	{
		id: text().primaryKey(),
		userId: text().notNull(),
		label: text(),
		isFavorite: integer({ mode: "boolean" }).notNull().default(false),
		isBlocked: integer({ mode: "boolean" }).notNull().default(false),
		blockReasons: text({ mode: "json" }).$type<readonly BlockReason[]>().notNull(),
		blockDetails: text(),
		/** Grows with every change of the payee or of its accounts but a use, so that a change that was decided on old rows is stale. */
		version: integer().notNull().default(1),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		index("payees_list").on(table.userId, table.createdAt, table.id),
		index("payees_blocked").on(table.userId).where(sql`is_blocked`),
		check("payees_reasons", sql`is_blocked or block_reasons = '[]'`),
	],
);

export type PayeeRow = typeof payees.$inferSelect;

export const payeeAccounts = sqliteTable(
	"payee_accounts",
	{
		id: text().primaryKey(),
		payeeId: text().notNull(),
		userId: text().notNull(),
		type: text({ enum: ACCOUNT_TYPES }).notNull(),
		/** Identifies the account within its type: a number, a till, or a user's id. */
		identifier: text().notNull(),
		accountHolderName: text(),
		/** The service's user who had the number when it was last looked up. */
		linkedUserId: text(),
		linkedUserTag: text(),
		transactionCount: integer().notNull().default(0),
		lastUsedAt: integer(),
		/** When the number was found to have another holder than the linked one; null once a one-time password has confirmed that one. */
		holderChangedAt: integer(),
		/** When the owner confirmed a transfer to it with a one-time password. */
		confirmedAt: integer(),
		verification: text({ enum: VERIFICATION_STATES }).notNull(),
		resolvedName: text(),
		/** When the provider last confirmed the account. */
		verifiedAt: integer(),
		lookupAttempts: integer().notNull().default(0),
		/** null unless PENDING. */
		nextLookupAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("payee_accounts_once").on(table.payeeId, table.type, table.identifier),
		index("payee_accounts_lookups").on(table.nextLookupAt).where(sql`next_lookup_at is not null`),
		check("payee_accounts_pending", sql`(verification = 'PENDING') = (next_lookup_at is not null)`),
	],
);

export type PayeeAccountRow = typeof payeeAccounts.$inferSelect;

export const payeeQuotas = sqliteTable(
	"payee_quotas",
	{
		userId: text().notNull(),
		/** UTC. */
		day: text().notNull(),
		payees: integer().notNull(),
		lookups: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.day] }), index("payee_quotas_age").on(table.day)],
);
