// The terms of a product, in words.

import { money, plural } from "../../format.ts";
import type { LoanProduct, PenaltyTerms, Tenure } from "../../typed.ts";
import { rateText } from "./rate.ts";

const percentage = (basisPoints: number): string => rateText(BigInt(basisPoints), 10_000n);

export const lengthOf = ({ duration, unit }: Tenure): string => plural(duration, unit.toLowerCase().slice(0, -1));

const BASES: Readonly<Record<PenaltyTerms["calculation_basis"], string>> = {
	PRINCIPAL_AND_ARREARS: "overdue principal and interest",
	PRINCIPAL: "overdue principal",
	ARREARS: "overdue interest",
	TOTAL_OUTSTANDING: "all that is owed",
};

export function penaltyText({ rate_basis_points, calculation_basis, type, period_days, trigger, grace_period_days }: PenaltyTerms): string {
	if (rate_basis_points === 0) return "None";
	const often = type === "ONE_TIME" ? "once" : `every ${plural(period_days, "day")}`;
	const from = trigger === "AFTER_LOAN_END" ? "the loan's end" : "an installment's due date";
	const grace = grace_period_days > 0 ? `${plural(grace_period_days, "day")} after ${from}` : `after ${from}`;
	return `${percentage(rate_basis_points)} of ${BASES[calculation_basis]}, ${often}, from ${grace} on`;
}

export function ratesText({ rate_schedule }: LoanProduct): string {
	return rate_schedule
		.map(({ min_days, max_days, interest_rate: { basis_points, period_value, period_unit } }) => {
			const per = `${percentage(basis_points)} per ${period_value} ${period_unit.toLowerCase()}`;
			return rate_schedule.length === 1 ? per : `${per} (${min_days} to ${max_days} days)`;
		})
		.join("; ");
}

const ALLOCATIONS: Readonly<Record<LoanProduct["allocation"]["order"], string>> = {
	HORIZONTAL: "Installment after installment",
	VERTICAL: "Penalties, then interest, then principal of all that is due",
};
const AHEAD: Readonly<Record<LoanProduct["allocation"]["future"], string>> = {
	NEXT_INSTALLMENT: "ahead: the next installment",
	LAST_INSTALLMENT: "ahead: the last installment",
	REAMORTIZATION: "ahead: all installments in equal parts",
};
const TYPES: Readonly<Record<LoanProduct["loan_product_type"], string>> = {
	REDUCING_BALANCE: "On what is left of the loan",
	FLAT: "On the amount lent, not on the rest",
};
const DAYS: Readonly<Record<LoanProduct["day_count"], string>> = {
	THIRTY_360: "months of 30 days",
	ACTUAL_365: "years of 365 days",
};

const feeText = ({ fee_basis_points, access_fee_recognition }: LoanProduct): string => {
	if (fee_basis_points === 0) return "None";
	return `${percentage(fee_basis_points)} of what is drawn, income ${access_fee_recognition === "OVER_LIFE" ? "day by day to the loan's end" : "at once"}`;
};

export const termsOf = (product: LoanProduct): readonly (readonly [name: string, value: string])[] => [
	[
		"Amount",
		`${money(product.min_loan_amount, product.currency)} to ${money(product.max_loan_amount, product.currency)} ${product.currency}, in steps of ${money(product.amount_step, product.currency)}`,
	],
	["Length", `${lengthOf(product.tenure)}, an installment every ${lengthOf(product.installment_every)}`],
	["Interest", `${ratesText(product)}. ${TYPES[product.loan_product_type]}, by ${DAYS[product.day_count]}`],
	["Fee", feeText(product)],
	["Penalty", penaltyText(product.penalty_terms)],
	["Payments go to", `${ALLOCATIONS[product.allocation.order]}; ${AHEAD[product.allocation.future]}`],
	["First limit", `${money(product.base_limit, product.currency)} ${product.currency}`],
];
