// Prompts to repay on the borrower's phone, in the home of the account. The number that is asked is the borrower's own, and stays with them.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PAYMENT_PROVIDERS } from "../../../shared/payment-providers";
import { PROMPT_STATES } from "./lifecycle";

/** SQLite uses the partial index only for a query that contains exactly this condition. */
export const IS_OPEN = sql`status in ('PENDING', 'SENT')`;

export const repaymentPrompts = sqliteTable(
	"repayment_prompts",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		accountId: text().notNull(),
		provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
		/** Whose shortcode is paid, as it was when the prompt was made. */
		shortCode: text().notNull(),
		/** By which its payment names it. */
		reference: text().notNull().unique(),
		amount: integer().notNull(),
		currency: text().notNull(),
		status: text({ enum: PROMPT_STATES }).notNull(),
		/** The provider's id of it, from its answer: without one it cannot be asked about. */
		checkoutId: text(),
		failureReason: text(),
		/** The payment. */
		transactionId: text(),
		/** Steps of its lifecycle that are done. */
		steps: integer().notNull(),
		/** When the next step is due; null: there is none any more. */
		nextStepAt: integer(),
		createdAt: integer().notNull(),
		endedAt: integer(),
		/** The id of the request, message or sweep that ordered it; null for an order from before this was kept. */
		cause: text(),
	},
	(table) => [
		uniqueIndex("repayment_prompts_open").on(table.accountId).where(IS_OPEN),
		uniqueIndex("repayment_prompts_paid").on(table.transactionId).where(sql`transaction_id is not null`),
		index("repayment_prompts_of_account").on(table.accountId, table.createdAt, table.id),
		index("repayment_prompts_due").on(table.nextStepAt).where(sql`next_step_at is not null`),
		check("repayment_prompts_paid_once", sql`(status = 'SUCCEEDED') = (transaction_id is not null)`),
	],
);

export type PromptRow = typeof repaymentPrompts.$inferSelect;
