// Invitations to become a member, and the mails that were sent for them. In the organization's home.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ROLES } from "../../../shared/permissions";
import { INVITATION_STATES } from "./lifecycle";

export const invitations = sqliteTable(
	"invitations",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		/** As the inviter wrote it. */
		email: text().notNull(),
		/** The same text for all spellings of the address. */
		emailKey: text().notNull(),
		role: text({ enum: ROLES }).notNull(),
		status: text({ enum: INVITATION_STATES }).notNull(),
		/** SHA-256 of the token that was sent last. */
		tokenHash: text().notNull(),
		/** The member's user id, or `operator:` and the operator's id. */
		invitedBy: text().notNull(),
		/** Set before a membership in another database is written, so that nobody revokes the invitation meanwhile. */
		acceptingUserId: text(),
		acceptingSince: integer(),
		acceptedAt: integer(),
		revokedAt: integer(),
		expiresAt: integer().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("invitations_pending").on(table.organizationId, table.emailKey).where(sql`status = 'PENDING'`),
		index("invitations_list").on(table.organizationId, table.createdAt, table.id),
		index("invitations_by_role").on(table.organizationId, table.role, table.createdAt, table.id),
		index("invitations_due").on(table.expiresAt).where(sql`status = 'PENDING' and accepting_user_id is null`),
		index("invitations_accepting").on(table.acceptingSince).where(sql`status = 'PENDING' and accepting_user_id is not null`),
	],
);

export type InvitationRow = typeof invitations.$inferSelect;

/** One row for each mail, kept while the caps count it. */
export const invitationSends = sqliteTable(
	"invitation_sends",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		emailKey: text().notNull(),
		sentAt: integer().notNull(),
	},
	(table) => [
		index("invitation_sends_by").on(table.organizationId, table.sentAt),
		index("invitation_sends_to").on(table.emailKey, table.sentAt),
		index("invitation_sends_at").on(table.sentAt),
	],
);
