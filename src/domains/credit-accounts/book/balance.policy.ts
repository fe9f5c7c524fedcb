// What an account owes and has at the end of a day, and which limits follow. The same figure is the balance, the sum of the four
// parts, and what pays the account off on that day.

import { smallest } from "../../../shared/money";
import type { Ledger } from "./book.policy";
import { type CycleState, sumOf, unpaidOf } from "./cycle-state.policy";
import { dayOf } from "./facts.policy";

export type Breakdown = {
	readonly principal: bigint;
	/** Earned, and not yet overdue. */
	readonly interest: bigint;
	/** Overdue interest. */
	readonly arrears: bigint;
	readonly penalty: bigint;
};

export type Balance = {
	readonly breakdown: Breakdown;
	/** On the open cycles: principal drawn, fees, interest earned and penalties. */
	readonly totalCharged: bigint;
	/** Allocated to the open cycles: neither overpaid nor waived. */
	readonly totalPaid: bigint;
	readonly totalWaived: bigint;
	/** totalCharged - totalPaid - totalWaived; the sum of the breakdown; what pays everything off today. */
	readonly totalOutstanding: bigint;
	readonly overpaid: bigint;
};

export function isOpenCycle({ outstanding }: CycleState): boolean {
	return sumOf(outstanding) > 0n;
}

function arrearsOf({ installments, running }: CycleState, day: number): bigint {
	let arrears = 0n;
	for (const [index, installment] of installments.entries()) {
		if (index >= running && !installment.isDue) break;
		if (installment.dueDay < day) arrears += unpaidOf(installment).interest;
	}
	return arrears;
}

export function balanceOf({ cycles, through, overpaid }: Ledger): Balance {
	const open = cycles.filter(isOpenCycle);
	const day = dayOf(through);
	const total = (amountOf: (state: CycleState) => bigint) => open.reduce((sum, state) => sum + amountOf(state), 0n);
	const arrears = total((state) => arrearsOf(state, day));
	return {
		breakdown: {
			principal: total(({ outstanding }) => outstanding.principal),
			interest: total(({ outstanding }) => outstanding.interest) - arrears,
			arrears,
			penalty: total(({ outstanding }) => outstanding.penalty),
		},
		totalCharged: total(({ charged }) => sumOf(charged)),
		totalPaid: total(({ paid }) => sumOf(paid)),
		totalWaived: total(({ waived }) => sumOf(waived)),
		totalOutstanding: total(({ outstanding }) => sumOf(outstanding)),
		overpaid,
	};
}

export type Limits = { readonly creditLimit: bigint; readonly availableLimit: bigint; readonly availableBalance: bigint };

/**
 * A limit and what is drawn of it, as the wire has them: negative. credit = available + drawn, except while more is drawn than the
 * limit: then nothing is available.
 */
export function limitsOf(limit: bigint, { breakdown, overpaid }: Pick<Balance, "breakdown" | "overpaid">): Limits {
	const drawn = breakdown.principal - overpaid;
	return { creditLimit: -limit, availableLimit: smallest(drawn - limit, 0n), availableBalance: -drawn };
}
