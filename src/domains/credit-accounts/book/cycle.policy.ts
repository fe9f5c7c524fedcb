// What happens to a cycle: money is lent on it, interest is earned, installments come due, and parts of them are taken off. An
// installment keeps its amount: what early payments save of interest is principal repaid sooner, and the last installment shrinks.

import { portion, rational, smallest, toBigInt } from "../../../shared/money";
import type { CalendarDate } from "../../../shared/time";
import { movedPeriods, rateForDays, rateForPeriod } from "../../loan-terms/periods.policy";
import { feeOn } from "../../loan-terms/schedule.policy";
import {
	type CycleState,
	finalDueDay,
	firstOpen,
	type InstallmentState,
	isOpen,
	lastOpen,
	newInstallment,
	openPrincipal,
	type Parts,
	principalTakenOff,
	roomIn,
	sumOf,
} from "./cycle-state.policy";
import { deferFee, earnFees, extendFees, giveUpFees, waiveFees } from "./deferred-fees.policy";
import type { Inputs, Journal } from "./entries.policy";
import { dateOf, dayOf } from "./facts.policy";
import type { Streak } from "./in-duplum.policy";
import { planAgain, planDraw } from "./plan.policy";

export function charge(state: CycleState, installment: InstallmentState, component: "interest" | "penalty", amount: bigint): void {
	installment[component] += amount;
	state.charged[component] += amount;
	state.outstanding[component] += amount;
	state.settledBy = undefined;
}

function earned(state: CycleState, day: number): { total: bigint; inputs: Inputs } | undefined {
	const { segment, running, notDue, cycle, periods, rates, dueDays, flatInterest } = state;
	const period = periods[running];
	const rate = rates[running];
	const dueDay = dueDays[running];
	if (!period || !rate || dueDay === undefined || notDue === 0n || day <= segment.from) return undefined;
	const days = day - segment.from;
	const span = { from: dateOf(segment.from), to: dateOf(day), days };
	if (cycle.terms.productType === "FLAT") {
		const interest = flatInterest[running] ?? 0n;
		const total = portion(interest, rational(toBigInt(days), toBigInt(dueDay - segment.from)));
		return { total, inputs: { ...span, period_interest: interest, period_days: dueDay - segment.from } };
	}
	const total = portion(notDue, days === period.days ? rate : rateForDays(rate, days, period.days));
	return { total, inputs: { ...span, balance: notDue, rate: `${rate.numerator}/${rate.denominator}`, period_days: period.days } };
}

/** Interest that was earned by the end of the day, within the running period, and is not charged yet. */
export function unchargedInterest(state: CycleState, day: number): bigint {
	const interest = state.isStopped ? undefined : earned(state, day);
	return interest && interest.total > state.segment.charged ? interest.total - state.segment.charged : 0n;
}

/**
 * Charges the interest earned up to the end of the day, within the running period: to the first open installment what has room in it, the
 * rest to the next. The last one takes all that is left. Doing so more often changes no total. A charge that the law does not allow in a
 * streak of overdue days is never made.
 */
export function accrue(state: CycleState, day: number, journal: Journal, streak?: Streak): void {
	if (state.isStopped) return;
	const interest = earned(state, day);
	if (!interest) return;
	const { cycle, segment, installments, running, dueDays } = state;
	const uncharged = interest.total - segment.charged;
	let left = streak ? streak.take(uncharged, day) : uncharged;
	const overCap = uncharged - left;
	const last = lastOpen(state);
	for (let index = running; index < dueDays.length && left > 0n; index++) {
		const installment = installments[index];
		if (!installment || !isOpen(installment)) continue;
		const amount = installment === last ? left : smallest(left, roomIn(installment));
		if (amount === 0n) continue;
		left -= amount;
		const inputs = { ...interest.inputs, charged_before: segment.charged, carried_over: left, over_cap: overCap };
		segment.charged += amount;
		charge(state, installment, "interest", amount);
		const of = { cycleId: cycle.id, installment: installment.position, component: "INTEREST" as const };
		journal({ day, ...of, amount, rule: "INTEREST_EARNED", inputs, transactionId: null });
	}
	segment.charged = interest.total;
}

/** The running period ends: its interest is charged whole, and its installment's principal is due and bears no more interest. */
export function comeDue(state: CycleState, journal: Journal): InstallmentState | undefined {
	const index = state.running;
	const installment = state.installments[index];
	if (!installment) return undefined;
	accrue(state, installment.dueDay, journal);
	installment.takesRest = installment === lastOpen(state);
	const principal = installment.isSettledAhead ? 0n : openPrincipal(installment, state.notDue, installment.takesRest);
	installment.principal = principalTakenOff(installment) + principal;
	installment.isDue = true;
	state.notDue -= principal;
	state.running = index + 1;
	state.segment = { from: installment.dueDay, charged: 0n };
	return installment;
}

/** Ends the segment where the balance changes within a period. The interest up to the day is charged already. */
function splitSegment(state: CycleState, day: number): void {
	if (state.cycle.terms.productType === "FLAT") {
		const rest = (state.flatInterest[state.running] ?? 0n) - state.segment.charged;
		state.flatInterest[state.running] = rest;
	}
	state.segment = { from: day, charged: 0n };
}

