// Messages to people: queued in the commit of the change they report, and sent afterwards. The content is encrypted, and
// erased once the message is sent, refused or expired; only the development mailbox keeps it.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { NOTIFICATION_CATEGORIES } from "../notifications/policy";

export const CHANNELS = ["SMS", "EMAIL"] as const;
export type Channel = (typeof CHANNELS)[number];

export const messages = sqliteTable(
	"messages",
	{
		id: text().primaryKey(),
		channel: text({ enum: CHANNELS }).notNull(),
		/** E.164 number or email address. */
		recipient: text().notNull(),
		purpose: text().notNull(),
		/** The category by which users choose what they want; null for a message that somebody asked for. */
		category: text({ enum: NOTIFICATION_CATEGORIES }),
		status: text({ enum: ["PENDING", "SENT", "KEPT", "EXPIRED", "REFUSED"] }).notNull(),
		/** The content as encrypted JSON; null once erased. */
		sealed: text(),
		attempts: integer().notNull().default(0),
		/** Stored like any other and never sent, so that what a stranger asks for looks the same whether or not it is sent. */
		withheld: integer({ mode: "boolean" }).notNull().default(false),
		/** null unless PENDING. */
		nextAttemptAt: integer(),
		expiresAt: integer().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		index("messages_due").on(table.status, table.nextAttemptAt),
		index("messages_to").on(table.recipient, table.createdAt, table.id),
		index("messages_asked").on(table.createdAt).where(sql`category is null`),
		index("messages_list").on(table.withheld, table.createdAt, table.id),
	],
);

export type MessageRow = typeof messages.$inferSelect;
