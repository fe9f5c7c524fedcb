// Access fees that are earned over a loan's life: in equal parts by the day, from the day of the charge to the last due date as it is then.
// What is unearned is kept as stretches of days, so that every earlier day shows what was unearned at its end.

import { smallest } from "../../../shared/money";

/** What is unearned at the end of the day `from` is earned by the end of the day `until`. */
type Stretch = { readonly from: number; readonly until: number; readonly amount: bigint };
type Taken = { readonly day: number; readonly amount: bigint };

export type DeferredFee = {
	/** Position of the installment that bears it. */
	readonly installment: number;
	/** Each replaces the one before it from its first day on. */
	readonly stretches: readonly Stretch[];
	/** What was taken off it before it was earned: by waivers, and by a write-off. */
	readonly waived: readonly Taken[];
	readonly givenUp: readonly Taken[];
};

/** The fees of a cycle. They are replaced, and never changed: copies of a cycle share them. */
type Bearer = { deferredFees: readonly DeferredFee[] };

/** What is unearned at the end of the day. Shares are rounded down, and the last day takes the rest. */
export function unearnedOf({ stretches }: DeferredFee, day: number): bigint {
	const stretch = stretches.findLast(({ from }) => from <= day);
	if (!stretch || day >= stretch.until) return 0n;
	const { from, until, amount } = stretch;
	return amount - (amount * BigInt(day - from)) / BigInt(until - from);
}

export const takenBy = (taken: readonly Taken[], through: number): bigint =>
	taken.reduce((sum, { day, amount }) => (day <= through ? sum + amount : sum), 0n);

const last = ({ stretches }: DeferredFee): number => stretches.at(-1)?.until ?? 0;

/** From the day on, `amount` is what is left to be earned. */
const goesOn = (fee: DeferredFee, day: number, amount: bigint, until = last(fee)): DeferredFee => ({
	...fee,
	stretches: [...fee.stretches, { from: day, until: amount === 0n ? day : until, amount }],
});

function change(of: Bearer, day: number, to: (fee: DeferredFee, unearned: bigint) => DeferredFee): void {
	if (of.deferredFees.length === 0) return;
	of.deferredFees = of.deferredFees.map((fee) => {
		const unearned = unearnedOf(fee, day);
		return unearned === 0n ? fee : to(fee, unearned);
	});
}

export function deferFee(of: Bearer, installment: number, { from, until, amount }: Stretch): void {
	of.deferredFees = [...of.deferredFees, { installment, stretches: [{ from, until, amount }], waived: [], givenUp: [] }];
}

/** Nothing of the cycle is owed any more: the rest is earned. */
export const earnFees = (of: Bearer, day: number): void => change(of, day, (fee) => goesOn(fee, day, 0n));

/** The claim is given up, and what is unearned of it never becomes income. */
export const giveUpFees = (of: Bearer, day: number): void =>
	change(of, day, (fee, amount) => ({ ...goesOn(fee, day, 0n), givenUp: [...fee.givenUp, { day, amount }] }));

/** So much of the installment's interest is waived: first what is unearned of its fees, the oldest first. */
export function waiveFees(of: Bearer, installment: number, interest: bigint, day: number): void {
	let left = interest;
	change(of, day, (fee, unearned) => {
		const amount = fee.installment === installment ? smallest(left, unearned) : 0n;
		if (amount === 0n) return fee;
		left -= amount;
		return { ...goesOn(fee, day, unearned - amount), waived: [...fee.waived, { day, amount }] };
	});
}

/** The last due date is another: a fee whose life would end before it is earned until then. */
export const extendFees = (of: Bearer, day: number, finalDueDay: number): void =>
	change(of, day, (fee, unearned) => (last(fee) < finalDueDay ? goesOn(fee, day, unearned, finalDueDay) : fee));
