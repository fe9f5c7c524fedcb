// The journal of an organization: what each change of a loan, a wallet, a payout, a receipt or an invoice debits and credits, and each
// treasury record and charge of a provider. A loan's entries are written with its posting, the job that closes days writes DAY and OPENING, and the triggers in `journal.triggers.sql`
// write all others, so that no code can forget one.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../../../shared/time";

/**
 * LOAN: a posting to a credit account. DAY: interest and penalties that time adds. TREASURY: money of the lender. CHARGE: a provider's charges
 * of a day, or of a payment by tariff. OPENING: from before the journal, or imported. PROVISION: at the end of a month, what the provisions of a product gain or lose.
 */
export const ENTRY_SOURCES = [
	"LOAN",
	"DAY",
	"RECEIPT",
	"PAYOUT",
	"WALLET",
	"INVOICE",
	"TREASURY",
	"CHARGE",
	"OPENING",
	"PROVISION",
] as const;
export type EntrySource = (typeof ENTRY_SOURCES)[number];

/** The number of an account of the chart, and an amount: a debit is positive. */
export type JournalLine = readonly [account: string, amount: number];

/** The `loanProductId` of an entry that belongs to no loan product. */
export const NO_PRODUCT = "";

/** Append-only by trigger, and nothing is added to a day that is closed. */
export const journalEntries = sqliteTable(
	"journal_entries",
	{
		organizationId: text().notNull(),
		/** The day of booking: for loans in the product's time zone, for all others in East Africa's. */
		day: text().$type<CalendarDate>().notNull(),
		/** `<id of the source>:<day>:<how many entries the source had on that day before>`. */
		id: text().notNull(),
		source: text({ enum: ENTRY_SOURCES }).notNull(),
		/** The transaction, payment, payout, wallet entry, advance, repayment, treasury record, day's charges or product; of a charge by tariff the payout, or the receipt of the payment. */
		sourceId: text().notNull(),
		/** The credit account or current account. */
		accountId: text(),
		loanProductId: text().notNull().default(NO_PRODUCT),
		currency: text().notNull(),
		/** The day on which it counts for the borrower. */
		valueDate: text().$type<CalendarDate>().notNull(),
		/** The source that a correction takes back. */
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
		/** The balances that are not zero, by account number; a debit is positive. */
		balances: text({ mode: "json" }).$type<Readonly<Record<string, number>>>().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.day, table.loanProductId, table.currency] }),
		check("ledger_days_balances", sql`json_type(balances) = 'object'`),
	],
);

export type LedgerDayRow = typeof ledgerDays.$inferSelect;

/** The months that two people have closed. Triggers demand that they follow each other without a gap, once their days are closed. */
export const ledgerClosings = sqliteTable(
	"ledger_closings",
	{
		organizationId: text().notNull(),
		/** Such as 2026-03. */
		month: text().notNull(),
		lastDay: text().$type<CalendarDate>().notNull(),
		approvalId: text().notNull(),
		requestedBy: text().notNull(),
		approvedBy: text().notNull(),
		reason: text(),
		closedAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.organizationId, table.month] })],
);

export type LedgerClosingRow = typeof ledgerClosings.$inferSelect;
