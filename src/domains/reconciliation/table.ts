// Statements of providers and banks, their lines, the days that they cover, and the breaks between them and what is recorded here. All of
// them are in the database of the organization.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PAYMENT_PROVIDERS } from "../../shared/payment-providers";
import type { Mapping } from "./format.policy";
import {
	ACTIONS,
	ANSWERS,
	BREAK_KINDS,
	BREAK_STATES,
	CHANNELS,
	type Expected,
	FACT_KINDS,
	LINE_KINDS,
	LINE_STATES,
	STATEMENT_STATES,
} from "./lifecycle";

/** SQLite uses the partial indexes only for a query that contains exactly this condition. */
export const IS_KEPT = sql`status <> 'DISCARDED'`;
export const IS_OPEN = sql`status = 'OPEN'`;
/** A provider is asked about it. Only open breaks are. */
export const IS_ASKED = sql`next_attempt_at is not null`;
export const NAMES_CHARGE = sql`charge_of is not null`;
/** A charge with a receipt that nothing recorded has yet. */
export const IS_CHARGE_LEFT = sql`status = 'MATCHED' and kind = 'CHARGE' and fact_key is null and charge_of is null and receipt is not null`;
export const IS_NOT_MATCHED = sql`status <> 'MATCHED'`;

/** How far LOOKING has come: its stage, and the row of that stage after which it continues. */
export type Cursor = { readonly stage: number; readonly at: number; readonly id: string };

export const providerStatements = sqliteTable(
	"provider_statements",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		channel: text({ enum: CHANNELS }).notNull(),
		/** The shortcode, or the number of the account at the bank. */
		number: text().notNull(),
		/** Which of the number's accounts: of M-Pesa the utility, working or charges account. */
		account: text().notNull(),
		currency: text().notNull(),
		/** The first and the last day, which are whole. */
		fromDay: text().notNull(),
		toDay: text().notNull(),
		/** The file's name and its SHA-256, by which it is known again. */
		name: text().notNull(),
		sha256: text().notNull(),
		mapping: text({ mode: "json" }).$type<Mapping>().notNull(),
		expects: text({ mode: "json" }).$type<readonly Expected[]>().notNull(),
		/** The names of the columns, once a portion has had them. */
		header: text({ mode: "json" }).$type<readonly string[]>(),
		status: text({ enum: STATEMENT_STATES }).notNull(),
		/** Records of the file that have been sent. */
		rows: integer().notNull(),
		/** Counts the portions that were sent. */
		revision: integer().notNull(),
		/** Counts the comparisons. */
		round: integer().notNull(),
		cursor: text({ mode: "json" }).$type<Cursor>(),
		createdBy: text().notNull(),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("provider_statements_once")
			.on(table.organizationId, table.channel, table.number, table.account, table.sha256)
			.where(IS_KEPT),
		index("provider_statements_days").on(table.organizationId, table.channel, table.number, table.account, table.fromDay),
		index("provider_statements_list").on(table.organizationId, table.createdAt, table.id),
		index("provider_statements_work").on(table.updatedAt).where(sql`status in ('MATCHING', 'SEEKING', 'LOOKING', 'DISCARDING')`),
		check("provider_statements_days_order", sql`from_day <= to_day`),
	],
);

export type StatementRow = typeof providerStatements.$inferSelect;

export const statementLines = sqliteTable(
	"statement_lines",
	{
		statementId: text().notNull(),
		/** The record's place in the file, from 0. */
		row: integer().notNull(),
		organizationId: text().notNull(),
		at: integer().notNull(),
		day: text().notNull(),
		kind: text({ enum: LINE_KINDS }).notNull(),
		receipt: text(),
		linked: text(),
		reference: text(),
		amount: integer().notNull(),
		fee: integer().notNull(),
		balance: integer(),
		status: text({ enum: LINE_STATES }).notNull(),
		/** The number of the comparison that looked at the line last; 0 before the first. */
		round: integer().notNull(),
		/** The recorded fact that it reports. */
		factKind: text({ enum: FACT_KINDS }),
		factKey: text(),
		/** The payment or payout whose charge it names, and its day, as `tariff_charges` has them. */
		chargeDay: text(),
		chargeOf: text(),
		/** The statement's revision that stored or changed the line. */
		revision: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.statementId, table.row] }),
		index("statement_lines_work").on(table.statementId, table.status, table.round, table.row).where(IS_NOT_MATCHED),
		index("statement_lines_of_fact").on(table.organizationId, table.factKey).where(sql`fact_key is not null`),
		index("statement_lines_of_charge").on(table.statementId, table.chargeOf).where(NAMES_CHARGE),
		index("statement_lines_charges_left").on(table.statementId, table.round, table.row).where(IS_CHARGE_LEFT),
		check("statement_lines_amount", sql`amount between -9007199254740991 and 9007199254740991 and fee between 0 and 9007199254740991`),
		check("statement_lines_fact", sql`(fact_key is null) = (fact_kind is null)`),
	],
);

