// What the oracle sums up over the loans of an account.

import type { Book, Fact } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { type Loan, owes, owesInAll } from "./oracle-loan";

/** What is taken back of a fact by reversals that nobody has taken back. */
export const takenBack = (book: Book, fact: Fact): number =>
	book.facts
		.filter(({ kind, reversesId }) => kind === "REVERSAL" && reversesId === fact.id)
		.filter((reversal) => takenBack(book, reversal) === 0)
		.reduce((sum, { amount }) => sum + amount, 0);

/** Over the loans that owe something. An amount that one rolled into another is neither charged nor paid. */
export const totalsOf = (book: Book, loans: Loan[], allocated: ReadonlyMap<string, bigint[]>, uncovered: bigint) => {
	const owing = loans.filter((loan) => Object.values(owesInAll(loan)).some((part) => part > 0n));
	const totals = { charged: uncovered, paid: 0n, waived: 0n };
	const sum = (of: Record<string, bigint>) => Object.values(of).reduce((all, part) => all + part, 0n);
	for (const { drawn, lines } of owing) {
		totals.charged += drawn;
		for (const { interest, penalty, off } of lines) {
			totals.charged += interest + penalty;
			totals.paid += sum(off.paid);
			totals.waived += sum(off.waived);
		}
	}
	const rolling = new Set(
		book.facts.filter(({ kind, cycleId }) => kind === "ROLL_OVER" && owing.some(({ cycle }) => cycle.id === cycleId)).map(({ id }) => id),
	);
	for (const [key, parts] of allocated) {
		const [from = "", cycleId] = key.split("/");
		if (!rolling.has(from) || !owing.some(({ cycle }) => cycle.id === cycleId)) continue;
		const moved = parts.reduce((all, part) => all + part, 0n);
		totals.charged -= moved;
		totals.paid -= moved;
	}
	return totals;
};

/** What is owed at the end of the day, by its parts. */
export function breakdownOf(loans: readonly Loan[], day: number, uncovered: bigint) {
	const breakdown = { principal: 0n, interest: 0n, arrears: 0n, penalty: 0n, refundUncovered: uncovered };
	for (const loan of loans) {
		const { principal, interest, penalty } = owesInAll(loan);
		const arrears = loan.lines.filter(({ due }) => due < day).reduce((sum, line) => sum + owes(line).interest, 0n);
		breakdown.principal += principal;
		breakdown.interest += interest - arrears;
		breakdown.arrears += arrears;
		breakdown.penalty += penalty;
	}
	return breakdown;
}
