// Statements that were issued, with what they said on that day. They are in the home of the account.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { LOCALES } from "../../../shared/locale";

/** Append-only by trigger, but for the holder's name, which an erasure takes out. */
export const issuedStatements = sqliteTable(
	"issued_statements",
	{
		id: text().primaryKey(),
		/** The account's; empty where it has none. */
		organizationId: text().notNull(),
		/** From 1 in each organization, without gaps. */
		number: integer().notNull(),
		accountId: text().notNull(),
		userId: text().notNull(),
		/** Both days included, by the account's own calendar. */
		firstDay: text().notNull(),
		lastDay: text().notNull(),
		/** What the holder was called then. */
		holder: text(),
		/** The holder's language then. */
		locale: text({ enum: LOCALES }).notNull(),
		/** Of the lender's brand then. */
		color: text().notNull(),
		/** What it says of the account, as `StatementContent` in JSON. */
		content: text().notNull(),
		/** Of the content, in hex. */
		sha256: text().notNull(),
		/** The statement of the same days that it corrects. */
		replacesId: text(),
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("issued_statements_number").on(table.organizationId, table.number),
		// Each is corrected once: the next correction names the one before it.
		uniqueIndex("issued_statements_replaces").on(table.replacesId).where(sql`replaces_id is not null`),
		// The last one of these days, which a correction replaces.
		uniqueIndex("issued_statements_of_days").on(table.accountId, table.firstDay, table.lastDay, table.number),
		index("issued_statements_of").on(table.accountId, table.createdAt, table.id),
		index("issued_statements_of_user").on(table.userId, table.createdAt, table.id),
		check("issued_statements_days", sql`first_day <= last_day`),
	],
);

export type IssuedStatementRow = typeof issuedStatements.$inferSelect;
