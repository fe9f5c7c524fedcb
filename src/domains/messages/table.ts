// Messages to people: queued in the commit of the change they report, and sent afterwards. The content is encrypted, and
// erased once the message is sent, refused or expired; only the development mailbox keeps it.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { NOTIFICATION_CATEGORIES } from "./preferences/policy";

export const CHANNELS = ["SMS", "EMAIL"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What a provider reports in the end. */
export const DELIVERIES = ["DELIVERED", "FAILED"] as const;

export const messages = sqliteTable(
	"messages",
	{
		/** Begins with the instant of `createdAt`, so that the oldest rows come first. */
		id: text().primaryKey(),
		channel: text({ enum: CHANNELS }).notNull(),
		/** E.164 number or email address. */
		recipient: text().notNull(),
		purpose: text().notNull(),
		/** Whose language it is in, and whose lender it names; null for somebody who is no user, or not known to be one. */
		userId: text(),
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
		/** In a list of providers, the provider that took it, or may have taken it when it was asked last. */
		provider: text(),
		/** By what name the provider knows it. */
		providerMessageId: text(),
		/** In ten-thousandths of the currency's unit; null where the provider does not say. */
		cost: integer(),
		costCurrency: text(),
		delivery: text({ enum: DELIVERIES }),
		reportedAt: integer(),
		expiresAt: integer().notNull(),
		createdAt: integer().notNull(),
		/** The id of the request, message or sweep that ordered it; null for an order from before this was kept. */
		cause: text(),
	},
	(table) => [
		index("messages_of_provider").on(table.provider, table.providerMessageId).where(sql`provider_message_id is not null`),
		index("messages_due").on(table.nextAttemptAt).where(sql`status = 'PENDING'`),
		index("messages_to").on(table.recipient, table.createdAt, table.id),
		index("messages_asked").on(table.createdAt).where(sql`category is null`),
	],
);

/** What providers did with the messages of a day (UTC), counted with each. */
export const messageDays = sqliteTable(
	"message_days",
	{
		day: text().notNull(),
		provider: text().notNull(),
		/** Empty where the provider does not say what it costs. */
		currency: text().notNull(),
		sent: integer().notNull().default(0),
		delivered: integer().notNull().default(0),
		failed: integer().notNull().default(0),
		cost: integer().notNull().default(0),
	},
	(table) => [primaryKey({ columns: [table.day, table.provider, table.currency] })],
);

export type MessageRow = typeof messages.$inferSelect;
