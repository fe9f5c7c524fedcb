// Access fees in the oracle that are earned over a loan's life, by the rules of docs/ledger.md: each day that passes earns its share of such
// a fee, and what is left is the rest of it.

import { type Line, type Loan, least, owesInAll, type Spread } from "./oracle-loan";

/** What fees lost before they were earned: to waivers and to the write-off. */
export type Lost = { waived: bigint; givenUp: bigint };

const endOf = ({ slices }: Loan) => slices.at(-1)?.due ?? 0;

export const spreadFee = (loan: Loan, line: Line, fee: bigint, day: number) => {
	if (loan.cycle.terms.accessFeeRecognition !== "OVER_LIFE" || fee === 0n) return;
	loan.spread.push({ line, whole: fee, left: fee, passed: 0, days: endOf(loan) - day });
};

/** A day more. */
export const passDay = (loan: Loan) => {
	for (const fee of loan.spread) {
		if (fee.left === 0n) continue;
		fee.passed++;
		const share = (fee.whole * BigInt(fee.passed)) / BigInt(fee.days) - (fee.whole * BigInt(fee.passed - 1)) / BigInt(fee.days);
		fee.left -= share;
	}
};

const again = (fee: Spread, left: bigint, days: number) => Object.assign(fee, { whole: left, left, passed: 0, days });

export const waiveSpread = (loan: Loan, line: Line, interest: bigint, lost: Lost) => {
	let rest = interest;
	for (const fee of loan.spread.filter((one) => one.line === line)) {
		const part = least(rest, fee.left);
		if (part === 0n) continue;
		rest -= part;
		lost.waived += part;
		again(fee, fee.left - part, fee.days - fee.passed);
	}
};

/** Nothing is owed of the loan: nothing of its fees is left to be earned. */
export const endIfPaid = (loan: Loan) => {
	if (Object.values(owesInAll(loan)).some((part) => part > 0n)) return;
	for (const fee of loan.spread) fee.left = 0n;
};

export const giveUp = (loan: Loan, lost: Lost) => {
	for (const fee of loan.spread) {
		lost.givenUp += fee.left;
		fee.left = 0n;
	}
};

/** The loan has other due dates. */
export const lengthen = (loan: Loan, day: number) => {
	for (const fee of loan.spread) {
		const coming = endOf(loan) - day;
		if (fee.left > 0n && coming > fee.days - fee.passed) again(fee, fee.left, coming);
	}
};

export const unearned = (loans: readonly Loan[]): bigint => loans.flatMap(({ spread }) => spread).reduce((sum, { left }) => sum + left, 0n);
