// Computes repayments from a balance, its draws and the rates of its periods. Each accrual is rounded half to even on its own;
// the last repayment absorbs the remainder, so that the repaid principal adds up exactly.

import { add, divideHalfEven, leastCommonMultiple, magnitude, portion, type Rational, ZERO } from "../../shared/money";

export type LoanProductType = "REDUCING_BALANCE" | "FLAT";

/** A stretch of time with a constant balance: `draw` is taken at its start, `rate` is the interest rate of the whole stretch. */
export type Segment = { readonly draw: bigint; readonly rate: Rational };

/** A balance and the periods still to come, each divided into segments where a draw changes the balance. */
export type RepaymentPlan = { readonly openingBalance: bigint; readonly periods: readonly (readonly Segment[])[] };

export type RepaymentRow = {
	readonly position: number;
	readonly principal: bigint;
	readonly interest: bigint;
	readonly total: bigint;
	readonly balanceAfter: bigint;
};

function drawsOf(segments: readonly Segment[]): bigint {
	return segments.reduce((drawn, { draw }) => drawn + draw, 0n);
}

function rateOf(segments: readonly Segment[]): Rational {
	const [first, ...others] = segments.map(({ rate }) => rate);
	return first === undefined ? ZERO : others.reduce(add, first);
}

/** The interest over the segments, each rounded on its own, and the balance after their draws. Interest does not compound. */
export function accrue(openingBalance: bigint, segments: readonly Segment[]): { readonly interest: bigint; readonly balance: bigint } {
	let balance = openingBalance;
	let interest = 0n;
	for (const { draw, rate } of segments) {
		balance += draw;
		interest += portion(balance, rate);
	}
	return { interest, balance };
}

/**
 * The installment that repays the principal in equal amounts: P x prod(1 + r_k) / F_n with F_1 = 1 and
 * F_k = 1 + F_(k-1) x (1 + r_k), rounded half to even once, at the end. Returns 0 when there are no rates.
 */
export function equalInstallment(principal: bigint, rates: readonly Rational[]): bigint {
	if (rates.length === 0) return 0n;
	// All fractions share one denominator D, and F_k is scaled / D^(k-1): reducing a fraction at each step would dominate the cost.
	const common = [...new Set(rates.map(({ denominator }) => denominator))].reduce(leastCommonMultiple, 1n);
	let growth = 1n;
	let scaled = 0n;
	let power = 1n;
	for (const [index, rate] of rates.entries()) {
		const factor = common + rate.numerator * (common / rate.denominator);
		growth *= factor;
		if (index > 0) power *= common;
		scaled = power + scaled * factor;
	}
	return divideHalfEven(principal * growth, common * scaled);
}

function rowsAt(installment: bigint, { openingBalance, periods }: RepaymentPlan): RepaymentRow[] {
	let balance = openingBalance;
	return periods.map((segments, index) => {
		const accrued = accrue(balance, segments);
		const affordable = installment > accrued.interest ? installment - accrued.interest : 0n;
		const principal = index === periods.length - 1 || affordable > accrued.balance ? accrued.balance : affordable;
		balance = accrued.balance - principal;
		return { position: index + 1, principal, interest: accrued.interest, total: principal + accrued.interest, balanceAfter: balance };
	});
}

/** By how much the last installment exceeds the one before it. */
function unevenness(rows: readonly { readonly total: bigint }[]): bigint {
	const last = rows.at(-1);
	const previous = rows.at(-2);
	return last && previous ? last.total - previous.total : 0n;
}

/**
 * The rows of an installment, or of a slightly different one with which the last row comes closer to the others. `rowsAt` gives the
 * rows of any installment.
 */
export function levelRows<Row extends { readonly total: bigint }>(
	installment: bigint,
	rowsAt: (installment: bigint) => readonly Row[],
): readonly Row[] {
	const rows = rowsAt(installment);
	const count = BigInt(rows.length);
	const gap = unevenness(rows);
	if (magnitude(gap) <= count / 2n) return rows;
	const smoothed = rowsAt(installment + divideHalfEven(gap, count));
	return magnitude(unevenness(smoothed)) < magnitude(gap) ? smoothed : rows;
}

