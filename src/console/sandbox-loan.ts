// A loan in the sandbox: its product, the borrower's question and what they take.

import { call } from "./api.ts";
import type { LoanApplication } from "./typed.ts";

const PRODUCT = "Thirty days";

/** `token`: an operator's, by default the signed-in person's. */
export async function prepareProduct(organization_id: string, token?: string): Promise<string> {
	const asOperator = { organization: null, ...(token !== undefined && { token }) };
	const { data } = await call("GET /v1/platform/loan-products", { ...asOperator, query: { organization_id, size: 100 } });
	const found = data.find(({ name }) => name === PRODUCT);
	if (found) return found.id;
	const made = await call("POST /v1/platform/loan-products", {
		...asOperator,
		body: {
			organization_id,
			name: PRODUCT,
			loan_product_type: "REDUCING_BALANCE",
			currency: "KES",
			min_loan_amount: 50_000,
			max_loan_amount: 500_000,
			amount_step: 500,
			base_limit: 100_000,
			tenure: { duration: 30, unit: "DAYS" },
			installment_every: { duration: 30, unit: "DAYS" },
			rate_schedule: [{ min_days: 1, max_days: 30, interest_rate: { basis_points: 500, period_value: 30, period_unit: "DAYS" } }],
			fee_basis_points: 0,
			penalty_terms: {
				rate_basis_points: 100,
				calculation_basis: "PRINCIPAL_AND_ARREARS",
				type: "RECURRING",
				period_days: 7,
				trigger: "AFTER_LOAN_END",
				grace_period_days: 3,
			},
		},
	});
	return made.id;
}

/** `token`: the borrower's. */
export const askForLoan = (token: string, loan_product_id: string): Promise<LoanApplication> =>
	call("POST /v1/accounts/loan/applications/partner", { token, organization: null, body: { loan_product_id } });

/** All that is offered. */
export const takeLoan = (
	token: string,
	{ id: application_id, terms_range, terms_version: version, terms_sha256: sha256 }: LoanApplication,
): Promise<LoanApplication> =>
	call("POST /v1/accounts/loan/applications/partner/{application_id}/apply", {
		...{ token, organization: null },
		path: { application_id },
		body: { loan_amount: terms_range.max_loan_amount, ...(version !== null && sha256 !== null && { accepted_terms: { version, sha256 } }) },
	});
