// Organizations, who may act for them, and their API keys.

import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ROLES } from "../../shared/permissions";

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
		lastUsedAt: integer(),
		revokedAt: integer(),
	},
	(table) => [index("api_keys_list").on(table.organizationId, table.createdAt, table.id)],
);
