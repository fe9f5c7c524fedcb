// Loan products, credit profiles, loan applications, and the disbursement instructions that pay them out.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Span } from "../../shared/time";
import type { AllocationTerms } from "../loan-terms/allocation.policy";
import type { ApplicationStatus } from "./applications/lifecycle";
import type { RateBand, RejectionReason } from "./applications/terms.policy";
import { DISBURSEMENT_KINDS, DISBURSEMENT_STATES } from "./disbursements/lifecycle";
import { DAY_COUNTS, type FrozenTerms, LOAN_PRODUCT_TYPES, type PenaltyTerms, type ProductDeal } from "./products/policy";

export const loanProducts = sqliteTable(
	"loan_products",
	{
		id: text().primaryKey(),
		/** null: the product serves every organization. */
		organizationId: text(),
		name: text().notNull(),
		loanProductType: text({ enum: LOAN_PRODUCT_TYPES }).notNull(),
		currency: text().notNull(),
		timeZone: text().notNull(),
		dayCount: text({ enum: DAY_COUNTS }).notNull(),
		autoRenews: integer({ mode: "boolean" }).notNull(),
		minLoanAmount: integer().notNull(),
		maxLoanAmount: integer().notNull(),
		amountStep: integer().notNull(),
		baseLimit: integer().notNull(),
		growthBasisPoints: integer().notNull(),
		tenure: text({ mode: "json" }).$type<Span>().notNull(),
		installmentEvery: text({ mode: "json" }).$type<Span>().notNull(),
		rateSchedule: text({ mode: "json" }).$type<readonly RateBand[]>().notNull(),
		feeBasisPoints: integer().notNull(),
		penaltyTerms: text({ mode: "json" }).$type<PenaltyTerms>().notNull(),
		allocation: text({ mode: "json" }).$type<AllocationTerms>().notNull(),
		deals: text({ mode: "json" }).$type<readonly ProductDeal[]>().notNull(),
		createdAt: integer().notNull(),
		/** No longer offered from then on; its loans continue. */
		retiredAt: integer(),
	},
	(table) => [
		index("loan_products_list").on(table.createdAt, table.id),
		index("loan_products_newest").on(table.organizationId, table.createdAt, table.id),
	],
);

export type LoanProductRow = typeof loanProducts.$inferSelect;

export const creditProfiles = sqliteTable("credit_profiles", {
	userId: text().primaryKey(),
	/** Replaces the computed limit; null when there is no override. */
	limitOverride: integer(),
	updatedAt: integer().notNull(),
});

/** The condition of the partial indexes. SQLite uses them only for a query that contains exactly this condition. */
export const OPEN_OFFER = sql`status in ('PENDING', 'APPROVED')`;

export const loanApplications = sqliteTable(
	"loan_applications",
	{
		id: text().primaryKey(),
		userId: text().notNull(),
		/** The user's home organization: its API keys may see the application, and the events belong to it. */
		organizationId: text(),
		loanProductId: text().notNull(),
		accountId: text().notNull(),
		/** An open application past `expiresAt` counts as expired, even before the sweep updates its row. */
		status: text().$type<ApplicationStatus>().notNull(),
		currency: text().notNull(),
		minLoanAmount: integer().notNull(),
		maxLoanAmount: integer().notNull(),
		loanAmount: integer().notNull(),
		terms: text({ mode: "json" }).$type<FrozenTerms>().notNull(),
		rejectionReasons: text({ mode: "json" }).$type<readonly RejectionReason[]>().notNull(),
		failureReason: text(),
		createdAt: integer().notNull(),
		expiresAt: integer().notNull(),
		submittedAt: integer(),
		disbursedAt: integer(),
	},
	(table) => [
		uniqueIndex("loan_applications_one_open").on(table.userId, table.loanProductId).where(OPEN_OFFER),
		index("loan_applications_expiry").on(table.expiresAt).where(OPEN_OFFER),
		index("loan_applications_submitted").on(table.accountId).where(sql`status = 'SUBMITTED'`),
		// The list by user, by organization or of all, each with and without a status.
		index("loan_applications_of_user").on(table.userId, table.createdAt, table.id),
		index("loan_applications_of_user_by_status").on(table.userId, table.status, table.createdAt, table.id),
		index("loan_applications_of_organization").on(table.organizationId, table.createdAt, table.id),
		index("loan_applications_of_organization_by_status").on(table.organizationId, table.status, table.createdAt, table.id),
		index("loan_applications_list").on(table.createdAt, table.id),
		index("loan_applications_by_status").on(table.status, table.createdAt, table.id),
	],
);

export type LoanApplicationRow = typeof loanApplications.$inferSelect;

/**
 * Payouts: instructions to an outside disburser, and the draws and refunds that the embedded one paid at once. The id is that of the
 * application, of the transaction or of the invoice's advance, so that an instruction sent twice is paid once.
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
		amount: integer().notNull(),
		currency: text().notNull(),
		/** ACCEPTED: the disburser has it, and only its report decides; nothing is sent any more. */
		status: text({ enum: DISBURSEMENT_STATES }).notNull(),
		/** Counted before each is made. */
		attempts: integer().notNull(),
		nextAttemptAt: integer().notNull(),
		/** The disburser's own id of the payment. The directory reserves the ones that are reported. */
		mobileMoneyTransactionId: text(),
		failureReason: text(),
		/** When the payment succeeded or failed, as the disburser reports it. */
		occurredAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [
		index("disbursements_due").on(table.status, table.nextAttemptAt),
		// What is on its way counts as drawn.
		index("disbursements_pending").on(table.accountId).where(sql`status in ('PENDING', 'ACCEPTED')`),
		check("disbursements_purpose", sql`(account_id is null) = (kind = 'INVOICE') and (invoice_id is null) = (kind <> 'INVOICE')`),
	],
);

export type DisbursementRow = typeof disbursements.$inferSelect;
