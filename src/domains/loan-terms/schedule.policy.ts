// Computes the schedule of a loan from its terms: dated installments and totals. The fee is added to the interest of the first
// installment, after the equal installments are computed.

import { basisPoints, isSafe, portion, type Rational, toBigInt, toNumber } from "../../shared/money";
import { type CalendarDate, daysBetween, type Span } from "../../shared/time";
import { type LoanProductType, repaymentRows, type Segment } from "./amortisation.policy";
import { type DayCount, type InterestRate, type Period, periodsOf, rateForDays, rateForPeriod } from "./periods.policy";

/** When an access fee is income: as it is charged, or in equal parts by the day until the last due date. */
export type FeeRecognition = "AT_ONCE" | "OVER_LIFE";

export type Draw = { readonly date: CalendarDate; readonly amount: bigint };

export type LoanTerms = {
	readonly principal: number;
	readonly tenure: Span;
	/** Without it, defaultInstallmentEvery decides. */
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
	/** In the first installment, includes the fee. */
	readonly interest: Amount;
	readonly total: Amount;
};

export type Schedule<Amount = bigint> = {
	readonly installments: readonly Installment<Amount>[];
	readonly fee: Amount;
	readonly totalPrincipal: Amount;
	/** Includes the fee. */
	readonly totalInterest: Amount;
	readonly totalDue: Amount;
};

/**
 * Divides the periods at the dates of the draws. A draw on a due date belongs to the period that begins that day. Throws RangeError
 * for a draw before the first period, or on or after the last due date.
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
		throw new RangeError("a draw must lie within the periods, before the last due date");
	}
	// A long loan has few different periods, and exact fractions are slow to compute.
	const known = new Map<string, Rational>();
	const periodRateOf = ({ days, months }: Period): Rational => {
		const kind = `${days} ${months}`;
		const rate = known.get(kind) ?? rateForPeriod(interestRate, { days, months }, dayCount);
		known.set(kind, rate);
		return rate;
	};
	return periods.map((period) => {
		const drawnByDate = new Map<CalendarDate, bigint>([[period.startDate, 0n]]);
		for (const { date, amount } of draws) {
			if (period.startDate <= date && date < period.dueDate) drawnByDate.set(date, (drawnByDate.get(date) ?? 0n) + amount);
		}
		const dates = [...drawnByDate.keys()].sort();
		const periodRate = periodRateOf(period);
		if (dates.length === 1) return [{ draw: drawnByDate.get(period.startDate) ?? 0n, rate: periodRate }];
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
 * The schedule of a loan whose principal is drawn in full on its start date. Amounts are exact bigints; totals may exceed the safe
 * integers, see toSafeSchedule. Throws RangeError for a principal that is not a positive safe integer.
 */
export const scheduleFor = (terms: LoanTerms): Schedule => schedulesFor(terms)(terms.interestRate);

/** The schedules of one loan at different rates, to compare them. Its periods are the same at each, and are dated once. */
export function schedulesFor(terms: Omit<LoanTerms, "interestRate">): (interestRate: InterestRate) => Schedule {
	const principal = toBigInt(terms.principal);
	if (principal <= 0n) throw new RangeError("a principal must be positive");
	const periods = periodsOf(terms.tenure, terms.installmentEvery, terms.startDate);
	const draws = [{ date: terms.startDate, amount: principal }];
	const fee = feeOn(principal, terms.feeBasisPoints);
	return (interestRate) => {
		const plan = { openingBalance: 0n, periods: segmentsOf(periods, interestRate, terms.dayCount, draws) };
		const rows = repaymentRows(terms.productType, plan);
		const installments = periods.map((period, index) => {
			const interest = (rows[index]?.interest ?? 0n) + (index === 0 ? fee : 0n);
			const repaid = rows[index]?.principal ?? 0n;
			return { position: period.position, dueDate: period.dueDate, principal: repaid, interest, total: repaid + interest };
		});
		const totalInterest = installments.reduce((total, { interest }) => total + interest, 0n);
		return { installments, fee, totalPrincipal: principal, totalInterest, totalDue: principal + totalInterest };
	};
}

/** The schedule in numbers, or undefined when an amount exceeds 2^53-1. */
export function toSafeSchedule(schedule: Schedule): Schedule<number> | undefined {
	// The total due is the largest amount in a schedule, because none is negative.
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
