// Invoices that merchants upload for a buyer, the advances that pay them out, and the buyer's repayments. All in the home of the
// buyer's organization.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ADVANCE_STATUSES, INVOICE_STATUSES, type InvoiceStatus } from "./lifecycle";

/** A rejected or withdrawn invoice frees its number and its document; every other one keeps them. */
export const HOLDS_ITS_NUMBER = sql`status not in ('REJECTED', 'CANCELLED')`;
export const HAS_FREED_ITS_NUMBER = sql`status in ('REJECTED', 'CANCELLED')`;

/** An invoice that was uploaded without a document is its own. */
export const HAS_A_DOCUMENT = sql`document_id <> id`;

/** What the buyer owes. SQLite uses the partial index only for a query that contains exactly this condition. */
export const OWED = ["FINANCED", "OVERDUE"] as const satisfies readonly InvoiceStatus[];
export const IS_OWED = sql`status in ('FINANCED', 'OVERDUE')`;

export const invoices = sqliteTable(
	"invoices",
	{
		id: text().primaryKey(),
		/** The buyer. */
		organizationId: text().notNull(),
		/** The buyer's own id of the merchant. */
		merchantId: text().notNull(),
		documentId: text().notNull(),
		invoiceNumber: text().notNull(),
		/** The same for all spellings of the number. */
		numberKey: text().notNull(),
		amount: integer().notNull(),
		currency: text().notNull(),
		/** JSON, as it was sent. */
		details: text().notNull(),
		issuedDate: text().notNull(),
		dueDate: text().notNull(),
		status: text({ enum: INVOICE_STATUSES }).notNull(),
		/** The person behind the credential, as is `decidedBy`. */
		uploadedBy: text().notNull(),
		decidedBy: text(),
		decidedAt: integer(),
		comment: text(),
		/** The sum of the repayments. */
		repaid: integer().notNull(),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		// By the number first, because people look for it without knowing the merchant.
		uniqueIndex("invoices_number").on(table.organizationId, table.numberKey, table.merchantId).where(HOLDS_ITS_NUMBER),
		index("invoices_by_freed_number").on(table.organizationId, table.numberKey).where(HAS_FREED_ITS_NUMBER),
		uniqueIndex("invoices_document").on(table.organizationId, table.documentId).where(sql`${HOLDS_ITS_NUMBER} and ${HAS_A_DOCUMENT}`),
		index("invoices_list").on(table.organizationId, table.createdAt, table.id),
		index("invoices_list_by_status").on(table.organizationId, table.status, table.createdAt, table.id),
		index("invoices_owed").on(table.organizationId, table.status, table.dueDate, table.id).where(IS_OWED),
		index("invoices_of_merchant").on(table.organizationId, table.merchantId, table.createdAt, table.id),
		index("invoices_due").on(table.dueDate).where(sql`status = 'FINANCED'`),
		check("invoices_amount", sql`amount > 0 and amount <= 9007199254740991`),
		check("invoices_dates", sql`due_date >= issued_date`),
		check("invoices_repaid", sql`repaid between 0 and amount`),
		check("invoices_four_eyes", sql`decided_by is null or decided_by <> uploaded_by`),
	],
);

export type InvoiceRow = typeof invoices.$inferSelect;

/** One row for each attempt to pay an invoice out. The id is also that of its disbursement. */
export const invoiceAdvances = sqliteTable(
	"invoice_advances",
	{
		id: text().primaryKey(),
		invoiceId: text().notNull(),
		/** The amount that the merchant gets. Advance and fee together are the invoice's amount, which the buyer repays. */
		advance: integer().notNull(),
		fee: integer().notNull(),
		currency: text().notNull(),
		status: text({ enum: ADVANCE_STATUSES }).notNull(),
		providerTransactionId: text(),
		failureReason: text(),
		decidedBy: text().notNull(),
		createdAt: integer().notNull(),
		/** When the payment succeeded, failed or came back. */
		finishedAt: integer(),
		/** When that was recorded here. */
		changedAt: integer(),
	},
	(table) => [
		// At most one advance has neither failed nor come back, so an invoice is paid out once.
		uniqueIndex("invoice_advances_once").on(table.invoiceId).where(sql`status not in ('FAILED', 'RETURNED')`),
		index("invoice_advances_of").on(table.invoiceId, table.createdAt, table.id),
		check("invoice_advances_amount", sql`advance > 0 and fee >= 0`),
	],
);

export type AdvanceRow = typeof invoiceAdvances.$inferSelect;

export const invoiceRepayments = sqliteTable(
	"invoice_repayments",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		invoiceId: text().notNull(),
		/** From 1 on, in the order in which they were posted. */
		position: integer().notNull(),
		/** The payer's or the provider's own id: a payment is counted once. */
		externalId: text().notNull(),
		amount: integer().notNull(),
		currency: text().notNull(),
		/** SHA-256 of the facts, to distinguish a repeated report from a conflicting one. */
		fingerprint: text().notNull(),
		transactedAt: integer().notNull(),
		postedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("invoice_repayments_position").on(table.invoiceId, table.position),
		uniqueIndex("invoice_repayments_once").on(table.organizationId, table.externalId),
		check("invoice_repayments_amount", sql`amount > 0`),
	],
);

export type InvoiceRepaymentRow = typeof invoiceRepayments.$inferSelect;
