// Finds the ledger that is due and the rows from which its days are closed, and writes the closed days.

import { and, asc, between, eq, getTableColumns, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList, qualified } from "../../db/columns";
import type { Effect, Orm, Statement } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import { addDays, type CalendarDate } from "../../shared/time";
import { portfolioDays, portfolios } from "../portfolio/model/table";
import { type JournalEntryRow, journalEntries, type LedgerDayRow, type LedgerRow, ledgerDays, ledgers } from "./model/table";

const journalEntry = alias(journalEntries, "journal_entry");
const { placeholder } = sql;

/** The ledger that is due for longest, its first day, and the last day that all portfolios have closed: null if there are no portfolios. */
export const findDueLedger = (orm: Orm, now: number) =>
	orm
		.select({
			...getTableColumns(ledgers),
			portfoliosClosed: qualified(
				sql<CalendarDate | null>`(select min(${portfolios.closedThrough}) from ${portfolios} where ${portfolios.organizationId} = ${ledgers.organizationId})`,
			).as("portfolios_closed"),
			/** The day of its first entry. */
			began: qualified(
				sql<CalendarDate | null>`(select min(${journalEntries.day}) from ${journalEntries} where ${journalEntries.organizationId} = ${ledgers.organizationId})`,
			).as("began"),
		})
		.from(ledgers)
		.where(lte(ledgers.nextCloseAt, now))
		.orderBy(asc(ledgers.nextCloseAt))
		.limit(1);

/** What the entries of a day add to an account of a product. */
export type DaySum = {
	readonly day: CalendarDate;
	readonly loanProductId: string;
	readonly currency: string;
	readonly account: string;
	readonly amount: number;
};

/** The rows from which the days after `closedThrough` are closed, up to and including `last`. */
export const findClosing = (orm: Orm, organizationId: string, closedThrough: CalendarDate, last: CalendarDate) => ({
	portfolios: orm.select().from(portfolios).where(eq(portfolios.organizationId, organizationId)),
	// By product, because that is how the figures of days lie.
	figures: orm
		.select({ figures: portfolioDays })
		.from(portfolios)
		.crossJoin(portfolioDays)
		.where(
			and(
				eq(portfolios.organizationId, organizationId),
				eq(portfolioDays.organizationId, organizationId),
				sql`${portfolioDays.loanProductId} = ${portfolios.loanProductId}`,
				between(portfolioDays.day, closedThrough, last),
			),
		),
	sums: orm.all<DaySum>(sql`
		select ${journalEntry.day} as "day", ${journalEntry.loanProductId} as "loanProductId", ${journalEntry.currency} as "currency", line.value ->> 0 as "account", sum(line.value ->> 1) as "amount"
		from ${journalEntries} ${journalEntry} cross join json_each(${journalEntry.lines}) line
		where ${journalEntry.organizationId} = ${organizationId} and ${journalEntry.day} between ${addDays(closedThrough, 1)} and ${last}
		group by 1, 2, 3, 4`),
	before: orm
		.select()
		.from(ledgerDays)
		.where(and(eq(ledgerDays.organizationId, organizationId), eq(ledgerDays.day, closedThrough))),
});

export type Found = {
	readonly portfolios: readonly (typeof portfolios.$inferSelect)[];
	readonly figures: readonly { readonly figures: typeof portfolioDays.$inferSelect }[];
	readonly sums: readonly DaySum[];
	readonly before: readonly LedgerDayRow[];
};

const ENTRY_COLUMNS = [
	journalEntries.organizationId,
	journalEntries.day,
	journalEntries.id,
	journalEntries.source,
	journalEntries.sourceId,
	journalEntries.accountId,
	journalEntries.loanProductId,
	journalEntries.currency,
	journalEntries.valueDate,
	journalEntries.correctsId,
	journalEntries.lines,
	journalEntries.bookedAt,
] as const;

const writeEntries = prebuilt((orm) =>
	orm.run(sql`
		insert into ${journalEntries} (${bareList(...ENTRY_COLUMNS)})
		select ${sql.join(
			ENTRY_COLUMNS.map(({ name }) => sql.raw(name === "lines" ? "json(v.value -> 'lines')" : `v.value ->> '${name}'`)),
			sql`, `,
		)} from json_each(${placeholder("rows")}) v`),
);

export const insertEntries = (rows: readonly JournalEntryRow[]): Statement[] =>
	rows.length === 0 ? [] : [writeEntries({ rows: JSON.stringify(rows) }) as unknown as Statement];

const DAY_COLUMNS = [
	ledgerDays.organizationId,
	ledgerDays.day,
	ledgerDays.loanProductId,
	ledgerDays.currency,
	ledgerDays.balances,
] as const;

const writeDays = prebuilt((orm) =>
	orm.run(sql`
		insert into ${ledgerDays} (${bareList(...DAY_COLUMNS)})
		select ${sql.join(
			DAY_COLUMNS.map(({ name }) => sql.raw(name === "balances" ? "json(v.value -> 'balances')" : `v.value ->> '${name}'`)),
			sql`, `,
		)} from json_each(${placeholder("rows")}) v`),
);

export const insertDays = (rows: readonly LedgerDayRow[]): Statement[] =>
	rows.length === 0 ? [] : [writeDays({ rows: JSON.stringify(rows) }) as unknown as Statement];

const isStill = ({ organizationId, closedThrough }: LedgerRow) =>
	and(eq(ledgers.organizationId, organizationId), sql`${ledgers.closedThrough} is ${closedThrough}`);

/** Stale if another sweep has closed days of the ledger. */
export const moveLedger = (orm: Orm, ledger: LedgerRow, changes: Partial<Pick<LedgerRow, "closedThrough" | "nextCloseAt">>): Effect =>
	guarded(orm.update(ledgers).set(changes).where(isStill(ledger)));

/** The same before its days are written. */
export const stillClosedThrough = (ledger: LedgerRow): SQL =>
	orStaleUnless(sql`exists (select 1 from ${ledgers} where ${isStill(ledger)})`);
