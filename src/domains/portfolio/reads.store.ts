// Finds the figures of portfolios, and a page of the accounts behind them.

import { and, asc, type Column, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Orm } from "../../db/database";
import { indexedBy } from "../../db/indexed-by";
import type { Window } from "../../db/keyset";
import type { CalendarDate } from "../../shared/time";
import { LINES } from "../credit-accounts/book/lines.policy";
import { creditAccounts } from "../credit-accounts/table";
import { type LoanPositionRow, loanPositions, portfolioDays, portfolios } from "./model/table";

const creditAccount = alias(creditAccounts, "credit_account");
const portfolioDay = alias(portfolioDays, "portfolio_day");
const eachDay = alias(portfolioDays, "day");
const portfolio = alias(portfolios, "portfolio");
/** The accounts that are looked at. */
const position = alias(loanPositions, "position");

export type Chosen = { readonly organizationId: string; readonly loanProductId: string | undefined };

const chosen = (table: typeof portfolios | typeof loanPositions, { organizationId, loanProductId }: Chosen) =>
	and(eq(table.organizationId, organizationId), loanProductId === undefined ? undefined : eq(table.loanProductId, loanProductId));

/** An organization's portfolios, of which there is one for each of its products. */
export const findPortfolios = (orm: Orm, of: Chosen) =>
	orm.select().from(portfolios).where(chosen(portfolios, of)).orderBy(asc(portfolios.loanProductId));

/** A day as the first part of a place in a list. */
export const placeOf = (day: CalendarDate): number => Number(day.replaceAll("-", ""));
const dayAt = (place: number): CalendarDate => String(place).replace(/^(\d{4})(\d\d)/, "$1-$2-");

type Days = {
	readonly on: CalendarDate | undefined;
	readonly from: CalendarDate | undefined;
	/** A row for each day, whose lines are those of the day. */
	readonly daily: boolean;
};

const { organizationId: _, loanProductId: __, day: ___, stages: ____, ...figures } = getTableColumns(portfolioDays);
type FigureNames = keyof typeof figures;

/** The figures of a day, and the lines of the days from `from` to it. */
export type FiguresRow = Readonly<Record<FigureNames, number>> & {
	readonly loanProductId: string;
	readonly currency: string;
	readonly day: CalendarDate;
	readonly from: CalendarDate;
};

const lineNames = new Set<string>(LINES);

const figureColumns = sql.join(
	(Object.keys(figures) as FigureNames[]).map((name) =>
		lineNames.has(name)
			? sql`${eachDay[name]} - coalesce(${portfolioDay[name]}, 0) as ${sql.identifier(name)}`
			: sql`${eachDay[name]} as ${sql.identifier(name)}`,
	),
	sql`, `,
);

/** A page of the portfolios' days by product and day. A period is the difference of two rows. */
export function findFigures(orm: Orm, { organizationId, loanProductId }: Chosen, { on, from, daily }: Days, window: Window) {
	const last = on === undefined ? sql`${portfolio.closedThrough}` : sql`${on}`;
	const first = from === undefined ? sql`date(${last}, 'start of month')` : sql`${from}`;
	const start = daily ? sql`${eachDay.day}` : first;
	const cursor = window.after ?? window.before;
	const descending = window.before !== undefined;
	const beyond =
		cursor && sql`and (${portfolio.loanProductId}, ${eachDay.day}) ${descending ? sql`<` : sql`>`} (${cursor[1]}, ${dayAt(cursor[0])})`;
	const direction = descending ? sql`desc` : sql`asc`;
	return orm.all<FiguresRow>(sql`
		select ${portfolio.loanProductId} as "loanProductId", ${portfolio.currency} as "currency", ${eachDay.day} as "day", ${start} as "from", ${figureColumns}
		from ${portfolios} ${portfolio}
			cross join ${portfolioDays} ${eachDay} on ${eachDay.organizationId} = ${portfolio.organizationId} and ${eachDay.loanProductId} = ${portfolio.loanProductId}
				and ${daily ? sql`${eachDay.day} between ${first} and ${last}` : sql`${eachDay.day} = ${last}`}
			left join ${portfolioDays} ${portfolioDay} on ${portfolioDay.organizationId} = ${eachDay.organizationId} and ${portfolioDay.loanProductId} = ${eachDay.loanProductId}
				and ${portfolioDay.day} = date(${start}, '-1 day')
		where ${portfolio.organizationId} = ${organizationId} ${loanProductId === undefined ? sql`` : sql`and ${portfolio.loanProductId} = ${loanProductId}`}
			and ${eachDay.day} <= ${portfolio.closedThrough} ${beyond ?? sql``}
		order by ${portfolio.loanProductId} ${direction}, ${eachDay.day} ${direction} limit ${sql.raw(String(window.size + 1))}`);
}

