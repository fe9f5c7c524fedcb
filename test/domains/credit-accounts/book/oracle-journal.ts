// The journal in the oracle: what the accounts of a loan hold, by docs/chart-of-accounts.md alone. Receipts credit 2110 and payouts debit
// 2130 when the money moves; here are the other sides of both.

import { type Lost, unearned } from "./oracle-fees";
import { type Loan, owesInAll } from "./oracle-loan";

/** By account number; a debit is positive. */
export type Accounts = Readonly<Record<string, bigint>>;

/** What has moved since the loan began. */
export type Moved = {
	lent: bigint;
	received: bigint;
	refunded: bigint;
	/** Of the claim, by payments. */
	paid: bigint;
	/** Of the claim, by waivers and settlements. */
	waived: bigint;
	/** What was paid and waived before the claim was given up. */
	atWriteOff: { readonly paid: bigint; readonly waived: bigint } | undefined;
	/** Of fees that were not earned yet. */
	fees: Lost;
};

export const nothingMoved = (): Moved => ({
	...{ lent: 0n, received: 0n, refunded: 0n, paid: 0n, waived: 0n },
	...{ atWriteOff: undefined, fees: { waived: 0n, givenUp: 0n } },
});

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n);

export function accountsOf(loans: readonly Loan[], uncovered: bigint, overpaid: bigint, moved: Moved): Accounts {
	const lines = loans.flatMap((loan) => loan.lines);
	const owed = { principal: 0n, interest: 0n, penalty: 0n };
	for (const loan of loans) {
		const { principal, interest, penalty } = owesInAll(loan);
		owed.principal += principal;
		owed.interest += interest;
		owed.penalty += penalty;
	}
	const claim = { "1210": owed.principal, "1220": owed.interest, "1230": owed.penalty, "1240": uncovered };
	const { atWriteOff, paid, waived, fees } = moved;
	const left = unearned(loans);
	const given = atWriteOff && { paid: paid - atWriteOff.paid, waived: waived - atWriteOff.waived };
	return {
		// A claim that was given up is worth nothing, and what is paid of it later is recovered.
		...(given ? {} : claim),
		"2110": moved.received,
		"2120": -overpaid,
		"2130": -moved.lent - moved.refunded,
		"2410": -left,
		"4110": -sum(lines.map(({ interest, fee }) => interest - fee)),
		"4120": left + fees.waived + fees.givenUp - sum(lines.map(({ fee }) => fee)),
		"4130": -sum(lines.map(({ penalty }) => penalty)),
		"4140": given ? -given.paid : 0n,
		"5110": waived - (given?.waived ?? 0n) - fees.waived,
		"5120": given ? sum(Object.values(claim)) + given.paid + given.waived - fees.givenUp : 0n,
	};
}

/** Those that are not zero, in the order of their numbers. */
export const held = (accounts: Accounts): Record<string, number> =>
	Object.fromEntries(
		Object.entries(accounts)
			.filter(([, amount]) => amount !== 0n)
			.map(([account, amount]) => [account, Number(amount)] as const)
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);

/** What the later accounts have more than the earlier. */
export const more = (later: Accounts, earlier: Accounts): Accounts =>
	Object.fromEntries(
		[...new Set([...Object.keys(later), ...Object.keys(earlier)])].map((account) => [
			account,
			(later[account] ?? 0n) - (earlier[account] ?? 0n),
		]),
	);
