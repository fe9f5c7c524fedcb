// Disbursements: what is paid out to borrowers and merchants.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PAYMENT_PROVIDERS } from "../../../shared/payment-providers";
import type { Destination } from "./destination.policy";
import { DISBURSEMENT_KINDS, DISBURSEMENT_STATES } from "./lifecycle";

/** SQLite uses the partial indexes only for a query that contains exactly this condition. */
export const IS_OPEN = sql`status in ('PENDING', 'ACCEPTED')`;

/** The same rows, in words by which SQLite searches no other index. */
export const HAS_NOT_ENDED = sql`status not in ('SUCCEEDED', 'FAILED', 'RETURNED')`;

/** A provider says that it was paid, and no account owes it. */
export const IS_CONTRADICTED = sql`contradicted_at is not null`;

/** It is reported as paid by another receipt too, and nobody has decided what that means. */
export const HAS_SECOND_RECEIPT = sql`second_receipt_at is not null`;

/** A provider has it, and is asked what became of it. */
export const IS_ASKED = sql`status = 'ACCEPTED' and provider is not null`;

/** An outside disburser has paid it, by a transaction that is on a statement. */
export const WAS_PAID_OUTSIDE = sql`instruction is not null and mobile_money_transaction_id is not null`;

/** A payment that a provider has reported, and which may be a second one. */
export type SecondReceipt = { readonly transaction: string; readonly at: number };

/**
 * Payouts: instructions to an outside disburser, and what was paid at once, by the embedded one or to a current account. The id is that
 * of the application, of the transaction or of the invoice's advance, so that an instruction sent twice is paid once.
 */
export const disbursements = sqliteTable(
	"disbursements",
	{
		id: text().primaryKey(),
		kind: text({ enum: DISBURSEMENT_KINDS }).notNull(),
		/** null for an invoice. */
		accountId: text(),
		/** null for all others. */
		invoiceId: text(),
		/** The account's or the invoice's; null for a borrower who is at home with none. */
		organizationId: text(),
		amount: integer().notNull(),
		currency: text().notNull(),
		/** As decided with the order, which retries follow. null for an invoice, and where the embedded disburser paid a borrower who has none. */
		destination: text({ mode: "json" }).$type<Destination>(),
		/** Whose connection pays it, as decided with the order; null: the disburser behind DISBURSER_URL, or nobody outside. */
		provider: text({ enum: PAYMENT_PROVIDERS }),
		/** The body of the instruction to an outside disburser, byte for byte; null for what was paid at once. */
		instruction: text(),
		/** ACCEPTED: the disburser has it, and only its report decides; nothing is sent any more, but a provider is asked what became of it. */
		status: text({ enum: DISBURSEMENT_STATES }).notNull(),
		/** Counted before each is made. */
		attempts: integer().notNull(),
		/** Those of them that cannot have been paid, because nothing reached the provider. */
		harmlessAttempts: integer().notNull().default(0),
		/** Since when an outside disburser may pay it: the first attempt that is not known to be harmless. */
		toldAt: integer(),
		/** Why the provider will never pay the only attempt that could have been paid; the sweep ends the payout. */
		refusal: text(),
		nextAttemptAt: integer().notNull(),
		/** The disburser's own id of the payment. The directory reserves the reported ones. */
		mobileMoneyTransactionId: text(),
		failureReason: text(),
		/** When the payment succeeded or failed, as the disburser reports it. */
		occurredAt: integer(),
		/**
		 * The failure that a provider reported first, and when it answered the first question about the payment after that: before, it ends
		 * nothing.
		 */
		failureTold: text(),
		failureToldAt: integer(),
		/**
		 * Since when a payment is known that no account owes: it was reported after a failure, or could not be posted. Its transaction, the
		 * instant at which it was made, and when to try the next time to book it.
		 */
		contradictedAt: integer(),
		paidTransaction: text(),
		paidAt: integer(),
		bookAt: integer(),
		/** The further receipts by which it is reported as paid, and since when nobody has decided what the last of them means. */
		secondReceipts: text({ mode: "json" }).$type<readonly SecondReceipt[]>(),
		secondReceiptAt: integer(),
		/** The transaction by which the money came back, as people compare it and as it was sent, and when it did. */
		returnTransaction: text(),
		returnTransactionSent: text(),
		returnedAt: integer(),
		createdAt: integer().notNull(),
		/** When it was last recorded here that the money has left, has not, or came back. */
		changedAt: integer(),
		/** The id of the request, message or sweep that ordered it; null for an order from before this was kept. */
		cause: text(),
	},
	(table) => [
		index("disbursements_due").on(table.nextAttemptAt).where(sql`status = 'PENDING'`),
		index("disbursements_asked").on(table.nextAttemptAt).where(IS_ASKED),
		index("disbursements_of_account").on(table.accountId, table.createdAt, table.id).where(sql`account_id is not null`),
		index("disbursements_open").on(table.status, table.createdAt, table.id).where(IS_OPEN),
		index("disbursements_open_of").on(table.organizationId, table.status, table.createdAt, table.id).where(IS_OPEN),
		index("disbursements_contradicted").on(table.contradictedAt, table.id).where(IS_CONTRADICTED),
		index("disbursements_second_receipt").on(table.secondReceiptAt, table.id).where(HAS_SECOND_RECEIPT),
		index("disbursements_to_book").on(table.bookAt).where(sql`book_at is not null`),
		// What a provider's statement is compared with: by its transaction, and by when it was paid.
		index("disbursements_by_transaction").on(table.organizationId, table.mobileMoneyTransactionId).where(WAS_PAID_OUTSIDE),
		index("disbursements_paid_of").on(table.organizationId, table.occurredAt, table.id).where(WAS_PAID_OUTSIDE),
		index("disbursements_waiting").on(table.createdAt, table.id).where(HAS_NOT_ENDED),
		// A payout on its way counts as drawn.
		index("disbursements_pending").on(table.accountId).where(sql`status in ('PENDING', 'ACCEPTED')`),
		check("disbursements_purpose", sql`(account_id is null) = (kind = 'INVOICE') and (invoice_id is null) = (kind <> 'INVOICE')`),
	],
);

export type DisbursementRow = typeof disbursements.$inferSelect;
