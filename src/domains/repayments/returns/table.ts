// Money of reversed payments that goes back to its payers, in the home of the account.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PAYMENT_PROVIDERS } from "../../../shared/payment-providers";
import { RETURN_STATES } from "./lifecycle";

/** SQLite uses the partial index only for a query that contains exactly this condition. */
export const HAS_NOT_ENDED = sql`status not in ('RETURNED', 'GIVEN_UP')`;

export const paymentReturns = sqliteTable(
	"payment_returns",
	{
		/** The payment's: a payment is given back once. */
		id: text().primaryKey(),
		/** The transaction that reversed it. */
		reversalId: text().notNull(),
		organizationId: text().notNull(),
		accountId: text().notNull(),
		provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
		/** That was paid: nobody else gets the order. */
		shortCode: text().notNull(),
		/** The provider's id of the payment, by which it knows a second order to give it back. */
		receipt: text().notNull(),
		amount: integer().notNull(),
		currency: text().notNull(),
		status: text({ enum: RETURN_STATES }).notNull(),
		/** Counted before each is made. */
		attempts: integer().notNull(),
		/** Those of them of which nothing has reached the provider. */
		harmlessAttempts: integer().notNull(),
		/** null: the order is not sent any more. */
		nextAttemptAt: integer(),
		failureReason: text(),
		/** The provider's id of the return, where it has sent it. */
		transactionId: text(),
		/** The last result that contradicts what is stored, or says something else than what was asked for. */
		contradiction: text(),
		/** Why an operator has given it up. */
		givenUpReason: text(),
		createdAt: integer().notNull(),
		endedAt: integer(),
		/** The id of the request, message or sweep that ordered it; null for an order from before this was kept. */
		cause: text(),
	},
	(table) => [
		index("payment_returns_due").on(table.nextAttemptAt).where(sql`next_attempt_at is not null`),
		index("payment_returns_waiting").on(table.createdAt, table.id).where(HAS_NOT_ENDED),
		check("payment_returns_amount", sql`amount > 0 and amount <= 9007199254740991`),
		check("payment_returns_told", sql`(status in ('PENDING', 'TAKEN')) = (next_attempt_at is not null)`),
		check("payment_returns_failed", sql`(status = 'FAILED') <= (failure_reason is not null)`),
		check("payment_returns_given_up", sql`(status = 'GIVEN_UP') <= (given_up_reason is not null)`),
	],
);

export type ReturnRow = typeof paymentReturns.$inferSelect;
