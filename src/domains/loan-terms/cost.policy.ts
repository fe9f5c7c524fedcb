// What a loan costs a borrower who pays each installment on its day: the fee, everything beyond the principal, and the annual percentage
// rate of charge, as Directive 2008/48/EC, Annex I, defines it, with every interval in days and a year of 365.

import { toBigInt, toNumber } from "../../shared/money";
import { type CalendarDate, daysBetween } from "../../shared/time";
import type { Installment, Schedule } from "./schedule.policy";

export type Cost = {
	/** The day on which the principal is paid out. */
	readonly startDate: CalendarDate;
	/** Part of the total. */
	readonly fee: number;
	readonly total: number;
	/** null above the limit. */
	readonly aprBasisPoints: number | null;
};

/** Further facts say nothing: 21 million per cent. It fits into 32 bits. */
export const MAX_APR_BASIS_POINTS = 2 ** 31 - 1;
const DAYS_IN_YEAR = 365;
/** Discount factors are fixed-point numbers with so many binary places. */
const PLACES = 128n;
const ONE = 1n << PLACES;
/** More than the totals of any schedule need: each of the first steps divides what is discounted by e, the others double the places. */
const MAX_STEPS = 100;

function power(base: bigint, exponent: number): bigint {
	let result = ONE;
	let square = base;
	for (let rest = exponent; rest > 0; rest >>= 1) {
		if (rest & 1) result = (result * square) >> PLACES;
		square = (square * square) >> PLACES;
	}
	return result;
}

type Payment = { readonly days: number; readonly amount: bigint };

/** What the payments are worth at the start, and the same with each payment times its days, at a discount factor for a day. */
function worth(payments: readonly Payment[], daily: bigint): { value: bigint; weighted: bigint } {
	const known = new Map<number, bigint>();
	let discount = ONE;
	let day = 0;
	let value = 0n;
	let weighted = 0n;
	for (const { days, amount } of payments) {
		const gap = days - day;
		const factor = known.get(gap) ?? power(daily, gap);
		known.set(gap, factor);
		discount = (discount * factor) >> PLACES;
		day = days;
		value += amount * discount;
		weighted += amount * discount * BigInt(days);
	}
	return { value, weighted };
}

/**
 * The discount factor for a day at which the payments are worth the principal. What they are worth is a polynomial with positive
 * coefficients, so that Newton's steps from 1, where they are worth at least the principal, never pass its only root.
 */
function dailyFactor(principal: bigint, payments: readonly Payment[]): bigint {
	const target = principal << PLACES;
	let daily = ONE;
	for (let step = 0; step < MAX_STEPS; step++) {
		const { value, weighted } = worth(payments, daily);
		if (value <= target || weighted === 0n) break;
		const next = daily - ((value - target) * daily) / weighted;
		if (next === daily) break;
		daily = next;
	}
	return daily;
}

/** The annual percentage rate of charge in basis points, half a point up; null above the limit. */
export function annualPercentageRate(
	principal: number,
	installments: readonly Pick<Installment<number>, "dueDate" | "total">[],
	startDate: CalendarDate,
): number | null {
	const payments = installments.map(({ dueDate, total }) => ({ days: daysBetween(startDate, dueDate), amount: toBigInt(total) }));
	const yearly = power(dailyFactor(toBigInt(principal), payments), DAYS_IN_YEAR);
	if (yearly === 0n) return null;
	const rate = ((ONE - yearly) * 20_000n + yearly) / (yearly * 2n);
	return rate > MAX_APR_BASIS_POINTS ? null : toNumber(rate);
}

export function costOf({ installments, fee, totalPrincipal, totalInterest }: Schedule<number>, startDate: CalendarDate): Cost {
	return { startDate, fee, total: totalInterest, aprBasisPoints: annualPercentageRate(totalPrincipal, installments, startDate) };
}
