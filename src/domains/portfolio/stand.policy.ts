// How an account stands in the portfolio at the end of a day: what is owed, what of it is overdue and since when. A written-off account
// owes nothing here: its claim was given up, though the borrower may still pay.

import type { CalendarDate } from "../../shared/time";
import { balanceOf } from "../credit-accounts/book/balance.policy";
import { sumOf, unpaidOf } from "../credit-accounts/book/cycle-state.policy";
import { unearnedOf } from "../credit-accounts/book/deferred-fees.policy";
import { dateOf, dayOf } from "../credit-accounts/book/facts.policy";
import type { Ledger } from "../credit-accounts/book/ledger.policy";

export const BALANCES = ["principal", "interest", "arrears", "penalty", "refundUncovered", "overpaid"] as const;
export type Balances = Readonly<Record<(typeof BALANCES)[number], bigint>>;

export type Stand = {
	/** `interest` without what of it is overdue, which is `arrears`. */
	readonly balances: Balances;
	/** Unpaid of the installments that are overdue, and an uncovered refund once it is. */
	readonly overdue: bigint;
	/** The oldest due date among them. */
	readonly oldestDue: CalendarDate | null;
	/** Of the fees that are charged, what is not earned yet. */
	readonly unearnedFees: bigint;
};

const NOTHING: Balances = { principal: 0n, interest: 0n, arrears: 0n, penalty: 0n, refundUncovered: 0n, overpaid: 0n };
export const NO_STAND: Stand = { balances: NOTHING, overdue: 0n, oldestDue: null, unearnedFees: 0n };

export function standOf(ledger: Ledger): Stand {
	const { breakdown, overpaid } = balanceOf(ledger);
	if (ledger.writtenOffOn !== null) return { ...NO_STAND, balances: { ...NOTHING, overpaid } };
	const today = dayOf(ledger.through);
	const refundDue = ledger.refundDueOn === null ? today : dayOf(ledger.refundDueOn);
	let overdue = refundDue < today ? ledger.uncoveredRefund : 0n;
	let oldest = Math.min(refundDue, today);
	let unearnedFees = 0n;
	for (const { installments, deferredFees } of ledger.cycles) {
		for (const fee of deferredFees) unearnedFees += unearnedOf(fee, today);
		for (const installment of installments) {
			const unpaid = installment.isDue && installment.dueDay < today ? sumOf(unpaidOf(installment)) : 0n;
			if (unpaid === 0n) continue;
			overdue += unpaid;
			oldest = Math.min(oldest, installment.dueDay);
		}
	}
	return { balances: { ...breakdown, overpaid }, overdue, oldestDue: oldest < today ? dateOf(oldest) : null, unearnedFees };
}

/** What the account adds to the sum of the open positions. */
export const sumOfBalances = (balances: Readonly<Record<(typeof BALANCES)[number], bigint | number>>): bigint =>
	BALANCES.reduce((sum, name) => sum + BigInt(balances[name]), 0n);