export type LineRow = typeof statementLines.$inferSelect;

export const statementDays = sqliteTable(
	"statement_days",
	{
		statementId: text().notNull(),
		day: text().notNull(),
		organizationId: text().notNull(),
		lines: integer().notNull(),
		moneyIn: integer().notNull(),
		moneyOut: integer().notNull(),
		/** The part of `moneyOut` that is charges. */
		charges: integer().notNull(),
		opening: integer(),
		closing: integer(),
		difference: integer(),
	},
	(table) => [
		primaryKey({ columns: [table.statementId, table.day] }),
		index("statement_days_untied").on(table.organizationId, table.day).where(sql`difference <> 0`),
	],
);

export const statementBreaks = sqliteTable(
	"statement_breaks",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		statementId: text().notNull(),
		/** The line's; null for a recorded fact that is on no line. */
		row: integer(),
		kind: text({ enum: BREAK_KINDS }).notNull(),
		status: text({ enum: BREAK_STATES }).notNull(),
		action: text({ enum: ACTIONS }).notNull(),
		day: text().notNull(),
		at: integer().notNull(),
		receipt: text(),
		reference: text(),
		/** On the statement, and as recorded here; negative for money that went out. */
		amount: integer(),
		recorded: integer(),
		/** By how much more money moved on the statement than in the records here. */
		difference: integer().notNull(),
		currency: text().notNull(),
		/** The recorded fact: its kind, its key, which a payment keeps when it is moved, and its id. */
		factKind: text({ enum: FACT_KINDS }),
		factKey: text(),
		recordedId: text(),
		/** Who has recorded or explained it, when, and in which words. */
		decidedBy: text(),
		decidedAt: integer(),
		reason: text(),
		/** The payment that RECORD made. */
		paymentId: text(),
		/** By whose connection the provider was asked last, when, by whose request, and what it has answered. */
		askedProvider: text({ enum: PAYMENT_PROVIDERS }),
		askedAt: integer(),
		cause: text(),
		answer: text({ enum: ANSWERS }),
		/** Questions, and when the next one is due; null while none is open. */
		attempts: integer().notNull().default(0),
		nextAttemptAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("statement_breaks_of_line").on(table.statementId, table.row).where(sql`"row" is not null`),
		uniqueIndex("statement_breaks_missing_there").on(table.organizationId, table.factKind, table.factKey).where(sql`"row" is null`),
		index("statement_breaks_list").on(table.organizationId, table.status, table.createdAt, table.id),
		index("statement_breaks_of_statement").on(table.statementId, table.status, table.createdAt, table.id),
		index("statement_breaks_open").on(table.createdAt, table.id).where(IS_OPEN),
		index("statement_breaks_to_ask").on(table.nextAttemptAt).where(IS_ASKED),
		check("statement_breaks_line", sql`(kind = 'MISSING_THERE') = ("row" is null) and ("row" is null) = (amount is null)`),
		check("statement_breaks_decided", sql`(status in ('RECORDED', 'EXPLAINED')) <= (decided_by is not null and decided_at is not null)`),
	],
);

export type BreakRow = typeof statementBreaks.$inferSelect;

/**
 * What a provider has charged on a day of an account, as its statement has it, less what the tariff's charges of payments and payouts have of
 * it. The row without a number is what these statements set off against charges by tariff that no line names. Triggers write what changes
 * into the journal.
 */
export const providerCharges = sqliteTable(
	"provider_charges",
	{
		organizationId: text().notNull(),
		channel: text({ enum: CHANNELS }).notNull(),
		number: text().notNull(),
		account: text().notNull(),
		currency: text().notNull(),
		day: text().notNull(),
		/** By which the journal knows it. */
		id: text().primaryKey(),
		/** Less what the provider gave back. */
		amount: integer().notNull(),
		/** When the amount was booked last. */
		bookedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("provider_charges_of_day").on(
			...([table.organizationId, table.channel, table.number, table.account, table.currency, table.day] as const),
		),
		index("provider_charges_by_day").on(table.organizationId, table.channel, table.currency, table.day),
		check("provider_charges_amount", sql`amount between -9007199254740991 and 9007199254740991`),
	],
);
