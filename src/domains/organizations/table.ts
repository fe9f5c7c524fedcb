// Organizations, their members and merchant grants, and their API keys.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PERMISSIONS, ROLES } from "../../shared/permissions";

export const organizations = sqliteTable(
	"organizations",
	{
		id: text().primaryKey(),
		slug: text().notNull().unique(),
		name: text().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [index("organizations_list").on(table.createdAt, table.id)],
);

export const memberships = sqliteTable(
	"memberships",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		userId: text().notNull(),
		role: text({ enum: ROLES }).notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("memberships_once").on(table.userId, table.organizationId),
		index("memberships_list").on(table.organizationId, table.createdAt, table.id),
	],
);

export type MemberRow = typeof memberships.$inferSelect;

/** What a user may do for one merchant, in addition to what their role allows for the whole organization. */
export const merchantGrants = sqliteTable(
	"merchant_grants",
	{
		organizationId: text().notNull(),
		merchantId: text().notNull(),
		userId: text().notNull(),
		permission: text({ enum: PERMISSIONS }).notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.organizationId, table.merchantId, table.permission] })],
);

export const apiKeys = sqliteTable(
	"api_keys",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		name: text().notNull(),
		/** SHA-256 of the whole key. The key itself is not stored. */
		hash: text().notNull(),
		maskedKey: text().notNull(),
		scopes: text({ mode: "json" }).$type<readonly string[]>().notNull(),
		createdAt: integer().notNull(),
		/** null: never expires. */
		expiresAt: integer(),
		/** Accurate to the minute. */
		lastUsedAt: integer(),
		revokedAt: integer(),
	},
	// Revoked keys are kept for the record but never listed.
	(table) => [index("api_keys_list").on(table.organizationId, table.createdAt, table.id).where(sql`revoked_at is null`)],
);
