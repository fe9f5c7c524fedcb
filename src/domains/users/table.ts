// Users, and the outside identities that are theirs.

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const USER_STATES = ["ACTIVE", "WAITING_LIST"] as const;

export const users = sqliteTable("users", {
	id: text().primaryKey(),
	status: text({ enum: USER_STATES }).notNull(),
	blockedAt: integer(),
	/** Public handle, starts with `@`. */
	tag: text().notNull().unique(),
	/** E.164. */
	mobileNumber: text().unique(),
	/** Verified by the issuer that said so; accounts are never joined by it. */
	email: text(),
	/** The organization of the issuer that created him: his products, his partner's API keys and events about him go by it. */
	homeOrganizationId: text(),
	admittedAt: integer(),
	/** Real time in seconds: access tokens made before it are signed out. */
	signedOutAt: integer(),
	createdAt: integer().notNull(),
});

export type UserRow = typeof users.$inferSelect;

/** An identity is the pair (issuer, subject): the same subject of another issuer is somebody else. */
export const identityLinks = sqliteTable(
	"identity_links",
	{
		issuer: text().notNull(),
		subject: text().notNull(),
		userId: text().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);
