// The schedule of a loan in a product's terms: its installments with dates, and what it costs in all. The fee is counted as interest
// of the first installment and takes no part in making the installments equal.

import { basisPoints, isSafe, portion, toBigInt, toNumber } from "../../shared/money";
import { type CalendarDate, daysBetween, type Span } from "../../shared/time";
import { type LoanProductType, repaymentRows, type Segment } from "./amortisation.policy";
import { type DayCount, type InterestRate, type Period, periodsOf, rateForDays, rateForPeriod } from "./periods.policy";

export type Draw = { readonly date: CalendarDate; readonly amount: bigint };

export type LoanTerms = {
	readonly principal: number;
	readonly tenure: Span;
	/** Left out: defaultInstallmentEvery decides. */
	readonly installmentEvery?: Span | undefined;
	readonly interestRate: InterestRate;
	readonly productType: LoanProductType;
	readonly dayCount: DayCount;
	readonly feeBasisPoints: number;
	readonly startDate: CalendarDate;
};

export type Installment<Amount = bigint> = {
	readonly position: number;
	readonly dueDate: CalendarDate;
	readonly principal: Amount;
	/** Of the first installment the fee is a part. */
	readonly interest: Amount;
	readonly total: Amount;
};

export type Schedule<Amount = bigint> = {
	readonly installments: readonly Installment<Amount>[];
	readonly fee: Amount;
	readonly totalPrincipal: Amount;
	/** With the fee. */
	readonly totalInterest: Amount;
	readonly totalDue: Amount;
};

/**
 * The periods divided where money is drawn. A draw on a due date belongs to the period that begins that day; throws RangeError for
 * one before the first period or not before the last due date.
 */
export function segmentsOf(
	periods: readonly Period[],
	interestRate: InterestRate,
	dayCount: DayCount,
	draws: readonly Draw[],
): readonly (readonly Segment[])[] {
	const first = periods.at(0);
	const last = periods.at(-1);
	if (first && last && draws.some(({ date }) => date < first.startDate || date >= last.dueDate)) {
		throw new RangeError("a draw lies within the periods, before the last due date");
	}
	return periods.map((period) => {
		const drawnByDate = new Map<CalendarDate, bigint>([[period.startDate, 0n]]);
		for (const { date, amount } of draws) {
			if (period.startDate <= date && date < period.dueDate) drawnByDate.set(date, (drawnByDate.get(date) ?? 0n) + amount);
		}
		const dates = [...drawnByDate.keys()].sort();
		const periodRate = rateForPeriod(interestRate, period, dayCount);
		return dates.map((date, index) => ({
			draw: drawnByDate.get(date) ?? 0n,
			rate: rateForDays(periodRate, daysBetween(date, dates[index + 1] ?? period.dueDate), period.days),
		}));
	});
}

/** The access fee on a draw, rounded half to even. */
export function feeOn(drawn: bigint, feeBasisPoints: number): bigint {
	return portion(drawn, basisPoints(feeBasisPoints));
}

/**
 * The installments of a loan drawn whole on its start date. Exact whatever the size of the principal: totals may lie beyond the safe
 * integers, see toSafeSchedule. Throws RangeError for a principal that is not a positive safe integer.
 */
export function scheduleFor(terms: LoanTerms): Schedule {
	const principal = toBigInt(terms.principal);
	if (principal <= 0n) throw new RangeError("a principal is positive");
	const periods = periodsOf(terms.tenure, terms.installmentEvery, terms.startDate);
	const draws = [{ date: terms.startDate, amount: principal }];
	const plan = { openingBalance: 0n, periods: segmentsOf(periods, terms.interestRate, terms.dayCount, draws) };
	const rows = repaymentRows(terms.productType, plan);
	const fee = feeOn(principal, terms.feeBasisPoints);
	const installments = periods.map((period, index) => {
		const interest = (rows[index]?.interest ?? 0n) + (index === 0 ? fee : 0n);
		const repaid = rows[index]?.principal ?? 0n;
		return { position: period.position, dueDate: period.dueDate, principal: repaid, interest, total: repaid + interest };
	});
	const totalInterest = installments.reduce((total, { interest }) => total + interest, 0n);
	return { installments, fee, totalPrincipal: principal, totalInterest, totalDue: principal + totalInterest };
}

/** The schedule in numbers, or undefined when a figure of it lies beyond 2^53-1. */
export function toSafeSchedule(schedule: Schedule): Schedule<number> | undefined {
	// The total due is the largest figure of a schedule: nothing in it is negative.
	if (!isSafe(schedule.totalDue)) return undefined;
	return {
		installments: schedule.installments.map((row) => ({
			position: row.position,
			dueDate: row.dueDate,
			principal: toNumber(row.principal),
			interest: toNumber(row.interest),
			total: toNumber(row.total),
		})),
		fee: toNumber(schedule.fee),
		totalPrincipal: toNumber(schedule.totalPrincipal),
		totalInterest: toNumber(schedule.totalInterest),
		totalDue: toNumber(schedule.totalDue),
	};
}