export type FoundPosition = LoanPositionRow & { readonly accountNumber: string; readonly userId: string };

const ofAccount = (column: Column, { accountId }: { readonly accountId: Column }): SQL<string> =>
	qualified(sql<string>`(select ${column} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} = ${accountId})`);

/** Accounts that are overdue since before the day, as they stood when the last day was closed: those overdue for longest first. */
export function findOverdue(orm: Orm, of: Chosen, before: CalendarDate, { size, after, before: until }: Window) {
	const index = of.loanProductId === undefined ? "loan_positions_overdue" : "loan_positions_overdue_of_product";
	const { oldestDue, accountId } = loanPositions;
	const cursor = after ?? until;
	const descending = until !== undefined;
	const beyond = cursor && sql`(${oldestDue}, ${accountId}) ${descending ? sql`<` : sql`>`} (${dayAt(cursor[0])}, ${cursor[1]})`;
	const direction = (column: typeof oldestDue | typeof accountId) => (descending ? sql`${column} desc` : sql`${column} asc`);
	return orm
		.select({
			...getTableColumns(loanPositions),
			accountNumber: ofAccount(creditAccount.accountNumber, loanPositions).as("account_number"),
			userId: ofAccount(creditAccount.userId, loanPositions).as("user_id"),
		})
		.from(indexedBy(loanPositions, index))
		.where(and(chosen(loanPositions, of), sql`${oldestDue} is not null and ${oldestDue} < ${before}`, beyond))
		.orderBy(direction(oldestDue), direction(accountId))
		.limit(size + 1);
}

/** So many accounts are looked at for a page, whether or not they belong on it. */
const LOOKED_AT = 1_000;

/** The last account that was looked at, where that was too early for a whole page. */
export type Edge = { readonly last: string | null };

/** An account of the scan, and how many transactions it has. */
export type ScannedPosition = FoundPosition & { readonly transactions: number };

/** Accounts of the organization by their ids, of which a page takes those that meet the condition. */
export function scanOf({ organizationId, loanProductId }: Chosen, { size, after, before }: Window, condition: SQL) {
	const cursor = (after ?? before)?.[1];
	const descending = before !== undefined;
	const direction = sql.raw(descending ? "desc" : "asc");
	const { accountId } = loanPositions;
	const all = sql`from ${loanPositions} where ${loanPositions.organizationId} = ${organizationId}
		${cursor === undefined ? sql`` : sql`and ${accountId} ${descending ? sql`<` : sql`>`} ${cursor}`} order by ${accountId} ${direction}`;
	const lookedAt = sql`(select * ${all} limit ${sql.raw(String(LOOKED_AT))}) ${position}`;
	// With a plus, because SQLite would make an index of those that are looked at.
	const ofProduct = loanProductId === undefined ? sql`` : sql`and +${position.loanProductId} = ${loanProductId}`;
	const found = sql`from ${lookedAt} where ${condition} ${ofProduct} order by ${position.accountId} ${direction} limit ${sql.raw(String(size + 1))}`;
	const columns = {
		...getTableColumns(position),
		accountNumber: creditAccount.accountNumber,
		userId: creditAccount.userId,
		transactions: creditAccount.lastPosition,
	};
	return {
		findRows: (orm: Orm) =>
			orm.all<ScannedPosition>(sql`
				select ${sql.join(
					Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
					sql`, `,
				)} from (select * ${found}) ${position} cross join ${creditAccounts} ${creditAccount} on ${creditAccount.id} = ${position.accountId}
				order by ${position.accountId} ${direction}`),
		findEdge: (orm: Orm) =>
			orm.all<Edge>(sql`
				select case when (select count(*) from (select ${position.accountId} ${found})) <= ${size}
					then (select ${accountId} ${all} limit 1 offset ${sql.raw(String(LOOKED_AT - 1))}) end as "last"`),
	};
}

export const isOpenOn = (on: CalendarDate): SQL => sql`${position.since} <= ${on} and (${position.isOpen} or ${position.closedOn} > ${on})`;
export const owesAnything: SQL = sql`${position.isOpen} and ${position.principal} + ${position.interest} + ${position.arrears}
	+ ${position.penalty} + ${position.refundUncovered} + ${position.overpaid} > 0`;
export const changedSince = (day: CalendarDate): SQL => sql`${position.changedOn} >= ${day}`;
