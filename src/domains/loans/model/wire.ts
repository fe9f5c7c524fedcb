// Loan applications on the wire.

import * as z from "zod";
import { resourceId } from "../../../shared/ids";
import { toTimestamp } from "../../../shared/time";
import { fromRequestedPlace, Payout } from "../../disbursements/model/payout.wire";
import { LOAN_PRODUCT_TYPES } from "../../loan-products/model/policy";
import {
	AprBasisPoints,
	AvailableFrom,
	charges,
	InterestRate,
	PenaltyTerms,
	Tenure,
	termsTextMembers,
	toCharges,
	toInterestRate,
	toPenaltyTerms,
	toTenure,
	toTermsTextMembers,
} from "../../loan-products/model/wire";
import { periodsOf } from "../../loan-terms/periods.policy";
import { type ApplicationStatus, statusAt, TRANSITIONS } from "./lifecycle";
import type { LoanApplicationRow } from "./table";

export const APPLICATION_STATUSES = Object.keys(TRANSITIONS) as [ApplicationStatus, ...ApplicationStatus[]];

export const LoanApplication = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		status: z.enum(APPLICATION_STATUSES),
		user_id: z.uuid(),
		account_id: z.uuid(),
		loan_product_id: z.uuid(),
		loan_product_type: z.enum(LOAN_PRODUCT_TYPES),
		loan_amount: z.int(),
		fee: z.int().nullable(),
		total_cost: z.int().nullable(),
		total_due: z.int().nullable(),
		charges,
		apr_basis_points: AprBasisPoints,
		due_dates: z.array(z.iso.date()),
		tenure: Tenure,
		interest_rate: InterestRate,
		standard_interest_rate: InterestRate,
		terms_range: z.object({ min_loan_amount: z.int(), max_loan_amount: z.int() }),
		penalty_terms: PenaltyTerms,
		applied_deal: z.object({ id: z.uuid(), resource_id: z.string(), name: z.string(), short_message: z.string() }).nullable(),
		...termsTextMembers,
		terms_accepted_at: z.iso.datetime().nullable(),
		currency: z.string(),
		rejection_reasons: z.array(z.string()).meta({ description: "Why the application was REJECTED, the main reason first" }),
		failure_reason: z.string().nullable().meta({ description: "Why the money could not be paid out" }),
		payout: Payout.nullable().meta({ description: "The place that the borrower named in the application" }),
		created_at: z.iso.datetime(),
		expires_at: z.iso.datetime(),
		available_from: AvailableFrom,
	})
	.meta({ id: "LoanApplication" });

/** The application at that instant: an open offer past its expiry reads EXPIRED. */
export const toLoanApplication = (row: LoanApplicationRow, now: number): z.input<typeof LoanApplication> => ({
	id: row.id,
	resource_id: resourceId("lapp", row.id),
	status: statusAt(row, now),
	user_id: row.userId,
	account_id: row.accountId,
	loan_product_id: row.loanProductId,
	loan_product_type: row.terms.productType,
	loan_amount: row.loanAmount,
	fee: row.cost?.fee ?? null,
	total_cost: row.cost?.total ?? null,
	total_due: row.cost && row.loanAmount + row.cost.total,
	charges: row.cost ? toCharges(row.cost) : [],
	apr_basis_points: row.cost?.aprBasisPoints ?? null,
	due_dates: row.cost ? periodsOf(row.terms.tenure, row.terms.installmentEvery, row.cost.startDate).map(({ dueDate }) => dueDate) : [],
	tenure: toTenure(row.terms.tenure),
	interest_rate: toInterestRate(row.terms.interestRate),
	standard_interest_rate: toInterestRate(row.terms.standardInterestRate),
	terms_range: { min_loan_amount: row.minLoanAmount, max_loan_amount: row.maxLoanAmount },
	penalty_terms: toPenaltyTerms(row.terms.penaltyTerms),
	applied_deal: row.terms.appliedDeal && {
		id: row.terms.appliedDeal.id,
		resource_id: resourceId("deal", row.terms.appliedDeal.id),
		name: row.terms.appliedDeal.name,
		short_message: row.terms.appliedDeal.shortMessage,
	},
	...toTermsTextMembers(row.terms.termsText),
	terms_accepted_at: row.terms.termsText && row.submittedAt !== null ? toTimestamp(row.submittedAt) : null,
	currency: row.currency,
	rejection_reasons: [...row.rejectionReasons],
	failure_reason: row.failureReason,
	payout: fromRequestedPlace(row.payout),
	created_at: toTimestamp(row.createdAt),
	expires_at: toTimestamp(row.expiresAt),
});
