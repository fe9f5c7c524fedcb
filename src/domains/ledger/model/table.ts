// The journal of an organization: what each change of a loan, a wallet, a payout, a receipt or an invoice debits and credits. Entries of
// loans are written with their posting, all others by the triggers in `journal.triggers.sql`, so that no code can forget one.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../../../shared/time";

/** LOAN: a posting to a credit account. DAY: what time brings to the accounts of a product. OPENING: what was there before the journal, or was imported. */
export const ENTRY_SOURCES = ["LOAN", "DAY", "RECEIPT", "PAYOUT", "WALLET", "INVOICE", "OPENING"] as const;
export type EntrySource = (typeof ENTRY_SOURCES)[number];

/** Of an account of the chart: a debit is positive. */
export type JournalLine = readonly [account: string, amount: number];

/** An entry that belongs to no loan product. */
export const NO_PRODUCT = "";

/** Append-only by trigger, and nothing is added to a day that is closed. */
export const journalEntries = sqliteTable(
	"journal_entries",
	{
		organizationId: text().notNull(),
		/** Of the books: for loans a day of the product's calendar, for all others one of East Africa's. */
		day: text().$type<CalendarDate>().notNull(),
		/** That of the source, the day, and how many entries the source had on it before. */
		id: text().notNull(),
		source: text({ enum: ENTRY_SOURCES }).notNull(),
		/** The transaction, payment, payout, wallet entry, advance, repayment or product. */
		sourceId: text().notNull(),
		/** The credit account or current account. */
		accountId: text(),
		loanProductId: text().notNull().default(NO_PRODUCT),
		currency: text().notNull(),
		/** The day on which it counts for the borrower. */
		valueDate: text().$type<CalendarDate>().notNull(),
		/** What a correction takes back: a source. */
		correctsId: text(),
		/** At least two, whose sum is zero: a trigger demands it. */
		lines: text({ mode: "json" }).$type<readonly JournalLine[]>().notNull(),
		bookedAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.organizationId, table.day, table.id] })],
);

export type JournalEntryRow = typeof journalEntries.$inferSelect;

/** How far an organization's journal is closed. The first entry makes the row. */
export const ledgers = sqliteTable(
	"ledgers",
	{
		organizationId: text().primaryKey(),
		/** null until the first day is closed. */
		closedThrough: text().$type<CalendarDate>(),
		nextCloseAt: integer().notNull(),
	},
	(table) => [index("ledgers_due").on(table.nextCloseAt)],
);

export type LedgerRow = typeof ledgers.$inferSelect;

/** The balances of a closed day, by product and currency. */
export const ledgerDays = sqliteTable(
	"ledger_days",
	{
		organizationId: text().notNull(),
		day: text().$type<CalendarDate>().notNull(),
		loanProductId: text().notNull(),
		currency: text().notNull(),
		/** Of each account with a balance; a debit is positive. */
		balances: text({ mode: "json" }).$type<Readonly<Record<string, number>>>().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.day, table.loanProductId, table.currency] }),
		check("ledger_days_balances", sql`json_type(balances) = 'object'`),
	],
);

export type LedgerDayRow = typeof ledgerDays.$inferSelect;
