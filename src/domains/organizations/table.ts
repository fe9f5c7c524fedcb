// Organizations, who may act for them, and their API keys.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PERMISSIONS, ROLES } from "../../shared/permissions";

export const organizations = sqliteTable("organizations", {
	id: text().primaryKey(),
	slug: text().notNull().unique(),
	name: text().notNull(),
	createdAt: integer().notNull(),
});

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

/** What a user may do for one merchant, beside what a role lets him do for the whole organization. */
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
		/** SHA-256 of the whole key, which itself is kept nowhere. */
		hash: text().notNull(),
		maskedKey: text().notNull(),
		scopes: text({ mode: "json" }).$type<readonly string[]>().notNull(),
		createdAt: integer().notNull(),
		/** null: until it is revoked. */
		expiresAt: integer(),
		/** Kept to the minute. */
		lastUsedAt: integer(),
		revokedAt: integer(),
	},
	// Revoked keys stay for the record; only those that are not are ever listed.
	(table) => [index("api_keys_list").on(table.organizationId, table.createdAt, table.id).where(sql`revoked_at is null`)],
);
