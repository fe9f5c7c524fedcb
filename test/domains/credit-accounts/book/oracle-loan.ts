// A loan in the oracle: its installments, what they owe, and what a day does to it.

import type { Cycle } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { Fraction } from "./fraction";

export const NIL = new Fraction(0);
const DAY = 86_400_000;
export const least = (a: bigint, b: bigint) => (a < b ? a : b);
export const atLeastNil = (a: bigint) => (a < 0n ? 0n : a);
export const numberOf = (date: string) => Date.parse(date) / DAY;

function later(date: string, count: number, unit: "DAYS" | "WEEKS" | "MONTHS"): string {
	const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
	if (unit !== "MONTHS") return new Date(Date.UTC(year, month - 1, day + count * (unit === "WEEKS" ? 7 : 1))).toISOString().slice(0, 10);
	const lastDay = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
	return new Date(Date.UTC(year, month - 1 + count, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

type Price = Cycle["terms"]["interestRate"];
export type Slice = { start: number; due: number; rate: Fraction };

function rateOver(start: number, due: number, wholeMonths: number | undefined, price: Price, dayCount: string): Fraction {
	const days = new Fraction(due - start);
	const months = wholeMonths === undefined ? undefined : new Fraction(wholeMonths);
	const units = {
		DAYS: days,
		WEEKS: days.over(7),
		MONTHS: months ?? (dayCount === "THIRTY_360" ? days.over(30) : days.times(12n).over(365)),
		YEARS: months?.over(12) ?? days.over(dayCount === "THIRTY_360" ? 360 : 365),
	}[price.periodUnit];
	return units.times(new Fraction(price.basisPoints, 10_000 * price.periodValue));
}

/** Whole periods only: in random books a tenure is a multiple of the installment interval. */
export function slicesOf({ startDate, terms }: Cycle): Slice[] {
	const { tenure, installmentEvery: every, interestRate: price, dayCount } = terms;
	const slices: Slice[] = [];
	for (let k = 1; k * every.duration <= tenure.duration; k++) {
		const start = numberOf(later(startDate, (k - 1) * every.duration, every.unit));
		const due = numberOf(later(startDate, k * every.duration, every.unit));
		slices.push({ start, due, rate: rateOver(start, due, every.unit === "MONTHS" ? every.duration : undefined, price, dayCount) });
	}
	return slices;
}

const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

/** The slices from the running one on, with other ends. A slice as long as the product's interval counts whole months. */
export function movedSlices({ cycle, slices }: Pick<Loan, "cycle" | "slices">, running: number, ends: readonly number[]): Slice[] {
	const { installmentEvery: every, interestRate: price, dayCount } = cycle.terms;
	return ends.map((due, index) => {
		const start = ends[index - 1] ?? slices[running]?.start ?? 0;
		const same = slices.find((slice) => slice.start === start && slice.due === due);
		if (same) return same;
		const isRegular = later(dateOf(start), every.duration, every.unit) === dateOf(due);
		return { start, due, rate: rateOver(start, due, every.unit === "MONTHS" && isRegular ? every.duration : undefined, price, dayCount) };
	});
}

export type Line = {
	cycleId: string;
	position: number;
	due: number;
	fee: bigint;
	interest: bigint;
	penalty: bigint;
	/** The line's share of the principal, known once the line is due. */
	share: bigint;
	level: bigint;
	off: { paid: Record<Part, bigint>; waived: Record<Part, bigint> };
	state: "OPEN" | "DUE" | "AHEAD";
};

export type Part = "principal" | "interest" | "penalty";
export type Loan = {
	cycle: Cycle;
	slices: Slice[];
	lines: Line[];
	pool: bigint;
	stretch: Stretch;
	flat: bigint[];
	drawn: bigint;
	spread: Spread[];
};
/** Consecutive days with the same balance: the exact interest that they earned, and how much of it is charged. */
type Stretch = { from: number; earned: Fraction; charged: bigint };

/** A fee with the days over which `whole` is earned; `left` is not earned yet. */
export type Spread = { readonly line: Line; whole: bigint; left: bigint; passed: number; days: number };

const nils = (): Record<Part, bigint> => ({ principal: 0n, interest: 0n, penalty: 0n });
export const offOf = (line: Line, part: Part) => line.off.paid[part] + line.off.waived[part];
export const lineOf = (cycleId: string, position: number, due: number): Line => ({
	cycleId,
	position,
	due,
	fee: 0n,
	interest: 0n,
	penalty: 0n,
	share: 0n,
	level: 0n,
	off: { paid: nils(), waived: nils() },
	state: "OPEN",
});

export function newLoan(cycle: Cycle, day: number): Loan {
	const slices = slicesOf(cycle);
	const lines = slices.map(({ due }, index) => lineOf(cycle.id, index + 1, due));
	for (const line of lines) if (line.due <= day) line.state = "DUE";
	return {
		cycle,
		slices,
		lines,
		pool: 0n,
		stretch: { from: day, earned: NIL, charged: 0n },
		flat: slices.map(() => 0n),
		drawn: 0n,
		spread: [],
	};
}

export const openLines = (loan: Loan) => loan.lines.filter(({ state }) => state === "OPEN");

const periodOf = (loan: Loan, at: number) => loan.slices.findIndex(({ start, due }) => start < at && at <= due);

/** What each open line would take of the pool today, after the earlier lines have taken theirs. */
export const takes = (loan: Loan): Map<Line, bigint> => {
	let pool = loan.pool;
	const open = openLines(loan);
	return new Map(
		open.map((line, index) => {
			const wish = atLeastNil(line.level - (line.interest - line.fee) - offOf(line, "principal"));
			const part = index === open.length - 1 ? pool : least(wish, pool);
			pool -= part;
			return [line, part] as const;
		}),
	);
};

export const newStretch = (loan: Loan, day: number) => {
	const running = loan.slices.findIndex(({ start, due }) => start <= day && day < due);
	if (loan.cycle.terms.productType === "FLAT" && running >= 0 && loan.slices[running]?.start !== day) {
		loan.flat[running] = (loan.flat[running] ?? 0n) - loan.stretch.charged;
	}
	loan.stretch = { from: day, earned: NIL, charged: 0n };
};

/** Principal of a line is taken before it is due. A line of which nothing is left has no room for more. */
export const takeAhead = (loan: Loan, line: Line, principal: bigint, isWhole: boolean, day: number) => {
	if (principal > 0n) {
		loan.pool -= principal;
		const isFlat = loan.cycle.terms.productType === "FLAT";
		if (!isFlat || loan.pool === 0n) newStretch(loan, day);
		if (isFlat && loan.pool === 0n) loan.flat = loan.flat.map(() => 0n);
	}
	if (!isWhole) return;
	line.state = "AHEAD";
	line.level = line.interest - line.fee + offOf(line, "principal");
};

/** Charges one day of interest, as much of it as is allowed. */
export const earn = (loan: Loan, day: number, allowed: (amount: bigint) => bigint) => {
	const index = periodOf(loan, day);
	const slice = loan.slices[index];
	const open = openLines(loan);
	if (!slice || open.length === 0 || loan.pool === 0n) return;
	const { stretch } = loan;
	stretch.earned = stretch.earned.plus(
		loan.cycle.terms.productType === "FLAT"
			? new Fraction(loan.flat[index] ?? 0n, slice.due - stretch.from)
			: slice.rate.times(loan.pool).over(slice.due - slice.start),
	);
	let due = allowed(stretch.earned.rounded() - stretch.charged);
	stretch.charged = stretch.earned.rounded();
	// A line never outgrows its level by interest: what has no place in it is the next line's, and the last one has no limit.
	for (const line of open) {
		const part = line === open.at(-1) ? due : least(due, atLeastNil(line.level + line.fee - line.interest - offOf(line, "principal")));
		line.interest += part;
		due -= part;
	}
};

export const fallDue = (loan: Loan, day: number) => {
	const line = loan.lines.find(({ due, position }) => due === day && position <= loan.slices.length);
	if (!line) return;
	const part = line.state === "OPEN" ? (takes(loan).get(line) ?? 0n) : 0n;
	line.share = offOf(line, "principal") + part;
	loan.pool -= part;
	line.state = "DUE";
	loan.stretch = { from: day, earned: NIL, charged: 0n };
};

export const owes = (line: Line) => ({
	principal: line.state === "DUE" ? line.share - offOf(line, "principal") : 0n,
	interest: line.interest - offOf(line, "interest"),
	penalty: line.penalty - offOf(line, "penalty"),
});
export const owesInAll = (loan: Loan) => {
	const lines = loan.lines.map(owes);
	const sum = (part: Part) => lines.reduce((total, line) => total + line[part], 0n);
	return { principal: sum("principal") + loan.pool, interest: sum("interest"), penalty: sum("penalty") };
};

/** What a period of a penalty charges on an overdue installment, or on the whole loan. */
export function penaltyOn(loan: Loan, line: Line | undefined): bigint {
	const { calculationBasis, rateBasisPoints } = loan.cycle.terms.penaltyTerms;
	const unpaid = line ? owes(line) : owesInAll(loan);
	const base = {
		PRINCIPAL_AND_ARREARS: unpaid.principal + unpaid.interest,
		PRINCIPAL: unpaid.principal,
		ARREARS: unpaid.interest,
		TOTAL_OUTSTANDING: unpaid.principal + unpaid.interest,
	}[calculationBasis];
	const all = owesInAll(loan);
	const room = atLeastNil(all.principal - all.interest - all.penalty);
	return least(new Fraction(base * BigInt(rateBasisPoints), 10_000).rounded(), room);
}