function equalRows(plan: RepaymentPlan): readonly RepaymentRow[] {
	const [first = []] = plan.periods;
	const installment = equalInstallment(plan.openingBalance + drawsOf(first), plan.periods.map(rateOf));
	return levelRows(installment, (level) => rowsAt(level, plan));
}

function checkPlan({ openingBalance, periods }: RepaymentPlan): void {
	if (openingBalance < 0n) throw new RangeError("a balance must not be negative");
	for (const { draw, rate } of periods.flat()) {
		if (draw < 0n) throw new RangeError("a draw must not be negative");
		if (rate.numerator < 0n) throw new RangeError("a rate must not be negative");
	}
}

/**
 * Equal installments on a reducing balance. From a period with draws on, the installments are recomputed from the balance then
 * owed; those before it stay unchanged.
 */
export function amortise(plan: RepaymentPlan): readonly RepaymentRow[] {
	checkPlan(plan);
	const rows: RepaymentRow[] = [];
	let balance = plan.openingBalance;
	for (let start = 0; start < plan.periods.length; ) {
		const nextDraw = plan.periods.findIndex((segments, index) => index > start && drawsOf(segments) > 0n);
		const end = nextDraw === -1 ? plan.periods.length : nextDraw;
		// A draw in a later period must not influence the installments before it, so it is left out here, with the division of its period.
		const periods = plan.periods.slice(start).map((segments, offset) => {
			return start + offset > start && drawsOf(segments) > 0n ? [{ draw: 0n, rate: rateOf(segments) }] : segments;
		});
		const stretch = equalRows({ openingBalance: balance, periods }).slice(0, end - start);
		rows.push(...stretch.map((row) => ({ ...row, position: row.position + start })));
		balance = stretch.at(-1)?.balanceAfter ?? balance;
		start = end;
	}
	return rows;
}

/** One of `count` equal parts; the last also has the remainder. */
export function spread(amount: bigint, count: bigint, isLast: boolean): bigint {
	const share = amount / count;
	return isLast ? amount - share * (count - 1n) : share;
}

/**
 * Flat interest: charged on the drawn amount, regardless of repayments. The interest of a draw is its amount times the rates from
 * the draw to the end, rounded once. Principal and interest are spread in equal parts from the draw's period on, with the remainder
 * in the last. The opening balance counts as drawn at the start of the first period, so a draw in an open cycle is computed on its
 * own and added to the existing rows.
 */
export function spreadFlat(plan: RepaymentPlan): readonly RepaymentRow[] {
	checkPlan(plan);
	const { openingBalance, periods } = plan;
	const principal = periods.map(() => 0n);
	const interest = periods.map(() => 0n);
	const spreadFrom = (start: number, drawn: bigint, rate: Rational) => {
		const cost = portion(drawn, rate);
		const count = BigInt(periods.length - start);
		for (let index = start; index < periods.length; index++) {
			const isLast = index === periods.length - 1;
			principal[index] = (principal[index] ?? 0n) + spread(drawn, count, isLast);
			interest[index] = (interest[index] ?? 0n) + spread(cost, count, isLast);
		}
	};
	spreadFrom(0, openingBalance, rateOf(periods.flat()));
	periods.forEach((segments, start) => {
		segments.forEach(({ draw }, offset) => {
			if (draw > 0n) spreadFrom(start, draw, rateOf([...segments.slice(offset), ...periods.slice(start + 1).flat()]));
		});
	});
	let balance = openingBalance;
	return periods.map((segments, index) => {
		const row = { principal: principal[index] ?? 0n, interest: interest[index] ?? 0n };
		balance += drawsOf(segments) - row.principal;
		return { position: index + 1, ...row, total: row.principal + row.interest, balanceAfter: balance };
	});
}

/** The repayments of a plan for the product type. */
export function repaymentRows(productType: LoanProductType, plan: RepaymentPlan): readonly RepaymentRow[] {
	switch (productType) {
		case "REDUCING_BALANCE":
			return amortise(plan);
		case "FLAT":
			return spreadFlat(plan);
	}
}
