// Finds the portfolio that is due, reads a portion of its accounts with what closing them takes, and writes what was closed.

import { and, asc, type Column, eq, getTableColumns, gte, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bareList, excluded } from "../../db/columns";
import type { Effect, Orm, Step, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { indexedBy } from "../../db/indexed-by";
import { prebuilt } from "../../db/prebuilt";
import type { CalendarDate } from "../../shared/time";
import type { FactKind } from "../credit-accounts/book/facts.policy";
import { accountTransactions, creditAccounts, creditCycles, installments } from "../credit-accounts/table";
import { findRules } from "./model/rules.store";
import { type LoanPositionRow, loanPositions, type PortfolioDayRow, type PortfolioRow, portfolioDays, portfolios } from "./model/table";
import { BALANCES } from "./stand.policy";

const creditAccount = alias(creditAccounts, "credit_account");
const eachInstallment = alias(installments, "installment");
const eachAccountTransaction = alias(accountTransactions, "each_account_transaction");
const accountTransaction = alias(accountTransactions, "account_transaction");
const loanPosition = alias(loanPositions, "loan_position");

/** Accounts of one commit. */
export const PORTION = 100;

export const findDuePortfolio = (orm: Orm, now: number) =>
	orm.select().from(portfolios).where(lte(portfolios.nextCloseAt, now)).orderBy(asc(portfolios.nextCloseAt)).limit(1);

/** SQLite would search the primary key, and read the accounts on which nothing is owed too. */
const OPEN = "loan_positions_open";

/** A portion of the accounts behind the last reached one. */
const behindCursor = ({ organizationId, loanProductId, cursor }: PortfolioRow) => sql`
	${loanPosition.organizationId} = ${organizationId} and ${loanPosition.loanProductId} = ${loanProductId} and ${loanPosition.isOpen} and ${loanPosition.accountId} > ${cursor ?? ""}`;

/**
 * From which transaction on the book is read: so that it shows the last close as well as these. A reversal may change what was before the
 * book, and an account that was closed already is closed again from its beginning.
 */
const startOfBook = (first: CalendarDate): SQL => sql`
	case when ${loanPosition.asOf} >= ${first} or exists (
			select 1 from ${accountTransactions} ${eachAccountTransaction}
			where ${eachAccountTransaction.accountId} = ${loanPosition.accountId} and ${eachAccountTransaction.position} > ${loanPosition.position} and ${eachAccountTransaction.kind} = 'REVERSAL')
		then 1 else min(${loanPosition.bookFrom}, ${creditAccount.bookFrom}) end`;

const portionOf = (portfolio: PortfolioRow, first: CalendarDate, size: number): SQL => sql`(
	select ${loanPosition.accountId} as account_id, ${startOfBook(first)} as start
	from ${loanPositions} ${loanPosition} indexed by ${sql.identifier(OPEN)} cross join ${creditAccounts} ${creditAccount} on ${creditAccount.id} = ${loanPosition.accountId}
	where ${behindCursor(portfolio)} order by ${loanPosition.accountId} limit ${sql.raw(String(size))}) s`;

/** As the book reads it. */
export type FactRow = {
	readonly accountId: string;
	readonly id: string;
	readonly position: number;
	readonly kind: FactKind;
	readonly valueDate: CalendarDate;
	readonly amount: number;
	readonly cycleId: string | null;
	readonly reversesId: string | null;
	readonly dueDates: string | null;
	readonly validUntil: CalendarDate | null;
	readonly postedAt: number;
	/** Of the installment that is waived. */
	readonly installment: number | null;
};

const findFacts = (orm: Orm, portion: SQL) =>
	orm.all<FactRow>(sql`
		select ${accountTransaction.accountId} as "accountId", ${accountTransaction.id} as "id", ${accountTransaction.position} as "position", ${accountTransaction.kind} as "kind", ${accountTransaction.valueDate} as "valueDate",
			${accountTransaction.amount} as "amount", ${accountTransaction.cycleId} as "cycleId", ${accountTransaction.reversesId} as "reversesId", ${accountTransaction.dueDates} as "dueDates",
			${accountTransaction.validUntil} as "validUntil", ${accountTransaction.postedAt} as "postedAt", ${eachInstallment.position} as "installment"
		from ${portion} cross join ${accountTransactions} ${accountTransaction} on ${accountTransaction.accountId} = s.account_id and ${accountTransaction.position} >= s.start
			left join ${installments} ${eachInstallment} on ${accountTransaction.kind} = 'WAIVER' and ${eachInstallment.cycleId} = ${accountTransaction.cycleId} and ${eachInstallment.id} = ${accountTransaction.installmentId}
		where ${accountTransaction.kind} not in ('PENALTY', 'PENALTY_CORRECTION')`);

const findCycles = (orm: Orm, portion: SQL) =>
	orm
		.select()
		.from(creditCycles)
		.where(sql`${creditCycles.id} in (
			select ${accountTransaction.cycleId} from ${portion} cross join ${accountTransactions} ${accountTransaction} on ${accountTransaction.accountId} = s.account_id and ${accountTransaction.position} >= s.start
			where ${accountTransaction.kind} in ('DRAW', 'ROLL_OVER'))`);

/** A portion of the portfolio's open accounts, their books, and the figures of the days from the last closed one on. */
export const findPortion = (orm: Orm, portfolio: PortfolioRow, days: readonly CalendarDate[], size: number) => {
	const { organizationId, loanProductId, closedThrough } = portfolio;
	const portion = portionOf(portfolio, days[0] ?? closedThrough, size);
	return {
		positions: orm
			.select(getTableColumns(loanPositions))
			.from(indexedBy(loanPositions, OPEN))
			.where(
				sql`${loanPositions.organizationId} = ${organizationId} and ${loanPositions.loanProductId} = ${loanProductId}
					and ${loanPositions.isOpen} and ${loanPositions.accountId} > ${portfolio.cursor ?? ""}`,
			)
			.orderBy(asc(loanPositions.accountId))
			.limit(size),
		facts: findFacts(orm, portion),
		cycles: findCycles(orm, portion),
		figures: orm
			.select()
			.from(portfolioDays)
			.where(
				and(
					eq(portfolioDays.organizationId, organizationId),
					eq(portfolioDays.loanProductId, loanProductId),
					gte(portfolioDays.day, closedThrough),
				),
			)
			.limit(days.length + 1),
		rules: findRules(orm, { organizationId, loanProductId }, days[0] ?? closedThrough, days.at(-1) ?? closedThrough),
	};
};

const { placeholder } = sql;
const given = (name: string) => sql.raw(`v.value ->> '${name}'`);

/** Changes rows that exist. Not an UPDATE … FROM, for which SQLite would search all of the organization's rows for each given one. */
const updateGiven = (names: readonly (keyof LoanPositionRow)[], changes: SQL) =>
	prebuilt((orm) => {
		const columns = names.map((name) => loanPositions[name]);
		return orm.run(sql`
			insert into ${loanPositions} (${bareList(...columns)})
			select ${sql.join(names.map(given), sql`, `)} from json_each(${placeholder("rows")}) v where true
			on conflict (${bareList(loanPositions.organizationId, loanPositions.accountId)}) do update set ${changes}`);
	});

const KEY = ["organizationId", "accountId", "loanProductId", "since", "asOf"] as const;
const BALANCES_AND_PLACE = ["position", "bookFrom", ...BALANCES, "overdue", "changedOn", "staging"] as const;

// Apart from what the indexes hold: an update writes the entry of every index whose columns it sets, changed or not.
const updatePositions = updateGiven(
	[...KEY, ...BALANCES_AND_PLACE],
	assign(
		loanPositions,
		Object.fromEntries((["asOf", ...BALANCES_AND_PLACE] as const).map((name) => [name, excluded(loanPositions[name])])),
	),
);

const updateOldestDue = updateGiven([...KEY, "oldestDue"], assign(loanPositions, { oldestDue: excluded(loanPositions.oldestDue) }));

/** A posting meanwhile keeps the account open: it is in the next day's books. */
const endPositions = updateGiven(
	[...KEY, "position", "closedOn"],
	sql`${assign(loanPositions, { isOpen: 0, closedOn: excluded(loanPositions.closedOn) })}
		where (select ${creditAccount.lastPosition} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} = ${excluded(loanPositions.accountId)}) = ${excluded(loanPositions.position)}`,
);

/** An account after its close. */
export type ClosedPosition = {
	readonly row: LoanPositionRow;
	/** The oldest due date is another than before. */
	readonly moves: boolean;
	/** Nothing is owed or overpaid any more. */
	readonly ends: boolean;
};

export const recordPositions = (closed: readonly ClosedPosition[]): Step[] =>
	[
		[updatePositions, closed] as const,
		[updateOldestDue, closed.filter(({ moves }) => moves)] as const,
		[endPositions, closed.filter(({ ends }) => ends)] as const,
	].flatMap(([update, of]) => (of.length === 0 ? [] : [update({ rows: JSON.stringify(of.map(({ row }) => row)) })]));

const DAY_COLUMNS = getTableColumns(portfolioDays);
const { organizationId: _, loanProductId: __, day: ___, ...FIGURES } = DAY_COLUMNS;

const writeDays = prebuilt((orm) =>
	orm.run(sql`
		insert into ${portfolioDays} (${bareList(...Object.values(DAY_COLUMNS))})
		select ${sql.join(Object.keys(DAY_COLUMNS).map(given), sql`, `)} from json_each(${placeholder("rows")}) v where true
		on conflict (${bareList(portfolioDays.organizationId, portfolioDays.loanProductId, portfolioDays.day)}) do update set
			${assign(portfolioDays, Object.fromEntries(Object.entries(FIGURES).map(([name, column]) => [name, excluded(column)])))}`),
);

export const recordDays = (rows: readonly PortfolioDayRow[]): Step => writeDays({ rows: JSON.stringify(rows) });

/** Changes the portfolio as it was read. Another sweep that closed the same portion makes this one stale. */
export const movePortfolio = (
	orm: Orm,
	{ organizationId, loanProductId, closedThrough, closing, cursor, fault }: PortfolioRow,
	changes: Partial<Pick<PortfolioRow, "closedThrough" | "closing" | "cursor" | "fault" | "faultedAt" | "nextCloseAt">>,
): Effect =>
	guarded(
		orm
			.update(portfolios)
			.set(changes)
			.where(
				and(
					eq(portfolios.organizationId, organizationId),
					eq(portfolios.loanProductId, loanProductId),
					eq(portfolios.closedThrough, closedThrough),
					sql`${portfolios.closing} is ${closing} and ${portfolios.cursor} is ${cursor} and ${portfolios.fault} is ${fault}`,
				),
			),
	);

const ofPortfolio = (column: Column, id: string): SQL => sql`(select ${column} from ${portfolios} where ${portfolios.id} = ${id})`;

/**
 * Has the days of a portfolio with a fault closed again from the first account on, also those that ended within the days: on the ones
 * before their last they owed something. A portfolio without a fault is not changed.
 */
export const retryClose = (orm: Orm, id: string, now: number): Write[] => [
	orm
		.update(loanPositions)
		.set({ isOpen: true })
		.where(
			sql`${loanPositions.organizationId} = ${ofPortfolio(portfolios.organizationId, id)}
				and ${loanPositions.loanProductId} = ${ofPortfolio(portfolios.loanProductId, id)}
				and not ${loanPositions.isOpen} and ${loanPositions.asOf} > ${ofPortfolio(portfolios.closedThrough, id)}`,
		),
	guarded(
		orm
			.update(portfolios)
			.set({ fault: null, faultedAt: null, nextCloseAt: now })
			.where(and(sql`${portfolios.fault} is not null`, eq(portfolios.id, id))),
	),
];
