// Closes a portion of a portfolio's accounts: how each stands at the end of each day, and what that adds to the figures of the days.

import type { Write } from "../../db/database";
import { raiseAll } from "../../events/raise";
import type { JobServices } from "../../runtime/services";
import { smallest, toNumber } from "../../shared/money";
import { addDays, type CalendarDate, startOfDay } from "../../shared/time";
import type { Book, Cycle, Fact } from "../credit-accounts/book/facts.policy";
import { balancesBy, LINES } from "../credit-accounts/book/lines.policy";
import type { CreditCycleRow } from "../credit-accounts/table";
import { type Closed, closeDays, isPastDue, PAST_DUE_OVER } from "./close.policy";
import { type ClosedPosition, type FactRow, movePortfolio, recordDays, recordPositions } from "./close.store";
import { portfolioClosed } from "./events";
import { closableFrom } from "./model/days.policy";
import {
	daysPastDue,
	emptyDay,
	type RulesVersion,
	rulesOn,
	type StagedDay,
	type Staging,
	stagingOn,
	withAccount,
} from "./model/stages.policy";
import { type LoanPositionRow, NO_ORGANIZATION, type PortfolioDayRow, type PortfolioRow } from "./model/table";
import { BALANCES, type Balances, sumOfBalances } from "./stand.policy";

export type Portion = {
	readonly positions: readonly LoanPositionRow[];
	readonly facts: readonly FactRow[];
	readonly cycles: readonly CreditCycleRow[];
	/** Of the days from the last closed one on. */
	readonly figures: readonly PortfolioDayRow[];
	/** The versions of the rules of stages that count on one of the days. */
	readonly rules: readonly RulesVersion[];
};

/** Which days are closed, of how many accounts at a time. */
export type Extent = { readonly days: readonly CalendarDate[]; readonly size: number };

export type PlannedPortion = {
	readonly writes: readonly Write[];
	/** Why the days cannot be closed. */
	readonly fault: string | null;
};

/** The writes that close a portion; with the last one the days are closed, unless they do not agree with the accounts. */
export function planPortion(services: JobServices, portfolio: PortfolioRow, { days, size }: Extent, found: Portion): PlannedPortion {
	const { positions, facts, cycles, figures, rules } = found;
	const { orm } = services.db;
	const ends = days.map((day) => startOfDay(addDays(day, 1), portfolio.timeZone));
	const rows = figuresSoFar(portfolio, days, figures, rules);
	const closed = positions.map((seen) => {
		const { book, postedAt } = bookOf(seen, facts, cycles);
		const positionAt = (end: number) =>
			book.facts.reduce((last, { id, position }) => ((postedAt.get(id) ?? 0) < end ? Math.max(last, position) : last), 0);
		const dated = days.map((day, index) => ({
			day,
			position: Math.max(positionAt(ends[index] ?? 0), day < seen.asOf ? 0 : seen.position),
		}));
		const closes = closeDays(book, seen, dated);
		for (const [index, close] of closes.entries()) addTo(rows[index], seen, close);
		const staging = addStages(rows, seen, closes, portfolio, rules);
		return standing({ ...seen, staging }, closes);
	});
	const isLast = positions.length < size;
	const fault = isLast ? faultOf(rows) : null;
	const next = addDays(days.at(-1) ?? portfolio.closedThrough, 1);
	const { organizationId, loanProductId, timeZone } = portfolio;
	const moved = fault
		? { closing: days.at(-1) ?? null, cursor: null, fault, faultedAt: services.now, nextCloseAt: null }
		: isLast
			? { closedThrough: addDays(next, -1), closing: null, cursor: null, nextCloseAt: closableFrom(next, timeZone) }
			: { closing: days.at(-1) ?? null, cursor: positions.at(-1)?.accountId ?? null };
	const told = isLast && !fault && organizationId !== NO_ORGANIZATION;
	return {
		fault,
		writes: [
			movePortfolio(orm, portfolio, moved),
			...recordPositions(closed),
			recordDays(rows),
			...(told
				? [
						raiseAll(services, portfolioClosed, {
							organizationId,
							events: days.map((day) => ({ entityId: `${loanProductId}:${day}`, data: { loan_product_id: loanProductId, day } })),
						}),
					]
				: []),
		],
	};
}

