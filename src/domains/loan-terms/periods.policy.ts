// Divides a tenure into installment periods and computes the interest rate of each. A remainder shorter than half a period
// extends the last period instead of becoming an installment of its own.

import { multiply, type Rational, rational, toBigInt } from "../../shared/money";
import { addSpan, type CalendarDate, daysBetween, type Span } from "../../shared/time";

export type RateUnit = "DAYS" | "WEEKS" | "MONTHS" | "YEARS";

/** `basisPoints` of the balance for every `periodValue` units of time. */
export type InterestRate = { readonly basisPoints: number; readonly periodValue: number; readonly periodUnit: RateUnit };

/** How a monthly or yearly rate applies to a period that is not a whole number of months. */
export type DayCount = "THIRTY_360" | "ACTUAL_365";

/** One installment period: interest runs over the days after `startDate` up to and including `dueDate`. */
export type Period = {
	readonly position: number;
	readonly startDate: CalendarDate;
	readonly dueDate: CalendarDate;
	readonly days: number;
	/** Set when the period is a whole number of calendar months. */
	readonly months: number | undefined;
};

// Three years of daily or a century of monthly installments: a product with more is misconfigured.
export const MAX_INSTALLMENTS = 1_200;

const DAYS_IN_UNIT = { DAYS: 1, WEEKS: 7, MONTHS: 30 } as const;

/** The tenure in days, with 30 days a month. Used to choose a rate or an installment interval, never to compute dates. */
export function tenureInDays({ duration, unit }: Span): number {
	return duration * DAYS_IN_UNIT[unit];
}

/** The installment interval of a product without its own: one installment up to 31 days, otherwise weekly, every 30 days or monthly. */
export function defaultInstallmentEvery(tenure: Span): Span {
	if (tenureInDays(tenure) <= 31) return tenure;
	return tenure.unit === "DAYS" ? { duration: 30, unit: "DAYS" } : { duration: 1, unit: tenure.unit };
}

function times({ duration, unit }: Span, count: number): Span {
	return { duration: duration * count, unit };
}

function isPositiveSpan({ duration }: Span): boolean {
	return Number.isSafeInteger(duration) && duration > 0;
}

type Boundary = { readonly date: CalendarDate; readonly months: number | undefined };

function boundaryAfter(startDate: CalendarDate, span: Span): Boundary {
	return { date: addSpan(startDate, span), months: span.unit === "MONTHS" ? span.duration : undefined };
}

function leavesOwnPeriod(tenure: Span, every: Span, startDate: CalendarDate, count: number): boolean {
	// Both in months: compared as months, because in days the result would depend on the season.
	if (tenure.unit === "MONTHS" && every.unit === "MONTHS") return (tenure.duration - count * every.duration) * 2 >= every.duration;
	const last = addSpan(startDate, times(every, count));
	const next = addSpan(startDate, times(every, count + 1));
	return daysBetween(last, addSpan(startDate, tenure)) * 2 >= daysBetween(last, next);
}

/**
 * The installment periods of a tenure, dated from the anchor `startDate`; always at least one. Throws RangeError for durations
 * that are not positive integers and for more than MAX_INSTALLMENTS periods.
 */
export function periodsOf(tenure: Span, installmentEvery: Span | undefined, startDate: CalendarDate): readonly Period[] {
	const every = installmentEvery ?? defaultInstallmentEvery(tenure);
	if (!isPositiveSpan(tenure) || !isPositiveSpan(every)) throw new RangeError("a duration must be a positive integer");
	const end = boundaryAfter(startDate, tenure);
	const boundaries: Boundary[] = [];
	for (
		let next = boundaryAfter(startDate, every);
		next.date <= end.date;
		next = boundaryAfter(startDate, times(every, boundaries.length + 1))
	) {
		boundaries.push(next);
		if (boundaries.length > MAX_INSTALLMENTS) throw new RangeError(`a tenure must have at most ${MAX_INSTALLMENTS} installments`);
	}
	const last = boundaries.at(-1);
	if (last === undefined) boundaries.push(end);
	else if (last.date < end.date) {
		if (!leavesOwnPeriod(tenure, every, startDate, boundaries.length)) boundaries.pop();
		boundaries.push(end);
	}
	let previous: Boundary = { date: startDate, months: 0 };
	return boundaries.map((boundary, index) => {
		const period: Period = {
			position: index + 1,
			startDate: previous.date,
			dueDate: boundary.date,
			days: daysBetween(previous.date, boundary.date),
			months: boundary.months === undefined || previous.months === undefined ? undefined : boundary.months - previous.months,
		};
		previous = boundary;
		return period;
	});
}

/**
 * The periods from the running one on, with other due dates. A period that was there before, at any place, stays as it is; a period with
 * the product's own interval counts as whole months where that is counted in months, any other one by its days.
 */
export function movedPeriods(
	periods: readonly Period[],
	running: number,
	dueDates: readonly CalendarDate[],
	every: Span,
): readonly Period[] {
	return dueDates.map((dueDate, index) => {
		const startDate = dueDates[index - 1] ?? periods[running]?.startDate ?? dueDate;
		const isWhole = every.unit === "MONTHS" && addSpan(startDate, every) === dueDate;
		const known = periods.find((period) => period.startDate === startDate && period.dueDate === dueDate);
		const months = known ? known.months : isWhole ? every.duration : undefined;
		return { position: running + index + 1, startDate, dueDate, days: daysBetween(startDate, dueDate), months };
	});
}

function calendarUnits(rate: InterestRate, { days, months }: Pick<Period, "days" | "months">, dayCount: DayCount): Rational {
	switch (rate.periodUnit) {
		case "DAYS":
			return rational(toBigInt(days));
		case "WEEKS":
			return rational(toBigInt(days), 7n);
		case "MONTHS":
			if (months !== undefined) return rational(toBigInt(months));
			return dayCount === "THIRTY_360" ? rational(toBigInt(days), 30n) : rational(toBigInt(days) * 12n, 365n);
		case "YEARS":
			if (months !== undefined) return rational(toBigInt(months), 12n);
			return rational(toBigInt(days), dayCount === "THIRTY_360" ? 360n : 365n);
	}
}

/** The interest rate of one period, as an exact fraction of the balance. */
export function rateForPeriod(rate: InterestRate, period: Pick<Period, "days" | "months">, dayCount: DayCount): Rational {
	if (rate.periodValue <= 0) throw new RangeError("the period of a rate must be positive");
	const perUnit = rational(toBigInt(rate.basisPoints), 10_000n * toBigInt(rate.periodValue));
	return multiply(perUnit, calendarUnits(rate, period, dayCount));
}

/** The share of a period's rate for some of its days, pro rata. */
export function rateForDays(periodRate: Rational, days: number, periodDays: number): Rational {
	return multiply(periodRate, rational(toBigInt(days), toBigInt(periodDays)));
}
