// Loan applications.

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { RequestedPlace } from "../../disbursements/model/payout.policy";
import type { FrozenTerms } from "../../loan-products/model/policy";
import type { Cost } from "../../loan-terms/cost.policy";
import type { ApplicationStatus } from "./lifecycle";
import type { RejectionReason } from "./terms.policy";

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
		/** Of the loan amount, as the borrower saw or sees it before they agree. */
		cost: text({ mode: "json" }).$type<Cost>(),
		rejectionReasons: text({ mode: "json" }).$type<readonly RejectionReason[]>().notNull(),
		failureReason: text(),
		/** The place that the borrower named in the application; a place that they name when they accept the offer takes precedence. */
		payout: text({ mode: "json" }).$type<RequestedPlace>(),
		createdAt: integer().notNull(),
		expiresAt: integer().notNull(),
		submittedAt: integer(),
		disbursedAt: integer(),
	},
	(table) => [
		uniqueIndex("loan_applications_one_open").on(table.userId, table.loanProductId).where(OPEN_OFFER),
		index("loan_applications_expiry").on(table.expiresAt).where(OPEN_OFFER),
		index("loan_applications_open_of_product").on(table.loanProductId).where(OPEN_OFFER),
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
