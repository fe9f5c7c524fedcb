// What a draw or other due dates make of the installments that are still open: their amounts, and for FLAT the interest of the periods
// to come. On installments of which nothing is paid it gives the rows of `amortise` and `spreadFlat`.

import { add, multiply, portion, type Rational, rational, smallest, sum } from "../../../shared/money";
import { equalInstallment, levelRows, spread } from "../../loan-terms/amortisation.policy";
import { rateForDays } from "../../loan-terms/periods.policy";
import { type CycleState, type InstallmentState, principalTakenOff } from "./cycle-state.policy";

/** Plans the open installments again after `amount` was drawn on the day, which begins a segment. */
export function planDraw(state: CycleState, amount: bigint, day: number, open: readonly InstallmentState[]): void {
	if (state.cycle.terms.productType === "FLAT") spreadDraw(state, amount, day, open);
	else levelAgain(state, day, open);
	remember(state, day, open);
}

/** Plans the open installments again after their due dates changed on the day, which begins a segment. `before`: the cycle as it was. */
export function planAgain(state: CycleState, before: CycleState, day: number, open: readonly InstallmentState[]): void {
	if (state.cycle.terms.productType === "FLAT") spreadAgain(state, before, day, open);
	else levelAgain(state, day, open);
	remember(state, day, open);
}

function remember(state: CycleState, day: number, open: readonly InstallmentState[]): void {
	const principal = open.reduce((sum, installment) => sum + principalTakenOff(installment), state.notDue);
	for (const installment of open) installment.plan = { day, principal, installments: open.length };
}

/** The rates of what is left of the running period, and of those after it. */
const ratesToCome = (state: CycleState, day: number) => [...rateOfRest(state, day), ...state.rates.slice(state.running + 1)];

/** The rate of what is left of the running period. */
function rateOfRest({ rates, periods, dueDays, running }: CycleState, day: number): Rational[] {
	const rate = rates[running];
	const period = periods[running];
	const dueDay = dueDays[running];
	if (!rate || !period || dueDay === undefined) return [];
	return [rateForDays(rate, dueDay - day, period.days)];
}

/** The cost of the draw to the end, its principal and its interest in equal parts. */
function spreadDraw(state: CycleState, amount: bigint, day: number, open: readonly InstallmentState[]): void {
	const { rates, running, flatInterest } = state;
	const cost = portion(amount, sum(ratesToCome(state, day)));
	const periods = BigInt(rates.length - running);
	for (let index = running; index < rates.length; index++) {
		flatInterest[index] = (flatInterest[index] ?? 0n) + spread(cost, periods, index === rates.length - 1);
	}
	const count = BigInt(open.length);
	for (const [index, installment] of open.entries()) {
		const isLast = index === open.length - 1;
		installment.amount += spread(amount, count, isLast) + spread(cost, count, isLast);
	}
}

/** Interest still to be earned grows with the time it is earned in. All that is owed and not yet due is divided in equal parts. */
function spreadAgain(state: CycleState, before: CycleState, day: number, open: readonly InstallmentState[]): void {
	const { rates, running, flatInterest } = state;
	const [known, coming] = [sum(ratesToCome(before, day)), sum(ratesToCome(state, day))];
	const rest = flatInterest.slice(running).reduce((total, part) => total + part, 0n);
	const share = known.numerator === 0n ? rational(1n) : multiply(coming, rational(known.denominator, known.numerator));
	const cost = portion(rest, share);
	const periods = BigInt(rates.length - running);
	for (let index = running; index < rates.length; index++) flatInterest[index] = spread(cost, periods, index === rates.length - 1);
	const settled = open.reduce((total, part) => total + part.interest - part.fee + principalTakenOff(part), 0n);
	const count = BigInt(open.length);
	for (const [index, installment] of open.entries()) {
		installment.amount = spread(state.notDue + cost + settled, count, index === open.length - 1);
	}
}

type Row = { readonly total: bigint };

/** Equal amounts for all that is owed and not yet due; what is repaid already of an open installment is part of its amount. */
function levelAgain(state: CycleState, day: number, open: readonly InstallmentState[]): void {
	const { rates, running, notDue } = state;
	// An installment whose predecessor is settled ahead takes the interest of that period too.
	const stretches = open.map(({ position }, index) => {
		const from = index === 0 ? running : (open[index - 1]?.position ?? 0);
		return { from, to: position };
	});
	const full = stretches.map(({ from, to }) => rates.slice(from, to).reduce(add));
	const takenOff = open.map(principalTakenOff);
	const ahead = takenOff.reduce((total, part) => total + part, 0n);
	const rest = rateOfRest(state, day);
	const rowsAt = (installment: bigint): readonly Row[] => {
		let balance = notDue;
		return open.map(({ interest: charged, fee }, index) => {
			const { from, to } = stretches[index] ?? { from: 0, to: 0 };
			const coming = index === 0 ? [...rest, ...rates.slice(running + 1, to)] : rates.slice(from, to);
			const interest = coming.reduce((earned, rate) => earned + portion(balance, rate), charged - fee);
			const before = takenOff[index] ?? 0n;
			const wanted = installment - interest - before;
			const affordable = wanted > 0n ? smallest(wanted, balance) : 0n;
			const principal = index === open.length - 1 ? balance : affordable;
			balance -= principal;
			return { total: interest + before + principal };
		});
	};
	const rows = levelRows(equalInstallment(notDue + ahead, full), rowsAt);
	for (const [index, installment] of open.entries()) installment.amount = rows[index]?.total ?? 0n;
}
