// All installments of the open cycles in the order in which they are paid: by due date, cycle and position.

import type { Claim } from "../../loan-terms/allocation.policy";
import { type CycleState, type InstallmentState, lastOpen, openPrincipal, sumOf, unpaidOf } from "./cycle-state.policy";

/** An installment with what it owes. */
export type Obligation = Claim & { readonly state: CycleState; readonly installment: InstallmentState };

type Place = { readonly state: CycleState; readonly installment: InstallmentState };

function isSettled({ installment }: Place): boolean {
	return installment.isDue ? sumOf(unpaidOf(installment)) === 0n : installment.isSettledAhead;
}

export class LineUp {
	#places: Place[] = [];
	/** Everything before it is settled. */
	#first = 0;

	add(state: CycleState): void {
		this.addInstallments(state, state.installments);
	}

	/** To be called also where due dates have changed. */
	addInstallments(state: CycleState, installments: readonly InstallmentState[]): void {
		this.#places.push(...installments.map((installment) => ({ state, installment })));
		this.#sort();
	}

	/** To be called when something is charged to an installment that may have been settled. */
	rewind(): void {
		this.#first = 0;
	}

	#sort(): void {
		this.#places.sort(
			(a, b) =>
				a.installment.dueDay - b.installment.dueDay ||
				a.state.cycle.number - b.state.cycle.number ||
				a.installment.position - b.installment.position,
		);
		this.rewind();
	}

	/** Whether something is unpaid whose due date has passed on the day. */
	isOverdue(day: number): boolean {
		const first = this.#firstUnsettled();
		return first !== undefined && first.installment.dueDay < day;
	}

	#firstUnsettled(): Place | undefined {
		for (let place = this.#places[this.#first]; place && isSettled(place); place = this.#places[this.#first]) this.#first++;
		return this.#places[this.#first];
	}

	/** What each installment can take on the day, the interest to that day charged; of those not yet due, principal as if they were. */
	*claims(day: number): Generator<Obligation> {
		const ahead = new Map<CycleState, { left: bigint; last: InstallmentState | undefined }>();
		this.#firstUnsettled();
		for (let index = this.#first; index < this.#places.length; index++) {
			const place = this.#places[index];
			if (!place || isSettled(place)) continue;
			const { state, installment } = place;
			const { isDue } = installment;
			const unpaid = unpaidOf(installment);
			let principal = unpaid.principal;
			if (!isDue) {
				const known = ahead.get(state) ?? { left: state.notDue, last: lastOpen(state) };
				principal = openPrincipal(installment, known.left, installment === known.last);
				ahead.set(state, { ...known, left: known.left - principal });
			}
			if (principal + unpaid.interest + unpaid.penalty === 0n) continue;
			const isOverdue = installment.dueDay < day;
			yield {
				state,
				installment,
				isDue,
				penalty: unpaid.penalty,
				arrears: isOverdue ? unpaid.interest : 0n,
				interest: isOverdue ? 0n : unpaid.interest,
				principal,
			};
		}
	}
}
