// A loan product as an operator creates one, for the programs that call a running service: the demo, the measurements and the fuzz.

import { DAY_MS } from "./days.ts";

/** `name`: the product's name, which distinguishes it from others. */
export const loanProduct = <Organization extends string | null>(organizationId: Organization, name = "Thirty days") => ({
	organization_id: organizationId,
	name,
	loan_product_type: "REDUCING_BALANCE" as const,
	currency: "KES",
	min_loan_amount: 50_000,
	max_loan_amount: 500_000,
	amount_step: 500,
	base_limit: 100_000,
	tenure: { duration: 30, unit: "DAYS" as const },
	installment_every: { duration: 30, unit: "DAYS" as const },
	rate_schedule: [{ min_days: 1, max_days: 30, interest_rate: { basis_points: 500, period_value: 30, period_unit: "DAYS" as const } }],
	fee_basis_points: 0,
	penalty_terms: {
		rate_basis_points: 100,
		calculation_basis: "PRINCIPAL_AND_ARREARS" as const,
		type: "RECURRING" as const,
		period_days: 7,
		trigger: "AFTER_LOAN_END" as const,
		grace_period_days: 3,
	},
});

/** A deal that is valid now. */
export const firstLoanDeal = () => ({
	name: "First loan",
	short_message: "One point off your first loan",
	rate_reduction_basis_points: 100,
	valid_from: new Date(Date.now() - DAY_MS).toISOString(),
	valid_until: new Date(Date.now() + 30 * DAY_MS).toISOString(),
});
