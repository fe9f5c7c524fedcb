// Makes loan products from what is asked for, and changes what may change of one.

import type * as z from "zod";
import type { Services } from "../../runtime/services";
import type { InvalidParam } from "../../shared/errors";
import { localDate } from "../../shared/time";
import { type LoanTerms, scheduleFor } from "../loan-terms/schedule.policy";
import { rateFor } from "./model/limits.policy";
import { loanTerms, type TermsText } from "./model/policy";
import type { LoanProductRow } from "./model/table";
import { fromInterestRate, fromPenaltyTerms, type LoanProductInput, type LoanProductPatch } from "./model/wire";

export function productOf(body: z.output<typeof LoanProductInput>, { newId, now }: Services): LoanProductRow {
	return {
		id: newId(),
		organizationId: body.organization_id,
		name: body.name,
		loanProductType: body.loan_product_type,
		currency: body.currency,
		timeZone: body.time_zone,
		dayCount: body.day_count,
		autoRenews: body.auto_renews,
		minLoanAmount: body.min_loan_amount,
		maxLoanAmount: body.max_loan_amount,
		amountStep: body.amount_step,
		baseLimit: body.base_limit,
		growthBasisPoints: body.growth_basis_points,
		tenure: body.tenure,
		installmentEvery: body.installment_every,
		rateSchedule: body.rate_schedule.map((band) => ({
			minDays: band.min_days,
			maxDays: band.max_days,
			interestRate: fromInterestRate(band.interest_rate),
		})),
		feeBasisPoints: body.fee_basis_points,
		accessFeeRecognition: body.access_fee_recognition,
		penaltyTerms: fromPenaltyTerms(body.penalty_terms),
		allocation: body.allocation,
		inDuplum: { sinceDefault: body.in_duplum.since_default },
		payoutDestinations: body.payout_destinations,
		deals: body.deals.map((deal) => ({
			id: newId(),
			name: deal.name,
			shortMessage: deal.short_message,
			rateReductionBasisPoints: deal.rate_reduction_basis_points,
			validFrom: Date.parse(deal.valid_from),
			validUntil: Date.parse(deal.valid_until),
		})),
		termsText: null,
		createdAt: now,
		retiredAt: null,
		suspendedAt: null,
		updatedAt: now,
	};
}

/** Faults between the members of a product, each of which is valid on its own. */
export function faultsOf(product: LoanProductRow, now: number): InvalidParam[] {
	const faults: InvalidParam[] = [];
	if (product.minLoanAmount > product.maxLoanAmount) {
		faults.push({ path: "max_loan_amount", reason: "is below min_loan_amount", sub_code: "OUT_OF_RANGE" });
	}
	const bands = product.rateSchedule.map((band, index) => ({ ...band, index }));
	for (const { minDays, maxDays, index } of bands) {
		if (minDays > maxDays) faults.push({ path: `rate_schedule[${index}].max_days`, reason: "is below min_days", sub_code: "OUT_OF_RANGE" });
		const earlier = bands.slice(0, index).find((other) => minDays <= other.maxDays && other.minDays <= maxDays);
		if (earlier)
			faults.push({ path: `rate_schedule[${index}]`, reason: `overlaps rate_schedule[${earlier.index}]`, sub_code: "DUPLICATE" });
	}
	for (const [index, { validFrom, validUntil }] of product.deals.entries()) {
		if (validFrom >= validUntil)
			faults.push({ path: `deals[${index}].valid_until`, reason: "is not after valid_from", sub_code: "OUT_OF_RANGE" });
	}
	const interestRate = rateFor(product.rateSchedule, product.tenure);
	if (!interestRate) faults.push({ path: "tenure", reason: "has no rate in rate_schedule", sub_code: "TENURE_NOT_OFFERED" });
	else if (
		!isSchedulable(loanTerms({ ...product, productType: product.loanProductType, interestRate }, localDate(now, product.timeZone)))
	) {
		faults.push({ path: "installment_every", reason: "divides the tenure into more than 1,200 installments", sub_code: "OUT_OF_RANGE" });
	}
	return faults;
}

export function isSchedulable(terms: Omit<LoanTerms, "principal">): boolean {
	try {
		return scheduleFor({ ...terms, principal: 1 }).installments.length > 0;
	} catch (error) {
		if (error instanceof RangeError) return false;
		throw error;
	}
}

/** When it was retired and suspended, by the state that it is to have. */
const STATES = {
	ACTIVE: () => ({ retiredAt: null, suspendedAt: null }),
	SUSPENDED: (now: number) => ({ retiredAt: null, suspendedAt: now }),
	RETIRED: (now: number) => ({ retiredAt: now, suspendedAt: null }),
};

/** The product as the patch leaves it, and the names of deals that it ends and the product has not. `text`: that of the version that the patch names. */
export function patched(seen: LoanProductRow, patch: z.output<typeof LoanProductPatch>, now: number, text?: TermsText) {
	const ended = new Set(patch.end_deals);
	const unknown = [...ended].filter((name) => !seen.deals.some((deal) => deal.name === name));
	const deals = seen.deals.map((deal) => (ended.has(deal.name) ? { ...deal, validUntil: Math.min(deal.validUntil, now) } : deal));
	const changed: LoanProductRow = {
		...seen,
		name: patch.name ?? seen.name,
		...(patch.status && STATES[patch.status](now)),
		deals,
		...(patch.terms_version !== undefined && { termsText: text ?? null }),
		// Later than what it was decided on, so that copies take the changes in their order.
		updatedAt: Math.max(now, seen.updatedAt + 1),
	};
	return { changed, unknown };
}
