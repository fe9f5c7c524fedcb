// Loan products, and the credit profiles that override the limits of single borrowers.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Span } from "../../../shared/time";
import { DEFAULT_DESTINATIONS, type DestinationType } from "../../disbursements/model/destination.policy";
import type { AllocationTerms } from "../../loan-terms/allocation.policy";
import { DEFAULT_IN_DUPLUM, type InDuplumTerms } from "../../loan-terms/penalties.policy";
import type { RateBand } from "./limits.policy";
import { DAY_COUNTS, FEE_RECOGNITIONS, LOAN_PRODUCT_TYPES, type PenaltyTerms, type ProductDeal, type TermsText } from "./policy";

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
		accessFeeRecognition: text({ enum: FEE_RECOGNITIONS }).notNull().default("AT_ONCE"),
		penaltyTerms: text({ mode: "json" }).$type<PenaltyTerms>().notNull(),
		allocation: text({ mode: "json" }).$type<AllocationTerms>().notNull(),
		inDuplum: text({ mode: "json" }).$type<InDuplumTerms>().notNull().default(DEFAULT_IN_DUPLUM),
		/** To what kinds of places its loans may be paid. */
		payoutDestinations: text({ mode: "json" }).$type<readonly DestinationType[]>().notNull().default(DEFAULT_DESTINATIONS),
		deals: text({ mode: "json" }).$type<readonly ProductDeal[]>().notNull(),
		/** The newest of its `terms_texts`. */
		termsText: text({ mode: "json" }).$type<TermsText>(),
		createdAt: integer().notNull(),
		/** No longer offered from then on; its loans continue. */
		retiredAt: integer(),
		/** Neither offered nor drawn on from then on. */
		suspendedAt: integer(),
		/** Each change is later than the one before it. */
		updatedAt: integer().notNull().default(0),
	},
	(table) => [
		index("loan_products_list").on(table.createdAt, table.id),
		index("loan_products_retired").on(table.retiredAt).where(sql`retired_at is not null`),
		index("loan_products_newest").on(table.organizationId, table.createdAt, table.id),
	],
);

export type LoanProductRow = typeof loanProducts.$inferSelect;

/** Every text of a product's terms that borrowers have been shown. Append-only by trigger. */
export const termsTexts = sqliteTable(
	"terms_texts",
	{
		loanProductId: text().notNull(),
		/** From 1 on. */
		version: integer().notNull(),
		/** Of the text in UTF-8. */
		sha256: text().notNull(),
		text: text().notNull(),
		publishedAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.loanProductId, table.version] })],
);

export type TermsTextRow = typeof termsTexts.$inferSelect;

export const creditProfiles = sqliteTable("credit_profiles", {
	userId: text().primaryKey(),
	/** Replaces the computed limit; null when there is no override. */
	limitOverride: integer(),
	updatedAt: integer().notNull(),
});
