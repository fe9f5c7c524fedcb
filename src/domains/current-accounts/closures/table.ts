// Closures of current accounts; one is open for each account. They stay readable when the account is gone.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CLOSURE_STATES, type ClosureReason, INITIATORS } from "./lifecycle";

export const closures = sqliteTable(
	"closures",
	{
		id: text().primaryKey(),
		accountId: text().notNull(),
		userId: text().notNull(),
		initiatedBy: text({ enum: INITIATORS }).notNull(),
		reasons: text({ mode: "json" }).$type<readonly ClosureReason[]>().notNull(),
		comment: text(),
		status: text({ enum: CLOSURE_STATES }).notNull(),
		challengeId: text().notNull(),
		rejectionReason: text(),
		createdAt: integer().notNull(),
		expiresAt: integer().notNull(),
		otpConfirmedAt: integer(),
		completedAt: integer(),
	},
	(table) => [
		uniqueIndex("closures_one_open").on(table.accountId).where(sql`status in ('AWAITING_OTP', 'OTP_CONFIRMED')`),
		index("closures_undecided").on(table.otpConfirmedAt, table.id).where(sql`status = 'OTP_CONFIRMED'`),
		index("closures_latest").on(table.userId, table.createdAt, table.id),
	],
);

export type ClosureRow = typeof closures.$inferSelect;