type Figures = { -readonly [Name in keyof Omit<PortfolioDayRow, "stages">]: PortfolioDayRow[Name] } & { stages: StagedDay | null };

const ZEROS = Object.fromEntries([...BALANCES, ...LINES].map((name) => [name, 0])) as Record<
	(typeof BALANCES)[number] | (typeof LINES)[number],
	number
>;
/** What is counted from zero with every walk through the accounts. */
const COUNTS = {
	...{ accounts: 0, walked: 0, accountsOver0: 0, principalOver0: 0, accountsOver30: 0, principalOver30: 0 },
	...{ accountsOver60: 0, principalOver60: 0, accountsOver90: 0, principalOver90: 0 },
};

/** The figures of the days so far: at first those of the last closed day, and nothing counted. */
function figuresSoFar(
	portfolio: PortfolioRow,
	days: readonly CalendarDate[],
	known: readonly PortfolioDayRow[],
	rules: readonly RulesVersion[],
): Figures[] {
	const { organizationId, loanProductId, closedThrough, cursor } = portfolio;
	const last = known.find(({ day }) => day === closedThrough);
	return days.map((day) => {
		const begun = known.find((row) => row.day === day) ?? last;
		// A walk that began before there were stages ends without them.
		const stages = cursor !== null && begun ? begun.stages : emptyDay(rulesOn(rules, loanProductId, day));
		return { ...ZEROS, ...COUNTS, ...begun, ...(cursor === null && COUNTS), organizationId, loanProductId, day, stages };
	});
}

function bookOf({ accountId }: LoanPositionRow, facts: readonly FactRow[], cycles: readonly CreditCycleRow[]) {
	const own = facts.filter((fact) => fact.accountId === accountId);
	const ownCycles = cycles.filter((cycle) => cycle.accountId === accountId).sort((a, b) => a.number - b.number);
	const terms = ownCycles[0]?.terms;
	const book: Book = {
		facts: own.map(
			({ id, position, kind, valueDate, amount, cycleId, installment, reversesId, dueDates, validUntil }): Fact => ({
				...{ id, position, kind, valueDate, amount, cycleId, installment, reversesId },
				...(dueDates !== null && { dueDates: JSON.parse(dueDates) as CalendarDate[] }),
				...(validUntil !== null && { validUntil }),
			}),
		),
		cycles: ownCycles.map(
			({ id, number, startDate, rolledFromId, terms: frozen }): Cycle => ({ id, number, startDate, rolledFromId, terms: frozen }),
		),
		// The same in all cycles of a product.
		allocation: terms?.allocation,
		inDuplum: terms?.inDuplum,
	};
	return { book, postedAt: new Map(own.map(({ id, postedAt }) => [id, postedAt])) };
}

/** Adds the account to the figures of a day: what changed since it was closed last, and how it stands. */
function addTo(figures: Figures | undefined, seen: LoanPositionRow, { day, stand, lines }: Closed): void {
	if (!figures) return;
	for (const line of LINES) figures[line] += toNumber(lines[line]);
	if (day > seen.asOf) for (const name of BALANCES) figures[name] += toNumber(stand.balances[name]) - seen[name];
	const sum = toNumber(sumOfBalances(stand.balances));
	figures.walked += sum + toNumber(stand.unearnedFees);
	if (sum > 0) figures.accounts++;
	for (const over of PAST_DUE_OVER) {
		if (!isPastDue(stand.oldestDue, day, over)) continue;
		figures[`accountsOver${over}`]++;
		figures[`principalOver${over}`] += toNumber(stand.balances.principal);
	}
}

/** Without what is overpaid. */
const exposureOf = (balances: Readonly<Record<keyof Balances, bigint | number>>): bigint => sumOfBalances({ ...balances, overpaid: 0 });

