// Builds books for tests: cycles on a product's terms, and facts posted one after another.

import type { Book, Cycle, CycleTerms, Fact } from "../../../../src/domains/credit-accounts/book/facts.policy";
import type { PenaltyTerms } from "../../../../src/domains/loan-terms/penalties.policy";

export const noPenalty: PenaltyTerms = {
	rateBasisPoints: 0,
	calculationBasis: "PRINCIPAL_AND_ARREARS",
	type: "RECURRING",
	periodDays: 30,
	trigger: "AFTER_LOAN_END",
	gracePeriodDays: 0,
};

/** 5 percent for 30 days, three installments. */
export const monthly: CycleTerms = {
	productType: "REDUCING_BALANCE",
	tenure: { duration: 90, unit: "DAYS" },
	installmentEvery: { duration: 30, unit: "DAYS" },
	interestRate: { basisPoints: 500, periodValue: 30, periodUnit: "DAYS" },
	dayCount: "THIRTY_360",
	feeBasisPoints: 0,
	penaltyTerms: noPenalty,
};

export const cycleOf = (terms: Partial<CycleTerms>, startDate: string, more: Partial<Cycle> = {}): Cycle => ({
	id: `cycle-${more.number ?? 1}`,
	number: 1,
	startDate,
	terms: { ...monthly, ...terms },
	rolledFromId: null,
	...more,
});

type Posting = Pick<Fact, "kind" | "valueDate" | "amount"> & Partial<Fact>;

/** The facts in the order of posting, with ids `f1`, `f2`, ... where they have none. */
export const factsOf = (postings: readonly Posting[]): readonly Fact[] =>
	postings.map((posting, index) => ({
		id: `f${index + 1}`,
		position: index + 1,
		cycleId: posting.kind === "DRAW" ? "cycle-1" : null,
		installment: null,
		reversesId: null,
		...posting,
	}));

/** An account with one cycle, drawn in full on its start date, and what is posted afterwards. */
export const loan = (terms: Partial<CycleTerms>, principal: number, startDate: string, postings: readonly Posting[] = []): Book => ({
	cycles: [cycleOf(terms, startDate)],
	facts: factsOf([{ kind: "DRAW", valueDate: startDate, amount: principal }, ...postings]),
});
