// What an account owes and has at the end of a day, and which limits follow. The same figure is the balance, the sum of its
// parts, and what pays the account off on that day.

import { smallest } from "../../../shared/money";
import { type CycleState, sumOf, unpaidOf } from "./cycle-state.policy";
import { dayOf } from "./facts.policy";
import type { Ledger } from "./ledger.policy";

export type Breakdown = {
	readonly principal: bigint;
	/** Earned, and not yet overdue. */
	readonly interest: bigint;
	/** Overdue interest. */
	readonly arrears: bigint;
	readonly penalty: bigint;
	/** Refunded of a payment that bounced later. Payments fill it before anything else. */
	readonly refundUncovered: bigint;
};

export type Balance = {
	readonly breakdown: Breakdown;
	/**
	 * On the open cycles: principal drawn, fees, interest earned and penalties; also what was refunded without cover. What one open cycle
	 * rolled into another counts once.
	 */
	readonly totalCharged: bigint;
	/** Allocated to the open cycles, but not by rolling over from one to another: neither overpaid nor waived. */
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

/** What open cycles received of the roll-overs into open cycles: no money came, and none was lent. */
function rolledWithin(open: readonly CycleState[], { allocations }: Ledger): bigint {
	const rollOvers = new Set(open.flatMap(({ rolledInBy }) => rolledInBy ?? []));
	if (rollOvers.size === 0) return 0n;
	const ids = new Set(open.map(({ cycle }) => cycle.id));
	return allocations
		.filter(({ transactionId, cycleId }) => rollOvers.has(transactionId) && ids.has(cycleId))
		.reduce((sum, { principal, interest, arrears, penalty }) => sum + principal + interest + arrears + penalty, 0n);
}

export function balanceOf(ledger: Ledger): Balance {
	const { cycles, through, overpaid, uncoveredRefund } = ledger;
	const open = cycles.filter(isOpenCycle);
	const day = dayOf(through);
	const total = (amountOf: (state: CycleState) => bigint) => open.reduce((sum, state) => sum + amountOf(state), 0n);
	const arrears = total((state) => arrearsOf(state, day));
	const rolled = rolledWithin(open, ledger);
	return {
		breakdown: {
			principal: total(({ outstanding }) => outstanding.principal),
			interest: total(({ outstanding }) => outstanding.interest) - arrears,
			arrears,
			penalty: total(({ outstanding }) => outstanding.penalty),
			refundUncovered: uncoveredRefund,
		},
		totalCharged: total(({ charged }) => sumOf(charged)) - rolled + uncoveredRefund,
		totalPaid: total(({ paid }) => sumOf(paid)) - rolled,
		totalWaived: total(({ waived }) => sumOf(waived)),
		totalOutstanding: total(({ outstanding }) => sumOf(outstanding)) + uncoveredRefund,
		overpaid,
	};
}

export type Limits = { readonly creditLimit: bigint; readonly availableLimit: bigint; readonly availableBalance: bigint };

/**
 * A limit and what is drawn of it, as the wire has them: negative. credit = available + drawn, except while more is drawn than the
 * limit: then nothing is available.
 */
export function limitsOf(limit: bigint, { breakdown, overpaid }: Pick<Balance, "breakdown" | "overpaid">): Limits {
	const drawn = breakdown.principal + breakdown.refundUncovered - overpaid;
	return { creditLimit: -limit, availableLimit: smallest(drawn - limit, 0n), availableBalance: -drawn };
}
