// Installments as they stand at the end of a day. Of those still to come, interest and principal are what they will be if nothing is
// paid or drawn before.

import type { CalendarDate } from "../../../shared/time";
import { totalOf } from "../../loan-terms/allocation.policy";
import { comeDue } from "./cycle.policy";
import { type CycleState, cloneOf, type InstallmentState, sumOf, unpaidOf } from "./cycle-state.policy";
import { SILENT } from "./entries.policy";
import { dateOf, dayOf } from "./facts.policy";
import type { Ledger } from "./ledger.policy";
import { LineUp, type Obligation } from "./line-up.policy";

/** SETTLED: nothing is owed, from the beginning or any more. WAIVED: some of it was given up, and nothing is left. */
export type InstallmentStatus = "UPCOMING" | "DUE" | "OVERDUE" | "SETTLED" | "WAIVED";

export type StandingInstallment = {
	readonly cycleId: string;
	readonly position: number;
	readonly dueDate: CalendarDate;
	readonly status: InstallmentStatus;
	/** As charged, or to be charged. */
	readonly principal: bigint;
	/** With the fee, overdue or not. */
	readonly interest: bigint;
	readonly fee: bigint;
	/** The overdue part of the unpaid interest. */
	readonly arrears: bigint;
	readonly penalty: bigint;
	readonly paid: bigint;
	readonly waived: bigint;
	/** principal + interest + penalty - paid - waived */
	readonly outstanding: bigint;
};

function statusOf({ dueDay, waived }: InstallmentState, outstanding: bigint, day: number): InstallmentStatus {
	if (outstanding === 0n) return sumOf(waived) > 0n ? "WAIVED" : "SETTLED";
	if (dueDay > day) return "UPCOMING";
	return dueDay === day ? "DUE" : "OVERDUE";
}

/** The cycle as it will be after its final due date. */
function projected(state: CycleState): CycleState {
	const copy = cloneOf(state);
	while (copy.running < copy.periods.length) comeDue(copy, SILENT);
	return copy;
}

/** All installments of the book's cycles, by cycle and position. */
export function installmentsOf({ cycles, through }: Ledger): readonly StandingInstallment[] {
	const day = dayOf(through);
	return cycles.flatMap((state) =>
		projected(state).installments.map((installment) => {
			const unpaid = unpaidOf(installment);
			const outstanding = sumOf(unpaid);
			const { position, dueDay, principal, interest, fee, penalty, paid, waived } = installment;
			return {
				cycleId: state.cycle.id,
				position,
				dueDate: dateOf(dueDay),
				status: statusOf(installment, outstanding, day),
				principal,
				interest,
				fee,
				arrears: dueDay < day ? unpaid.interest : 0n,
				penalty,
				paid: sumOf(paid),
				waived: sumOf(waived),
				outstanding,
			};
		}),
	);
}

/** What is to be paid by the account's due date: all that is due by today, else the next installment; first what was refunded without cover. */
export function dueOf(ledger: Ledger): bigint {
	const unsettled = installmentsOf(ledger).filter(({ outstanding }) => outstanding > 0n);
	const refund = ledger.refundDueOn === null ? [] : [ledger.refundDueOn];
	const [next = ledger.through] = [...unsettled.map(({ dueDate }) => dueDate), ...refund].sort();
	const until = next > ledger.through ? next : ledger.through;
	return unsettled.filter(({ dueDate }) => dueDate <= until).reduce((sum, { outstanding }) => sum + outstanding, ledger.uncoveredRefund);
}

/** What each installment can take on the ledger's day, in the order of payment; together it is what is owed. */
export function obligationsOf({ cycles, through }: Ledger): readonly Obligation[] {
	const lineUp = new LineUp();
	for (const state of cycles) lineUp.add(state);
	return [...lineUp.claims(dayOf(through))];
}

/** The most that can be waived of an installment on the ledger's day. */
export function waivableOf(ledger: Ledger, cycleId: string, position: number): bigint {
	const obligation = obligationsOf(ledger).find(
		({ state, installment }) => state.cycle.id === cycleId && installment.position === position,
	);
	return obligation ? totalOf(obligation) : 0n;
}
