// Decides what a borrower is offered of a product, and whether they may still take it. A rejection lists every reason, the most
// important one first.

import { type InvalidInput, type Reason, refusedInput, type SubCode } from "../../../shared/errors";
import { floorToStep, smallest, toBigInt, toNumber } from "../../../shared/money";
import { chooseDeal, type Deal, type LimitFacts, type LimitRules, limitOf, reducedRate } from "../../loan-products/model/limits.policy";
import type { InterestRate } from "../../loan-terms/periods.policy";
import type { LoanTerms } from "../../loan-terms/schedule.policy";

/** The facts about a borrower that matter for one product. */
export type Borrower = LimitFacts & {
	readonly isActive: boolean;
	readonly isBlocked: boolean;
	readonly isProductOffered: boolean;
	readonly isIdentified: boolean;
	readonly hasOverdueInstallment: boolean;
	readonly hasDefaulted: boolean;
	/** No new offer before this instant, because of an earlier rejection; null when there is no such wait. */
	readonly coolingOffUntil: number | null;
	readonly hasConflictingApplication: boolean;
	/** Outstanding principal plus the amounts of submitted applications. */
	readonly exposure: number;
	/** How much the home organization may still lend; null when it has no ceiling. */
	readonly organizationHeadroom: number | null;
};

export type Gate = (typeof GATES)[number]["reason"];
export type RejectionReason = Gate | "LIMIT_BELOW_MINIMUM";

export type TermsRange = { readonly minLoanAmount: number; readonly maxLoanAmount: number };

export type Offer<SomeDeal extends Deal = Deal> = {
	readonly interestRate: InterestRate;
	readonly standardInterestRate: InterestRate;
	readonly appliedDeal: SomeDeal | null;
} & (
	| { readonly status: "APPROVED"; readonly range: TermsRange; readonly reasons: readonly [] }
	| {
			readonly status: "REJECTED";
			readonly range: { readonly minLoanAmount: 0; readonly maxLoanAmount: 0 };
			readonly reasons: readonly [RejectionReason, ...RejectionReason[]];
	  }
);

export type AmountFault = "AMOUNT_OUT_OF_RANGE" | "AMOUNT_NOT_A_STEP";

/** The eligibility checks, the most important reason first. A closed gate rejects the application. */
const GATES = [
	{ reason: "USER_NOT_ACTIVE", closes: ({ isActive }: Borrower) => !isActive },
	{ reason: "USER_BLOCKED", closes: ({ isBlocked }: Borrower) => isBlocked },
	{ reason: "PRODUCT_NOT_OFFERED", closes: ({ isProductOffered }: Borrower) => !isProductOffered },
	{ reason: "IDENTIFICATION_INSUFFICIENT", closes: ({ isIdentified }: Borrower) => !isIdentified },
	{ reason: "INSTALLMENT_OVERDUE", closes: ({ hasOverdueInstallment }: Borrower) => hasOverdueInstallment },
	{ reason: "ACCOUNT_DEFAULTED", closes: ({ hasDefaulted }: Borrower) => hasDefaulted },
	{
		reason: "COOLING_OFF",
		closes: ({ coolingOffUntil }: Borrower, now: number) => coolingOffUntil !== null && now < coolingOffUntil,
	},
	{ reason: "CONFLICTING_APPLICATION", closes: ({ hasConflictingApplication }: Borrower) => hasConflictingApplication },
] as const;

/** Every closed gate, the most important first; empty when the borrower is eligible. */
export function closedGates(borrower: Borrower, now: number): readonly Gate[] {
	return GATES.filter(({ closes }) => closes(borrower, now)).map(({ reason }) => reason);
}

/** The largest amount that the borrower can take now, a multiple of the step; 0 when there is none. Does not check the gates. */
export function maxLoanAmount(rules: LimitRules, borrower: Borrower): number {
	const room = toBigInt(limitOf(rules, borrower)) - toBigInt(borrower.exposure);
	const headroom = borrower.organizationHeadroom === null ? [] : [toBigInt(borrower.organizationHeadroom)];
	const lowest = smallest(room, toBigInt(rules.maxLoanAmount), ...headroom);
	return lowest <= 0n ? 0 : toNumber(floorToStep(lowest, toBigInt(rules.amountStep)));
}