/** Lends money on the cycle: what is owed from here on is spread over its open installments again. */
export function lend(state: CycleState, amount: bigint, day: number, takesFee: boolean, transactionId: string, journal: Journal): void {
	if (state.running >= state.periods.length) throw new RangeError("a cycle takes no draw from its final due date on");
	accrue(state, day, journal);
	splitSegment(state, day);
	const { cycle, charged, outstanding } = state;
	state.notDue += amount;
	charged.principal += amount;
	outstanding.principal += amount;
	state.settledBy = undefined;
	journal({ day, cycleId: cycle.id, installment: null, component: "PRINCIPAL", amount, rule: "DRAWN", inputs: {}, transactionId });
	if (!firstOpen(state)) for (const installment of state.installments) installment.isSettledAhead = false;
	planDraw(state, amount, day, state.installments.slice(state.running, state.dueDays.length).filter(isOpen));
	const fee = takesFee ? feeOn(amount, cycle.terms.feeBasisPoints) : 0n;
	const installment = firstOpen(state);
	if (fee === 0n || !installment) return;
	installment.fee += fee;
	charge(state, installment, "interest", fee);
	if (cycle.terms.accessFeeRecognition === "OVER_LIFE") {
		deferFee(state, installment.position, { from: day, until: finalDueDay(state), amount: fee });
		if (state.isStopped) giveUpFees(state, day);
	}
	const inputs = { drawn: amount, fee_basis_points: cycle.terms.feeBasisPoints };
	const entry = { day, cycleId: cycle.id, installment: installment.position, component: "INTEREST" as const };
	journal({ ...entry, amount: fee, rule: "ACCESS_FEE", inputs, transactionId });
}

/**
 * Gives the installments that are not yet due other due dates, and spreads what is owed from here on over them again; more dates than
 * installments make more of these. Returns those that were made. Without as many dates to come as installments nothing changes.
 */
export function reschedule(
	state: CycleState,
	dueDates: readonly CalendarDate[],
	day: number,
	transactionId: string,
	journal: Journal,
): readonly InstallmentState[] {
	const { cycle, running, periods } = state;
	const { installmentEvery: every, interestRate, dayCount } = cycle.terms;
	const first = dueDates[0];
	if (running >= periods.length || dueDates.length < periods.length - running || first === undefined || dayOf(first) <= day) return [];
	const before = { ...state };
	const changed = movedPeriods(periods, running, dueDates, every);
	state.periods = [...periods.slice(0, running), ...changed];
	state.rates = [...state.rates.slice(0, running), ...changed.map((period) => rateForPeriod(interestRate, period, dayCount))];
	state.dueDays = state.periods.map(({ dueDate }) => dayOf(dueDate));
	extendFees(state, day, finalDueDay(state));
	const made: InstallmentState[] = [];
	for (let index = running; index < state.dueDays.length; index++) {
		const dueDay = state.dueDays[index] ?? 0;
		const known = state.installments[index];
		if (known) known.dueDay = dueDay;
		else made.push(newInstallment(index + 1, dueDay));
	}
	state.installments.push(...made);
	splitSegment(state, day);
	const open = state.installments.slice(running, state.dueDays.length).filter(isOpen);
	planAgain(state, before, day, open);
	const inputs = { installments: open.length, balance: state.notDue, final_due_date: state.periods.at(-1)?.dueDate ?? "" };
	const of = { cycleId: cycle.id, installment: null, component: "PRINCIPAL" as const, transactionId };
	journal({ day, ...of, amount: 0n, rule: "RESCHEDULED", inputs });
	return made;
}

/** Takes parts off an installment. `isWhole`: of all that it owes now, nothing is left. */
export function takeOff(
	state: CycleState,
	installment: InstallmentState,
	parts: Readonly<Parts>,
	/** `transactionId`: of the money or the decision that brings it. */
	how: { readonly isWhole: boolean; readonly isWaiver: boolean; readonly day: number; readonly transactionId: string },
): void {
	const sums = how.isWaiver ? [installment.waived, state.waived] : [installment.paid, state.paid];
	for (const component of ["principal", "interest", "penalty"] as const) {
		for (const sum of sums) sum[component] += parts[component];
		state.outstanding[component] -= parts[component];
	}
	if (!installment.isDue) {
		installment.principal = principalTakenOff(installment);
		if (parts.principal > 0n) {
			state.notDue -= parts.principal;
			// FLAT interest does not depend on the balance, as long as there is one.
			if (state.cycle.terms.productType !== "FLAT") splitSegment(state, how.day);
			else if (state.notDue === 0n) {
				splitSegment(state, how.day);
				state.flatInterest.fill(0n);
			}
		}
		if (how.isWhole) {
			installment.isSettledAhead = true;
			installment.amount = installment.interest - installment.fee + installment.principal;
		}
	}
	if (how.isWaiver) waiveFees(state, installment.position, parts.interest, how.day);
	if (sumOf(state.outstanding) > 0n) return;
	state.settledBy = { transactionId: how.transactionId, day: how.day };
	earnFees(state, how.day);
}

/** The installment behind the schedule's, which takes the penalties after the loan's end and is made with the first of them. */
export function penaltyInstallment(state: CycleState, day: number): InstallmentState {
	const known = state.installments[state.dueDays.length];
	if (known) return known;
	const made = { ...newInstallment(state.dueDays.length + 1, day), isDue: true };
	state.installments.push(made);
	return made;
}
