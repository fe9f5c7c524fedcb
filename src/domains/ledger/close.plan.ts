// Plans how days of a ledger are closed: the DAY entry of each product, with the interest and penalties that no posting makes, at the end
// of a month its PROVISION entry, and the balances of each day. The portfolios have closed these days before, so a DAY entry is what the portfolio's day has and the postings lack.

import { addDays, type CalendarDate, startOfDay } from "../../shared/time";
import { LINES, type Line, noLines } from "../credit-accounts/book/lines.policy";
import { journalLinesOf } from "../credit-accounts/postings/journal.plan";
import { isLastOfMonth } from "../portfolio/model/stages.policy";
import type { PortfolioDayRow } from "../portfolio/model/table";
import type { DaySum, Found } from "./close.store";
import { CHART } from "./model/chart.policy";
import { entryId } from "./model/store";
import { type JournalEntryRow, type JournalLine, type LedgerDayRow, NO_PRODUCT } from "./model/table";
import { provisionLinesOf } from "./provisions.plan";

type Sums = Map<string, number>;

const addAll = (to: Sums, lines: Iterable<JournalLine>, sign = 1): Sums => {
	for (const [account, amount] of lines) to.set(account, (to.get(account) ?? 0) + sign * amount);
	return to;
};

const linesOf = (sums: Sums): JournalLine[] =>
	[...sums].filter(([, amount]) => amount !== 0).sort(([one], [other]) => (one < other ? -1 : 1));

/** The portfolio's totals since it began, as lines of the journal. */
function linesSinceBegin(row: PortfolioDayRow | undefined): JournalLine[] {
	const lines = row ? (Object.fromEntries(LINES.map((line) => [line, BigInt(row[line])])) as Record<Line, bigint>) : noLines();
	return journalLinesOf(lines);
}

/** The portfolio's balances, as the opening entry of a journal that begins after the portfolio. */
function openingOf({ principal, interest, arrears, penalty, refundUncovered, overpaid, feesUnearned }: PortfolioDayRow): JournalLine[] {
	const lines: JournalLine[] = [
		[CHART.principal.number, principal],
		[CHART.interest.number, interest + arrears],
		[CHART.penalties.number, penalty],
		[CHART.refundsReceivable.number, refundUncovered],
		[CHART.borrowersCredit.number, -overpaid],
		[CHART.unearnedFees.number, -feesUnearned],
	];
	const sum = lines.reduce((total, [, amount]) => total + amount, 0);
	return [...lines, [CHART.opening.number, -sum] as const].filter(([, amount]) => amount !== 0);
}

export type ClosedDays = { readonly entries: readonly JournalEntryRow[]; readonly days: readonly LedgerDayRow[] };

/** `days` ascend, and the first follows the last closed day. */
export function planDays(organizationId: string, days: readonly CalendarDate[], found: Found, now: number): ClosedDays {
	const keyOf = (loanProductId: string, currency: string) => `${currency} ${loanProductId}`;
	const balances = new Map<string, { loanProductId: string; currency: string; sums: Sums }>();
	const sumsOf = (loanProductId: string, currency: string): Sums => {
		const key = keyOf(loanProductId, currency);
		const balance = balances.get(key) ?? { loanProductId, currency, sums: new Map() };
		balances.set(key, balance);
		return balance.sums;
	};
	for (const row of found.before) addAll(sumsOf(row.loanProductId, row.currency), Object.entries(row.balances));
	const hadBalances = new Set(found.before.map(({ loanProductId, currency }) => keyOf(loanProductId, currency)));
	const figures = new Map(found.figures.map(({ figures: row }) => [`${row.day} ${row.loanProductId}`, row]));
	const entries: JournalEntryRow[] = [];
	const rows: LedgerDayRow[] = [];
	for (const day of days) {
		const ofDay = found.sums.filter((sum) => sum.day === day);
		for (const { loanProductId, currency, account, amount } of ofDay) addAll(sumsOf(loanProductId, currency), [[account, amount]]);
		for (const { loanProductId, currency, timeZone } of found.portfolios) {
			const [earlier, today] = [figures.get(`${addDays(day, -1)} ${loanProductId}`), figures.get(`${day} ${loanProductId}`)];
			const entry = {
				organizationId,
				day,
				sourceId: loanProductId,
				accountId: null,
				loanProductId,
				currency,
				valueDate: day,
				correctsId: null,
			};
			const bookedAt = Math.min(now, startOfDay(addDays(day, 1), timeZone));
			const make = (source: "DAY" | "OPENING" | "PROVISION", lines: readonly JournalLine[]) => {
				if (lines.length === 0) return;
				const id = entryId(source === "DAY" ? loanProductId : `${loanProductId}:${source.toLowerCase()}`, day);
				entries.push({ ...entry, id, source, lines, bookedAt });
				addAll(sumsOf(loanProductId, currency), lines);
			};
			if (earlier && day === days[0] && !hadBalances.has(keyOf(loanProductId, currency))) make("OPENING", openingOf(earlier));
			make(
				"DAY",
				whatTimeBrings(
					earlier,
					today,
					ofDay.filter((sum) => sum.loanProductId === loanProductId),
				),
			);
			if (isLastOfMonth(day)) make("PROVISION", provisionLinesOf(today?.stages ?? null, sumsOf(loanProductId, currency)));
		}
		for (const { loanProductId, currency, sums } of balances.values()) {
			if (loanProductId === NO_PRODUCT || sums.size > 0) {
				rows.push({ organizationId, day, loanProductId, currency, balances: Object.fromEntries(linesOf(sums)) });
			}
		}
	}
	return { entries, days: rows };
}

/** The movement of the portfolio's day, less the part that the day's postings have moved. */
function whatTimeBrings(
	earlier: PortfolioDayRow | undefined,
	today: PortfolioDayRow | undefined,
	posted: readonly DaySum[],
): JournalLine[] {
	const sums: Sums = new Map();
	addAll(sums, linesSinceBegin(today));
	addAll(sums, linesSinceBegin(earlier), -1);
	addAll(
		sums,
		posted.map(({ account, amount }) => [account, amount] as const),
		-1,
	);
	return linesOf(sums);
}
