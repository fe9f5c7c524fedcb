// Whether money may be drawn and which cycle takes it, when a cycle rolls over, and the terms on which the next one starts.

import { addDays, type CalendarDate, type Span } from "../../../shared/time";
import type { InterestRate } from "../../loan-terms/periods.policy";
import { isOpenCycle, type Limits } from "./balance.policy";
import { replay } from "./book.policy";
import { finalDueDay, sumOf, unpaidOf } from "./cycle-state.policy";
import { type Book, dateOf } from "./facts.policy";
import type { Ledger } from "./ledger.policy";

/** The newest open cycle before its final due date; undefined when a draw on the ledger's day starts a cycle. */
export function cycleForDraw({ cycles }: Ledger): string | undefined {
	return cycles.findLast((state) => isOpenCycle(state) && state.running < state.periods.length)?.cycle.id;
}

export type DrawFault = "CANNOT_TRANSACT" | "AMOUNT_NOT_A_STEP" | "OVER_AVAILABLE_LIMIT";

/** What is wrong with a draw, or undefined. `mayTransact`: see canTransact. */
export function drawFault(amount: bigint, amountStep: bigint, { availableLimit }: Limits, mayTransact: boolean): DrawFault | undefined {
	if (!mayTransact) return "CANNOT_TRANSACT";
	if (amount <= 0n || amount % amountStep !== 0n) return "AMOUNT_NOT_A_STEP";
	return amount > -availableLimit ? "OVER_AVAILABLE_LIMIT" : undefined;
}

export type RollOver = { readonly fromCycleId: string; readonly amount: bigint; readonly valueDate: CalendarDate };

/**
 * The first roll-over that has come by the day and is not posted yet: after the final due date of a cycle of which nothing is unpaid
 * but principal of its last installment. It is to be posted as a fact, with a cycle that starts on its value date; then asked again.
 */
export function dueRollOver(book: Book, ledger: Ledger): RollOver | undefined {
	if (ledger.writtenOffOn !== null) return undefined;
	const rolled = new Set(book.cycles.map(({ rolledFromId }) => rolledFromId));
	const ended = ledger.cycles.filter((state) => dateOf(finalDueDay(state)) < ledger.through && !rolled.has(state.cycle.id));
	for (const state of ended) {
		const finalDueDate = dateOf(finalDueDay(state));
		const then = replay(book, finalDueDate).cycles.find(({ cycle }) => cycle.id === state.cycle.id);
		const last = then?.installments[state.dueDays.length - 1];
		if (!then || !last) continue;
		const amount = unpaidOf(last).principal;
		if (amount > 0n && amount === sumOf(then.outstanding)) {
			return { fromCycleId: state.cycle.id, amount, valueDate: addDays(finalDueDate, 1) };
		}
	}
	return undefined;
}

/** The rate of a tenure by the account's own schedule, or undefined when no band has it. */
export type RateOfTenure = (tenure: Span) => InterestRate | undefined;

/**
 * The terms of the next cycle: those of the last, with the tenure chosen for it and that tenure's own rate. A deal that reduced the
 * rate of the last cycle does not reach a tenure that is chosen later.
 */
export function nextCycleTerms<Terms extends { readonly tenure: Span; readonly interestRate: InterestRate }>(
	terms: Terms,
	nextTenure: Span | null,
	rateOf: RateOfTenure,
): Terms | undefined {
	if (nextTenure === null) return terms;
	const interestRate = rateOf(nextTenure);
	return interestRate && { ...terms, tenure: nextTenure, interestRate };
}