/**
 * Decides the offer of a product to a borrower. `terms` are the product's, with the standard rate from rateFor. The deals are compared
 * on the largest amount offered.
 */
export function decideOffer<SomeDeal extends Deal>(
	rules: LimitRules,
	borrower: Borrower,
	terms: Omit<LoanTerms, "principal">,
	deals: readonly SomeDeal[],
	now: number,
): Offer<SomeDeal> {
	const most = maxLoanAmount(rules, borrower);
	const standardInterestRate = terms.interestRate;
	const [leading, ...others]: RejectionReason[] = [
		...closedGates(borrower, now),
		...(most < rules.minLoanAmount || most === 0 ? (["LIMIT_BELOW_MINIMUM"] as const) : []),
	];
	if (leading !== undefined) {
		return {
			status: "REJECTED",
			range: { minLoanAmount: 0, maxLoanAmount: 0 },
			reasons: [leading, ...others],
			interestRate: standardInterestRate,
			standardInterestRate,
			appliedDeal: null,
		};
	}
	const appliedDeal = chooseDeal(deals, { ...terms, principal: most }, now);
	return {
		status: "APPROVED",
		range: { minLoanAmount: rules.minLoanAmount, maxLoanAmount: most },
		reasons: [],
		interestRate: appliedDeal ? reducedRate(standardInterestRate, appliedDeal) : standardInterestRate,
		standardInterestRate,
		appliedDeal,
	};
}

/** The reasons with which an amount is refused. */
export const AMOUNT_REASONS = ["AMOUNT_TOO_LOW", "AMOUNT_TOO_HIGH", "AMOUNT_NOT_A_STEP"] as const satisfies readonly Reason[];

/** The refusal of an amount in which `amountFault` finds a fault. */
export function refusedAmount(amount: number, range: TermsRange, amountStep: number, currency: string): InvalidInput {
	const { minLoanAmount, maxLoanAmount } = range;
	const fault = `must be ${minLoanAmount} to ${maxLoanAmount}, and a multiple of ${amountStep}`;
	const refused = (sub_code: SubCode, reason: Reason, sum: number) =>
		refusedInput("loan_amount", fault, sub_code, { reason, sum: { amount: sum, currency } });
	if (amount < minLoanAmount) return refused("OUT_OF_RANGE", "AMOUNT_TOO_LOW", minLoanAmount);
	if (amount > maxLoanAmount) return refused("OUT_OF_RANGE", "AMOUNT_TOO_HIGH", maxLoanAmount);
	return refused("NOT_ALLOWED", "AMOUNT_NOT_A_STEP", amountStep);
}

/** What is wrong with a chosen amount, or undefined. Both ends of the range are valid, even if they are not multiples of the step. */
export function amountFault(amount: number, range: TermsRange, amountStep: number): AmountFault | undefined {
	if (!Number.isSafeInteger(amount) || amount <= 0 || amount < range.minLoanAmount || amount > range.maxLoanAmount) {
		return "AMOUNT_OUT_OF_RANGE";
	}
	if (amount === range.minLoanAmount || amount === range.maxLoanAmount || amount % amountStep === 0) return undefined;
	return "AMOUNT_NOT_A_STEP";
}

/**
 * Repeats the checks when an offer is accepted, because the borrower's situation may have changed since: the gates closed now, and
 * LIMIT_EXCEEDED when the amount no longer fits. The exposure must not include the offer being accepted.
 */
export function objectionsTo(amount: number, rules: LimitRules, borrower: Borrower, now: number): readonly (Gate | "LIMIT_EXCEEDED")[] {
	const gates = closedGates(borrower, now);
	return amount > maxLoanAmount(rules, borrower) ? [...gates, "LIMIT_EXCEEDED"] : gates;
}
