// Activations of current accounts; one is open for each account.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ACTIVATION_STATES } from "./lifecycle";

export const activations = sqliteTable(
	"activations",
	{
		id: text().primaryKey(),
		accountId: text().notNull(),
		userId: text().notNull(),
		channel: text({ enum: ["SMS", "EMAIL"] }).notNull(),
		status: text({ enum: ACTIVATION_STATES }).notNull(),
		challengeId: text().notNull(),
		rejectionReason: text(),
		createdAt: integer().notNull(),
		expiresAt: integer().notNull(),
		otpConfirmedAt: integer(),
		completedAt: integer(),
	},
	(table) => [
		uniqueIndex("activations_one_open")
			.on(table.accountId)
			.where(sql`status = 'AWAITING_OTP' or (status = 'OTP_CONFIRMED' and completed_at is null)`),
		index("activations_undecided").on(table.otpConfirmedAt, table.id).where(sql`status = 'OTP_CONFIRMED' and completed_at is null`),
	],
);

export type ActivationRow = typeof activations.$inferSelect;