/** Adds the account to the stages of the days, which a second walk counts again from where the first began. */
function addStages(
	figures: Figures[],
	seen: LoanPositionRow,
	closes: readonly Closed[],
	{ loanProductId, closedThrough }: PortfolioRow,
	rules: readonly RulesVersion[],
): [Staging | null, Staging] | null {
	const begin = (seen.asOf > closedThrough ? seen.staging?.[0] : seen.staging?.[1]) ?? null;
	let before = begin;
	for (const [index, { day, stand }] of closes.entries()) {
		const row = figures[index];
		if (!row || day < seen.since) continue;
		const { balances, oldestDue, unearnedFees } = stand;
		const standing = { exposure: exposureOf(balances), oldestDue };
		const after = stagingOn(before, standing, day, rulesOn(rules, loanProductId, day));
		// A fee that is unearned is no income that could be suspended. Payments do not separate it from interest, so it counts as paid last.
		const unpaid = balances.interest + balances.arrears;
		const interest = toNumber(unpaid - smallest(unpaid, unearnedFees) + balances.penalty);
		const counted = { exposure: toNumber(standing.exposure), interest, daysPastDue: daysPastDue(standing, day) };
		if (row.stages) row.stages = withAccount(row.stages, day, before, after, counted);
		before = after;
	}
	return before ? [begin, before] : null;
}

/** The account after the last of the days; a walk that is made again has closed it before. */
function standing(seen: LoanPositionRow, closes: readonly Closed[]): ClosedPosition {
	const fresh = closes.filter(({ day }) => day > seen.asOf);
	const last = fresh.at(-1);
	if (!last) return { row: { ...seen, closedOn: seen.closedOn ?? seen.asOf }, moves: false, ends: sumOfBalances(seen) === 0n };
	const { stand, position, bookFrom, day } = last;
	const row: LoanPositionRow = {
		...seen,
		...(Object.fromEntries(BALANCES.map((name) => [name, toNumber(stand.balances[name])])) as Record<(typeof BALANCES)[number], number>),
		asOf: day,
		position,
		bookFrom,
		overdue: toNumber(stand.overdue),
		oldestDue: stand.oldestDue,
		changedOn: lastOf(fresh, hasLines)?.day ?? seen.changedOn,
		closedOn: lastOf(fresh, mayEnd)?.day ?? day,
	};
	return { row, moves: row.oldestDue !== seen.oldestDue, ends: sumOfBalances(row) === 0n };
}

/** The last day of which this is true, with the day before it. */
const lastOf = (closes: readonly Closed[], isTrue: (close: Closed, before: Closed | undefined) => boolean): Closed | undefined =>
	closes.findLast((close, index) => isTrue(close, closes[index - 1]));

const hasLines = ({ lines }: Closed, before: Closed | undefined): boolean =>
	LINES.some((line) => lines[line] !== (before?.lines[line] ?? 0n));

/** Nothing is left of an account only on a day on which something was posted, or behind one on which something was left. */
const mayEnd = ({ position }: Closed, before: Closed | undefined): boolean =>
	position !== before?.position || sumOfBalances(before.stand.balances) !== 0n;

/** What does not agree, in words that name the day and the sums. */
function faultOf(rows: readonly PortfolioDayRow[]): string | null {
	for (const row of rows) {
		const { day, walked } = row;
		const sum = sumOfBalances(row) + BigInt(row.feesUnearned);
		if (sum !== BigInt(walked)) return `On ${day} the open accounts add up to ${walked}, and the days' changes to ${sum}`;
		const lines = Object.fromEntries(LINES.map((line) => [line, BigInt(row[line])])) as Record<(typeof LINES)[number], bigint>;
		const { principal, interest, penalty, refundUncovered, overpaid } = balancesBy(lines);
		const agrees =
			principal === BigInt(row.principal) &&
			interest === BigInt(row.interest + row.arrears) &&
			penalty === BigInt(row.penalty) &&
			refundUncovered === BigInt(row.refundUncovered) &&
			overpaid === BigInt(row.overpaid);
		if (!agrees) return `On ${day} the lines do not add up to the balances`;
		const staged = row.stages?.stages.reduce((total, { exposure }) => total + BigInt(exposure), 0n);
		if (staged !== undefined && staged !== exposureOf(row)) return `On ${day} the stages add up to ${staged}, not to ${exposureOf(row)}`;
	}
	return null;
}
