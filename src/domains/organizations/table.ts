// Organizations, their members and merchant grants, and their API keys.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PERMISSIONS, ROLES } from "../../shared/permissions";
import { ORGANIZATION_STATES } from "./lifecycle";

/** A row for each organization in every database; that in its home decides. The directory's names keep slugs unique. */
export const organizations = sqliteTable(
	"organizations",
	{
		id: text().primaryKey(),
		slug: text().notNull(),
		name: text().notNull(),
		/** SUSPENDED: its keys and members write nothing, nobody gets new credit from it, and its issuers' tokens are not exchanged. */
		status: text({ enum: ORGANIZATION_STATES }).notNull().default("ACTIVE"),
		createdAt: integer().notNull(),
		/** Grows with every change, so that a copy that arrives late overwrites no later one. */
		updatedAt: integer().notNull().default(0),
	},
	(table) => [index("organizations_slug").on(table.slug), index("organizations_list").on(table.createdAt, table.id)],
);

export type OrganizationRow = typeof organizations.$inferSelect;

/** In the home of the user, because authentication reads them for every request of the user. */
export const memberships = sqliteTable(
	"memberships",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		userId: text().notNull(),
		role: text({ enum: ROLES }).notNull(),
		/**
		 * Grows with every change, so that a change that arrives late overwrites neither this row nor the organization's copy. Odd if
		 * the user's home made the change, even if the organization's did, so two concurrent changes never get the same number.
		 */
		version: integer().notNull().default(1),
		createdAt: integer().notNull(),
		/** When the outside authorization provider got this role, in real time; 0 while it is being sent, null: nobody sends it. */
		reachedAt: integer(),
	},
	(table) => [
		uniqueIndex("memberships_once").on(table.userId, table.organizationId),
		index("memberships_untold").on(table.id).where(sql`reached_at is null`),
	],
);

export type MembershipRow = typeof memberships.$inferSelect;

/**
 * The organization's copy of its memberships, to list them and to count the owners. A promotion to owner is written to the membership
 * first, any other change and a removal to the copy first. So an owner in the copy is an owner in their membership too.
 */
export const organizationMembers = sqliteTable(
	"organization_members",
	{
		organizationId: text().notNull(),
		userId: text().notNull(),
		membershipId: text().notNull(),
		role: text({ enum: ROLES }).notNull(),
		version: integer().notNull(),
		createdAt: integer().notNull(),
		/** When the member last got a role that may more than the role before: a decision needs a role that is a day old. */
		grantedAt: integer().notNull().default(0),
		/** The name by which the others know the member; null until the user's home has sent it. */
		displayName: text(),
		email: text(),
		tag: text(),
		/** Of these three, as the user's home counts it; 0 before any. */
		profileVersion: integer().notNull().default(0),
		/** A removed member's row stays, so that a late copy of the membership does not bring it back. */
		removedAt: integer(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.userId] }),
		index("organization_members_list").on(table.organizationId, table.createdAt, table.membershipId).where(sql`removed_at is null`),
		index("organization_members_owners")
			.on(table.organizationId, table.userId)
			.where(sql`role = 'organization-owner' and removed_at is null`),
	],
);

export type MemberRow = typeof organizationMembers.$inferSelect;

/** What a member may do for one merchant, in addition to what their role allows for the whole organization. In the user's home. */
export const merchantGrants = sqliteTable(
	"merchant_grants",
	{
		organizationId: text().notNull(),
		merchantId: text().notNull(),
		userId: text().notNull(),
		permission: text({ enum: PERMISSIONS }).notNull(),
		createdAt: integer().notNull(),
		/** As that of a membership. */
		reachedAt: integer(),
	},
	(table) => [
		primaryKey({ columns: [table.userId, table.organizationId, table.merchantId, table.permission] }),
		index("merchant_grants_untold").on(table.userId, table.organizationId, table.merchantId).where(sql`reached_at is null`),
	],
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
		/** The person who created or adopted the key. It may what they may, and approvals treat what it does as done by them. */
		createdBy: text().notNull(),
		/** How much the key may move in a day, in minor units; null: API_KEY_DAILY_AMOUNT. */
		dailyAmount: integer(),
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
