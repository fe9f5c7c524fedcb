// What portfolio rows look like on the wire, and what is computed of accounts that are not stored as they are asked for.

import type * as z from "zod";
import { type Page, pageOf, type Window } from "../../db/keyset";
import { toNumber } from "../../shared/money";
import { type CalendarDate, daysBetween } from "../../shared/time";
import { replay } from "../credit-accounts/book/book.policy";
import type { Ledger } from "../credit-accounts/book/ledger.policy";
import { difference, LINES, type Lines, linesOf, noLines } from "../credit-accounts/book/lines.policy";
import { type BookRecords, bookOf, knownOn } from "../credit-accounts/ledger.store";
import { isPastDue, knownBy, PAST_DUE_OVER } from "./close.policy";
import type { LoanPositionRow } from "./model/table";
import type { Edge, FiguresRow, FoundPosition } from "./reads.store";
import { BALANCES, standOf, sumOfBalances } from "./stand.policy";
import type { Period, Portfolio, PortfolioAccount } from "./wire";

type Amounts = Readonly<Record<(typeof LINES)[number], bigint | number>>;

export function toPeriod(lines: Amounts): z.input<typeof Period> {
	const amount = (line: (typeof LINES)[number]) => Number(lines[line]);
	const parts = (of: "paid" | "waived" | "writtenOff") => ({
		principal: amount(`${of}Principal`),
		interest: amount(`${of}Interest`),
		penalty: amount(`${of}Penalty`),
		refund_uncovered: amount(`${of}RefundUncovered`),
	});
	return {
		disbursed: amount("drawn"),
		rolled_over: amount("rolledOver"),
		fees: amount("fees"),
		fees_unearned: amount("feesUnearned"),
		fees_given_up: amount("feesGivenUp"),
		interest_earned: amount("interestEarned"),
		penalties_charged: amount("penaltiesCharged"),
		repaid: parts("paid"),
		waived: parts("waived"),
		written_off: parts("writtenOff"),
		recovered: amount("recovered"),
		overpaid: amount("overpaymentReceived"),
		overpayment_used: amount("overpaymentUsed"),
		refunded: amount("refunded"),
		refunded_uncovered: amount("refundedUncovered"),
	};
}

/** How an account stood on a day. */
export type Standing = Pick<LoanPositionRow, "accountId" | "loanProductId" | (typeof BALANCES)[number] | "overdue" | "oldestDue"> & {
	readonly accountNumber: string;
	readonly userId: string;
	readonly currency: string;
	readonly asOf: CalendarDate;
	readonly knownAt: CalendarDate;
};

export const toPortfolioAccount = (row: Standing): z.input<typeof PortfolioAccount> => ({
	account_id: row.accountId,
	account_number: row.accountNumber,
	loan_product_id: row.loanProductId,
	currency: row.currency,
	as_of: row.asOf,
	known_at: row.knownAt,
	principal: row.principal,
	interest: row.interest,
	arrears: row.arrears,
	penalty: row.penalty,
	refund_uncovered: row.refundUncovered,
	overpaid: row.overpaid,
	overdue: row.overdue,
	oldest_due_date: row.oldestDue,
	days_past_due: row.oldestDue === null ? 0 : daysBetween(row.oldestDue, row.asOf),
	user_id: row.userId,
});

/** The ledger of a day by what was known at the end of a day; undefined where the portfolio did not know the account then. */
function ledgerOn(records: BookRecords, { since }: Pick<LoanPositionRow, "since">, day: CalendarDate, knownAt: CalendarDate) {
	if (knownAt < since) return undefined;
	const position = knownOn(records, knownAt).transactions.reduce((last, row) => Math.max(last, row.position), 0);
	return position === 0 ? undefined : replay(knownBy(bookOf(records), position), day);
}

/** What of an account belongs on a page, if anything, and how long the books were that were made for it. */
export type Computed<Row> = { readonly row: Row | undefined; readonly length: number };

const lengthOf = (ledger: Ledger | undefined): number =>
	ledger ? ledger.cycles.reduce((sum, { installments }) => sum + installments.length, ledger.entries.length) : 0;

/** How the account stood, if anything was owed or overpaid, and it was past due for more than so many days. */
export function standingOn(
	records: BookRecords,
	position: LoanPositionRow,
	{ day, knownAt, over }: { day: CalendarDate; knownAt: CalendarDate; over: number | undefined },
): Computed<Standing> {
	const ledger = ledgerOn(records, position, day, knownAt);
	const length = lengthOf(ledger);
	const stand = ledger && standOf(ledger);
	if (!stand || sumOfBalances(stand.balances) === 0n) return { row: undefined, length };
	if (over !== undefined && !isPastDue(stand.oldestDue, day, over)) return { row: undefined, length };
	const { accountId, loanProductId } = position;
	const { balances, overdue, oldestDue } = stand;
	const amounts = Object.fromEntries(BALANCES.map((name) => [name, toNumber(balances[name])])) as Record<(typeof BALANCES)[number], number>;
	const { currency, accountNumber, userId } = records.account;
	const as = { accountId, accountNumber, userId, loanProductId, currency, asOf: day, knownAt };
	return { row: { ...amounts, ...as, overdue: toNumber(overdue), oldestDue }, length };
}

/** The account's lines of the days after `before` up to `to`, as they were closed; nothing where there are none. */
export function linesBetween(
	records: BookRecords,
	position: LoanPositionRow,
	{ before, to }: { before: CalendarDate; to: CalendarDate },
): Computed<Lines> {
	const closed = (day: CalendarDate) => {
		const ledger = ledgerOn(records, position, day, day);
		return { lines: ledger ? linesOf(ledger) : noLines(), length: lengthOf(ledger) };
	};
	const [first, last] = [closed(before), closed(to)];
	const lines = difference(last.lines, first.lines);
	return { row: LINES.some((line) => lines[line] !== 0n) ? lines : undefined, length: first.length + last.length };
}

/** As it stood when the last day was closed. */
export const storedStanding = (row: FoundPosition, currency: string, day: CalendarDate): Standing => ({
	...row,
	currency,
	asOf: day,
	knownAt: day,
});

export function toFigures(organizationId: string, row: FiguresRow): z.input<typeof Portfolio> {
	const { accounts, principal, interest, arrears, penalty, refundUncovered, overpaid } = row;
	return {
		organization_id: organizationId,
		loan_product_id: row.loanProductId,
		currency: row.currency,
		as_of: row.day,
		from: row.from,
		balances: { accounts, principal, interest, arrears, penalty, refund_uncovered: refundUncovered, overpaid },
		past_due: PAST_DUE_OVER.map((over) => ({
			over_days: over,
			accounts: row[`accountsOver${over}`],
			principal: row[`principalOver${over}`],
		})),
		period: toPeriod(row),
	};
}

/** The page of a scan, which looks at a limited number of accounts: where none of them is left, it continues behind the last. */
export function pageOfScan<Row extends Pick<FoundPosition, "accountId">>(
	found: readonly Row[],
	edge: Edge | undefined,
	window: Window,
): Page<Row> {
	const page = pageOf(found, window, ({ accountId }) => [0, accountId]);
	const goesOn = edge?.last ? ([0, edge.last] as const) : null;
	return window.before === undefined ? { ...page, next: page.next ?? goesOn } : { ...page, prev: page.prev ?? goesOn };
}
