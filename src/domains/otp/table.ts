// Challenges for one-time passwords, and every send of a code, from which the caps are counted.

import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const otpChallenges = sqliteTable(
	"otp_challenges",
	{
		id: text().primaryKey(),
		/** A code is valid for one purpose, subject and resource only. */
		purpose: text().notNull(),
		subject: text().notNull(),
		resource: text().notNull(),
		/** E.164 number or email address that the code was sent to. */
		recipient: text().notNull(),
		/** HMAC of id, purpose and code. */
		codeTag: text().notNull(),
		/** Tries used, including a right one. */
		tries: integer().notNull().default(0),
		sentAt: integer().notNull(),
		expiresAt: integer().notNull(),
		consumedAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [index("otp_challenges_of").on(table.subject, table.createdAt), index("otp_challenges_age").on(table.createdAt)],
);

/** What of a minute's codes a send is taken from. */
export const SENT_SHARES = ["SIGNED_IN", "PUBLIC", "KNOWN"] as const;
const SHARES = [...SENT_SHARES, "WITHHELD"] as const;

export type ChallengeRow = typeof otpChallenges.$inferSelect;

export const otpSends = sqliteTable(
	"otp_sends",
	{
		id: text().primaryKey(),
		recipient: text().notNull(),
		/** HMAC of the client's address. */
		client: text().notNull(),
		sentAt: integer().notNull(),
		/** Of what a minute allows; WITHHELD counts towards the caps of recipient and client only, because nothing is sent. */
		share: text({ enum: SHARES }).notNull().default("SIGNED_IN"),
	},
	(table) => [
		index("otp_sends_share").on(table.share, table.sentAt),
		index("otp_sends_to").on(table.recipient, table.sentAt),
		index("otp_sends_by").on(table.client, table.sentAt),
		index("otp_sends_age").on(table.sentAt),
	],
);
