// The payer's home stores each transfer from a current account. The payee's home stores its decision on a transfer from another home.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AccountType } from "../payees/policy";
import { DESTINATIONS, OUTCOMES, TRANSFER_STATES } from "./lifecycle";

/** The payee's account as it was when the transfer was ordered, because the payer may remove it later. */
export type PayeeSnapshot = { readonly type: AccountType; readonly identifier: string; readonly name: string | null };

export const transfers = sqliteTable(
	"transfers",
	{
		id: text().primaryKey(),
		userId: text().notNull(),
		accountId: text().notNull(),
		/** The account's organization, which gets the events. */
		organizationId: text(),
		payeeId: text().notNull(),
		payeeAccountId: text().notNull(),
		destination: text({ enum: DESTINATIONS }).notNull(),
		/** INTERNAL: the user who gets the money. The id names their home. */
		payeeUserId: text(),
		/** INTERNAL: the payer's number, by which the payee may have blocked them. */
		payerNumber: text(),
		/** INTERNAL: the payer's name, else their tag, for the payee to read. */
		payerName: text(),
		snapshot: text({ mode: "json" }).$type<PayeeSnapshot>().notNull(),
		amount: integer().notNull(),
		currency: text().notNull(),
		note: text(),
		status: text({ enum: TRANSFER_STATES }).notNull(),
		failureReason: text(),
		/** AWAITING_OTP: the code that confirms it. */
		challengeId: text(),
		/** PAYOUT: the provider has taken the instruction, so only its report is awaited. */
		taken: integer({ mode: "boolean" }).notNull().default(false),
		/** PAYOUT: the provider's own id of the payment, which the directory reserves. */
		providerReference: text(),
		/** PAYOUT: when the payment was made or failed, as the provider reports it. */
		reportedAt: integer(),
		/** Counted before each attempt. */
		attempts: integer().notNull().default(0),
		/** AWAITING_OTP: when it expires. PENDING: when the next attempt is due, null once the provider has taken the instruction. */
		nextAttemptAt: integer(),
		createdAt: integer().notNull(),
		completedAt: integer(),
		/** The id of the request, message or sweep that ordered it; null for an order that is older than this column. */
		cause: text(),
	},
	(table) => [
		index("transfers_list").on(table.userId, table.createdAt, table.id),
		index("transfers_due").on(table.nextAttemptAt).where(sql`next_attempt_at is not null`),
		index("transfers_open").on(table.payeeAccountId).where(sql`status in ('AWAITING_OTP', 'PENDING')`),
		index("transfers_waiting").on(table.createdAt, table.id).where(sql`status = 'PENDING'`),
		check("transfers_amount", sql`amount > 0`),
		check("transfers_internal", sql`(destination = 'INTERNAL') = (payee_user_id is not null)`),
		check("transfers_finished", sql`(status in ('COMPLETED', 'FAILED')) = (completed_at is not null)`),
		check("transfers_failed", sql`(status = 'FAILED') = (failure_reason is not null)`),
		check("transfers_work", sql`(status in ('COMPLETED', 'FAILED') or taken) = (next_attempt_at is null)`),
	],
);

export type TransferRow = typeof transfers.$inferSelect;

/** A REFUSED row makes it safe to release the payer's money: no later attempt can credit the transfer. */
export const incomingTransfers = sqliteTable(
	"incoming_transfers",
	{
		/** The id of the transfer, which is in another home. */
		transferId: text().primaryKey(),
		/** The account that was credited; null if REFUSED. */
		accountId: text(),
		payeeUserId: text().notNull(),
		payerUserId: text().notNull(),
		/** The same as in the transfer, which this home cannot read. */
		payerName: text(),
		note: text(),
		amount: integer().notNull(),
		currency: text().notNull(),
		outcome: text({ enum: OUTCOMES }).notNull(),
		createdAt: integer().notNull(),
	},
	() => [check("incoming_transfers_credited", sql`(outcome = 'CREDITED') = (account_id is not null)`)],
);

export type IncomingTransferRow = typeof incomingTransfers.$inferSelect;
