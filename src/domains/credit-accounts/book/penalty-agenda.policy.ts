// The days on which penalties may be charged. Each is looked at once, on its day; whether and how much is charged is decided from
// what is unpaid then.

import { daysToFirstPenalty, daysToNextPenalty, type PenaltyBase, penaltyBase, penaltyOn } from "../../loan-terms/penalties.policy";
import { accrue, charge, penaltyInstallment } from "./cycle.policy";
import { type CycleState, finalDueDay, type InstallmentState, unpaidOf } from "./cycle-state.policy";
import type { Journal, Penalty } from "./entries.policy";
import { dateOf } from "./facts.policy";
import type { Streak } from "./in-duplum.policy";
import type { LineUp } from "./line-up.policy";

/** `late`: the installment that is late; undefined where the whole loan is. */
type Item = { readonly state: CycleState; readonly late: InstallmentState | undefined; readonly number: number };

export class PenaltyAgenda {
	readonly #items = new Map<number, Item[]>();

	/** To be called for each installment as it comes due. */
	add(state: CycleState, installment: InstallmentState): void {
		const { penaltyTerms } = state.cycle.terms;
		const day = installment.dueDay + daysToFirstPenalty(penaltyTerms);
		if (penaltyTerms.trigger === "AFTER_INSTALLMENT_DUE") this.#put(day, { state, late: installment, number: 1 });
		else if (installment.position === state.dueDays.length) this.#put(day, { state, late: undefined, number: 1 });
	}

	has(day: number): boolean {
		return this.#items.has(day);
	}

	/** Charges the penalties of the day, which are then no longer on the agenda. */
	charge(day: number, lineUp: LineUp, journal: Journal, streak: Streak | undefined): readonly Penalty[] {
		const items = this.#items.get(day);
		if (!items) return [];
		this.#items.delete(day);
		const inOrder = items.toSorted(
			(a, b) => a.state.cycle.number - b.state.cycle.number || (a.late?.position ?? 0) - (b.late?.position ?? 0),
		);
		return inOrder.flatMap((item) => this.#chargeOne(item, day, lineUp, journal, streak) ?? []);
	}

	/**
	 * The first day on which a penalty may be charged for something that is unpaid now. The end of a loan is no day of its own where its last
	 * installment is settled ahead, so the days after the ends of these loans count from the start.
	 */
	nextDay(states: Iterable<CycleState>): number | undefined {
		const days = [...this.#items].flatMap(([day, items]) => (items.some(isLate) ? [day] : []));
		for (const state of states) {
			const { penaltyTerms } = state.cycle.terms;
			const isRunning = state.running < state.dueDays.length;
			if (penaltyTerms.trigger !== "AFTER_LOAN_END" || !isRunning || !isLate({ state, late: undefined })) continue;
			days.push(finalDueDay(state) + daysToFirstPenalty(penaltyTerms));
		}
		return days.length === 0 ? undefined : Math.min(...days);
	}

	#put(day: number, item: Item): void {
		const items = this.#items.get(day);
		if (items) items.push(item);
		else this.#items.set(day, [item]);
	}

	#chargeOne(
		{ state, late, number }: Item,
		day: number,
		lineUp: LineUp,
		journal: Journal,
		streak: Streak | undefined,
	): Penalty | undefined {
		const { penaltyTerms } = state.cycle.terms;
		// Once nothing is late there is no next penalty either, for what is due does not grow.
		if (!isLate({ state, late })) return undefined;
		const again = daysToNextPenalty(penaltyTerms);
		if (again !== undefined) this.#put(day + again, { state, late, number: number + 1 });
		accrue(state, day, journal, streak);
		const { principal, interest, penalty } = state.outstanding;
		const base = penaltyBase(penaltyTerms, unpaidBase(state, late));
		const { full, amount: unpaidAllows } = penaltyOn(base, penaltyTerms, principal - interest - penalty);
		const amount = streak ? streak.take(unpaidAllows, day) : unpaidAllows;
		if (streak && amount < full) streak.reachedOn ??= day;
		if (amount === 0n) return undefined;
		const isFirstOfLoan = late === undefined && state.installments.length === state.dueDays.length;
		const installment = late ?? penaltyInstallment(state, day);
		if (isFirstOfLoan) lineUp.addInstallments(state, [installment]);
		else lineUp.rewind();
		charge(state, installment, "penalty", amount);
		const of = { cycleId: state.cycle.id, installment: installment.position };
		const rate = { rate_basis_points: penaltyTerms.rateBasisPoints };
		const inputs = { number, base, ...rate, is_capped: amount < full, over_cap: full - amount };
		journal({ day, ...of, component: "PENALTY", amount, rule: "PENALTY_CHARGED", inputs, transactionId: null });
		return { ...of, number, date: dateOf(day), amount };
	}
}

/** After the loan's end all of its interest is overdue; so is that of an installment after its due date. */
function unpaidBase({ outstanding }: CycleState, late: InstallmentState | undefined): PenaltyBase {
	const { principal, interest } = late ? unpaidOf(late) : outstanding;
	return { principal, interest: 0n, arrears: interest };
}

function isLate({ state, late }: Pick<Item, "state" | "late">): boolean {
	const { principal, arrears } = unpaidBase(state, late);
	return !state.isStopped && principal + arrears > 0n;
}
