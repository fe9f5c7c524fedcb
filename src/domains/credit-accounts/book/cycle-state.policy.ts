// The state of one cycle while the book is folded: its installments, the principal that is not yet due, and the days that interest
// runs on it. The functions here only read it, or make it.

import { type Rational, smallest } from "../../../shared/money";
import { type Period, periodsOf, rateForPeriod } from "../../loan-terms/periods.policy";
import type { DeferredFee } from "./deferred-fees.policy";
import { type Cycle, dayOf } from "./facts.policy";

/** Parts of an installment that a kind of settlement took off. */
export type Parts = { principal: bigint; interest: bigint; penalty: bigint };

/** The principal that was spread over so many installments on a day. */
export type Plan = { readonly day: number; readonly principal: bigint; readonly installments: number };

export type InstallmentState = {
	readonly position: number;
	dueDay: number;
	/** Principal and interest together, without fee and penalties. */
	amount: bigint;
	/** Its part of the principal, known once it is due; before, what of it is repaid. */
	principal: bigint;
	/** Charged so far, with the fee. */
	interest: bigint;
	fee: bigint;
	penalty: bigint;
	readonly paid: Parts;
	readonly waived: Parts;
	/** From what its amount was last computed. */
	plan: Plan | undefined;
	isDue: boolean;
	/** When it came due it took all principal that the others had left. */
	takesRest: boolean;
	/** Fully paid before it was due: it takes no more interest, which goes to the next one. */
	isSettledAhead: boolean;
};

/** A stretch of days over which the balance does not change. Interest is rounded once for the whole of it. */
type Segment = {
	readonly from: number;
	/** Of the segment's interest, what is charged already. */
	charged: bigint;
};

export type CycleState = {
	readonly cycle: Cycle;
	/** These three change together where the cycle is rescheduled. */
	periods: readonly Period[];
	rates: readonly Rational[];
	dueDays: readonly number[];
	/** In the order of their positions; behind those of the schedule the installment with the penalties after the loan's end. */
	readonly installments: InstallmentState[];
	/** Index of the period that runs; the number of periods after the final due date. */
	running: number;
	/** Principal outstanding of installments that are not yet due: interest runs on it. */
	notDue: bigint;
	segment: Segment;
	/** FLAT: the interest of each period; of the running one, what the segment has still to earn. */
	readonly flatInterest: bigint[];
	/** Those of its fees that are earned over its life. */
	deferredFees: readonly DeferredFee[];
	readonly outstanding: Parts;
	readonly charged: Parts;
	readonly paid: Parts;
	readonly waived: Parts;
	/** The roll-over that started it. */
	rolledInBy: string | undefined;
	/** Nothing is charged any more: the account is written off. */
	isStopped: boolean;
	/** The transaction that left nothing owed. */
	settledBy: { readonly transactionId: string; readonly day: number } | undefined;
};

const noParts = (): Parts => ({ principal: 0n, interest: 0n, penalty: 0n });

export function sumOf({ principal, interest, penalty }: Parts): bigint {
	return principal + interest + penalty;
}

export function newInstallment(position: number, dueDay: number): InstallmentState {
	const amounts = { amount: 0n, principal: 0n, interest: 0n, fee: 0n, penalty: 0n };
	const flags = { isDue: false, takesRest: false, isSettledAhead: false };
	return { position, dueDay, ...amounts, paid: noParts(), waived: noParts(), plan: undefined, ...flags };
}

export function openCycle(cycle: Cycle): CycleState {
	const { terms, startDate } = cycle;
	const periods = periodsOf(terms.tenure, terms.installmentEvery, startDate);
	const dueDays = periods.map(({ dueDate }) => dayOf(dueDate));
	return {
		cycle,
		periods,
		rates: periods.map((period) => rateForPeriod(terms.interestRate, period, terms.dayCount)),
		dueDays,
		installments: dueDays.map((dueDay, index) => newInstallment(index + 1, dueDay)),
		running: 0,
		notDue: 0n,
		segment: { from: dayOf(startDate), charged: 0n },
		flatInterest: periods.map(() => 0n),
		deferredFees: [],
		outstanding: noParts(),
		charged: noParts(),
		paid: noParts(),
		waived: noParts(),
		rolledInBy: undefined,
		isStopped: false,
		settledBy: undefined,
	};
}

/** A copy that can be rolled ahead without touching the original. */
export function cloneOf(state: CycleState): CycleState {
	return {
		...state,
		installments: state.installments.map((installment) => ({
			...installment,
			paid: { ...installment.paid },
			waived: { ...installment.waived },
		})),
		flatInterest: [...state.flatInterest],
		segment: { ...state.segment },
		outstanding: { ...state.outstanding },
		charged: { ...state.charged },
		paid: { ...state.paid },
		waived: { ...state.waived },
	};
}

export function finalDueDay({ dueDays }: CycleState): number {
	return dueDays.at(-1) ?? 0;
}

/** What is taken off the installment's principal, by all means. */
export function principalTakenOff({ paid, waived }: InstallmentState): bigint {
	return paid.principal + waived.principal;
}

/** Unpaid of what is charged; of the principal only where the installment is due. */
export function unpaidOf({ principal, interest, penalty, paid, waived, isDue }: InstallmentState): Parts {
	return {
		principal: isDue ? principal - paid.principal - waived.principal : 0n,
		interest: interest - paid.interest - waived.interest,
		penalty: penalty - paid.penalty - waived.penalty,
	};
}

export function isOpen({ isDue, isSettledAhead }: InstallmentState): boolean {
	return !isDue && !isSettledAhead;
}

/** The installment that interest and fees go to: the first that is neither due nor settled. */
export function firstOpen({ installments, running, dueDays }: CycleState): InstallmentState | undefined {
	for (let index = running; index < dueDays.length; index++) {
		const installment = installments[index];
		if (installment && isOpen(installment)) return installment;
	}
	return undefined;
}

/** The installment that takes all principal that the others leave. */
export function lastOpen({ installments, running, dueDays }: CycleState): InstallmentState | undefined {
	for (let index = dueDays.length - 1; index >= running; index--) {
		const installment = installments[index];
		if (installment && isOpen(installment)) return installment;
	}
	return undefined;
}

/** What of its amount an open installment has left for interest and principal to come. */
export function roomIn(installment: InstallmentState): bigint {
	const room = installment.amount - (installment.interest - installment.fee) - principalTakenOff(installment);
	return room > 0n ? room : 0n;
}

/** Principal that an open installment would still take were it due now; `left` is what the ones before it leave. */
export function openPrincipal(installment: InstallmentState, left: bigint, isLast: boolean): bigint {
	return isLast ? left : smallest(roomIn(installment), left);
}
