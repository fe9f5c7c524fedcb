// Users, and the identities of outside issuers that are linked to them. The directory's names keep tags, numbers and identities unique.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LOCALES } from "../../../shared/locale";

export const USER_STATES = ["ACTIVE", "WAITING_LIST"] as const;

export const users = sqliteTable(
	"users",
	{
		id: text().primaryKey(),
		status: text({ enum: USER_STATES }).notNull(),
		blockedAt: integer(),
		/** Public handle, starts with `@`. */
		tag: text().notNull(),
		/** E.164. */
		mobileNumber: text(),
		/** The address that the issuer has verified. Never used to find or merge users. */
		email: text(),
		/** What they want to be called; they or their first issuer say it, so nobody is recognised by it. */
		displayName: text(),
		/** The same as it is looked for, and with its last word first. */
		foldedName: text(),
		foldedLastName: text(),
		/** Grows with every change of the address or the display name, so that copies of them that arrive late overwrite none. */
		profileVersion: integer().notNull().default(1),
		/** The organization through which the user came: it sets their products, its API keys may act for them, it gets their events. */
		homeOrganizationId: text(),
		admittedAt: integer(),
		/** Real time in seconds: access tokens issued before it are no longer valid. */
		signedOutAt: integer(),
		/** The session whose tokens stay valid. */
		signedOutExcept: text(),
		/** The language that they have chosen for messages. */
		locale: text({ enum: LOCALES }),
		/** That of their app when they last obtained tokens. */
		signInLocale: text({ enum: LOCALES }),
		/** When they last obtained tokens; accurate to the hour. */
		lastSeenAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [
		index("users_list").on(table.createdAt, table.id),
		index("users_by_status").on(table.status, table.createdAt, table.id),
		index("users_of").on(table.homeOrganizationId, table.createdAt, table.id),
		index("users_of_by_status").on(table.homeOrganizationId, table.status, table.createdAt, table.id),
		index("users_by_email").on(sql`lower(email)`).where(sql`email is not null`),
		// What is looked for by name: of all users, and of an organization.
		index("users_by_name").on(table.foldedName).where(sql`folded_name is not null`),
		index("users_by_last_name").on(table.foldedLastName).where(sql`folded_last_name is not null`),
		index("users_by_name_of").on(table.homeOrganizationId, table.foldedName).where(sql`folded_name is not null`),
		index("users_by_last_name_of").on(table.homeOrganizationId, table.foldedLastName).where(sql`folded_last_name is not null`),
	],
);

export type UserRow = typeof users.$inferSelect;

/** An identity is the pair (issuer, subject): the same subject of another issuer is a different person. */
export const identityLinks = sqliteTable(
	"identity_links",
	{
		issuer: text().notNull(),
		subject: text().notNull(),
		userId: text().notNull(),
		createdAt: integer().notNull(),
	},
	// The directory finds the user of an identity, and keeps identities unique.
	(table) => [primaryKey({ columns: [table.userId, table.issuer, table.subject] })],
);
