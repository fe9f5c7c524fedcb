// Derives from a borrower's facts those that matter for one product.

import { localDate } from "../../shared/time";
import type { CreditAccountStatus } from "../credit-accounts/table";
import { productState } from "../loan-products/model/policy";
import type { LoanProductRow } from "../loan-products/model/table";
import type { BorrowerFacts, Credit } from "./model/borrower.store";
import type { Borrower } from "./model/terms.policy";

const NOT_LENDING: readonly CreditAccountStatus[] = ["SUSPENDED", "CLOSED"];
const DEFAULTED: readonly CreditAccountStatus[] = ["DEFAULTED", "WRITTEN_OFF"];

const exposureOf = ({ principal, submitted, drawing }: Credit): bigint => BigInt(principal) + BigInt(submitted) + BigInt(drawing);

/** The exposure that limits a draw, beyond the amount drawn on the account itself: all other credit, and payouts on their way. */
export const otherExposure = ({ credit }: BorrowerFacts, { id, currency }: Pick<LoanProductRow, "id" | "currency">): bigint =>
	credit
		.filter((one) => one.currency === currency)
		.reduce((total, one) => total + (one.loanProductId === id ? BigInt(one.submitted) + BigInt(one.drawing) : exposureOf(one)), 0n);

/** The borrower as seen by one product. Exposure leaves out credit in other currencies, because there is no exchange rate to convert it. */
export function borrowerOf(facts: BorrowerFacts, product: LoanProductRow, now: number): Borrower {
	const onProduct = facts.credit.find(({ loanProductId }) => loanProductId === product.id);
	const exposure = facts.credit.filter(({ currency }) => currency === product.currency).reduce((total, one) => total + exposureOf(one), 0n);
	return {
		isActive: facts.status === "ACTIVE",
		isBlocked: facts.blockedAt !== null,
		isProductOffered: productState(product) === "ACTIVE" && !(onProduct && NOT_LENDING.includes(onProduct.status)),
		isIdentified: true,
		hasOverdueInstallment: facts.credit.some(({ earliestDue, timeZone }) => earliestDue !== null && earliestDue < localDate(now, timeZone)),
		hasDefaulted: facts.credit.some(({ status }) => DEFAULTED.includes(status)),
		coolingOffUntil: null,
		hasConflictingApplication: (onProduct?.submitted ?? 0) > 0,
		limitOverride: facts.limitOverride,
		loansRepaidOnTime: onProduct?.loansRepaidOnTime ?? 0,
		exposure: Number(exposure > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : exposure),
		organizationHeadroom: null,
	};
}
