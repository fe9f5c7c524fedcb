// Credit accounts with their cycles, installments, transactions and allocations. Transactions are the facts from which the book
// computes everything else: what is owed, overdue and earned is not stored, except for the caches on the account.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CalendarDate, Span } from "../../shared/time";
import type { RateBand } from "../loan-products/model/limits.policy";
import type { FrozenTerms } from "../loan-products/model/policy";
import { ALLOCATION_EFFECTS, ALLOCATION_SOURCES, ALLOCATION_TIMINGS } from "./book/allocation-rows.policy";
import { FACT_KINDS } from "./book/facts.policy";

const CREDIT_ACCOUNT_STATUSES = ["PENDING", "ACTIVE", "SUSPENDED", "IN_ARREARS", "DEFAULTED", "CLOSED", "WRITTEN_OFF"] as const;
export type CreditAccountStatus = (typeof CREDIT_ACCOUNT_STATUSES)[number];

/** What lists of accounts show. SQLite uses the partial index only for a query that contains exactly this condition. */
export const IN_ACCOUNT_LIST = sql`status not in ('PENDING', 'CLOSED')`;

/** Those that somebody looks for by their state, as in the index of these. */
export const NEEDS_A_LOOK = sql`status in ('SUSPENDED', 'IN_ARREARS', 'DEFAULTED', 'WRITTEN_OFF')`;

export const creditAccounts = sqliteTable(
	"credit_accounts",
	{
		id: text().primaryKey(),
		/** What payers type in: ten digits and a check digit. */
		accountNumber: text().notNull().unique(),
		userId: text().notNull(),
		/** The user's home organization, to which the account's events belong. */
		organizationId: text(),
		loanProductId: text().notNull(),
		/** PENDING until the first disbursement. */
		status: text({ enum: CREDIT_ACCOUNT_STATUSES }).notNull(),
		currency: text().notNull(),
		/** The terms of the newest cycle; before the first cycle, those of the first application. */
		terms: text({ mode: "json" }).$type<FrozenTerms>().notNull(),
		/** Loans closed in a row without an overdue day since the last default; each one raises the limit. */
		loansRepaidOnTime: integer().notNull().default(0),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
		openedAt: integer(),
		/** The position of the newest transaction. Every posting requires it to be unchanged. */
		lastPosition: integer().notNull().default(0),
		/** The book is the facts from this position on; nothing before it matters any more. */
		bookFrom: integer().notNull().default(1),
		/** Caches of the book at its last posting. */
		principalOutstanding: integer().notNull().default(0),
		overpaidAmount: integer().notNull().default(0),
		/** Due date of the oldest installment that is not settled. */
		earliestDue: text(),
		/** The next instant at which time alone changes the account. */
		nextWorkAt: integer(),
		/** Notices, overdue installments and default up to this day have been dealt with. */
		workedThrough: text().$type<CalendarDate>(),
		/** The day of the last event that the cap on charges in default was reached. */
		inDuplumToldOn: text().$type<CalendarDate>(),
		/** Of the product when the account was made. */
		rateSchedule: text({ mode: "json" }).$type<readonly RateBand[]>().notNull(),
		/** Chosen for the next cycle. */
		nextTenure: text({ mode: "json" }).$type<Span>(),
		autoRenews: integer({ mode: "boolean" }).notNull().default(false),
	},
	(table) => [
		uniqueIndex("credit_accounts_once").on(table.userId, table.loanProductId),
		index("credit_accounts_work").on(table.nextWorkAt).where(sql`next_work_at is not null`),
		index("credit_accounts_list").on(table.userId, table.createdAt, table.id),
		index("credit_accounts_of").on(table.organizationId, table.createdAt, table.id).where(IN_ACCOUNT_LIST),
		index("credit_accounts_due_on").on(table.organizationId, table.earliestDue, table.id).where(sql`earliest_due is not null`),
		index("credit_accounts_outstanding")
			.on(table.organizationId, table.principalOutstanding, table.id)
			.where(sql`principal_outstanding > 0`),
		index("credit_accounts_of_product").on(table.organizationId, table.loanProductId, table.createdAt, table.id),
		index("credit_accounts_by_status").on(table.organizationId, table.status, table.createdAt, table.id).where(NEEDS_A_LOOK),
	],
);

export type CreditAccountRow = typeof creditAccounts.$inferSelect;

export const creditCycles = sqliteTable(
	"credit_cycles",
	{
		id: text().primaryKey(),
		accountId: text().notNull(),
		/** From 1, without gaps. */
		number: integer().notNull(),
		/** The application that the cycle pays out. Unique, so that no application is paid out twice. */
		applicationId: text().unique(),
		balanceId: text().notNull(),
		status: text({ enum: ["OPEN", "CLOSED"] }).notNull(),
		principal: integer().notNull(),
		fee: integer().notNull(),
		terms: text({ mode: "json" }).$type<FrozenTerms>().notNull(),
		/** Calendar dates in the terms' time zone; interest runs from the day after the start. */
		startDate: text().notNull(),
		finalDueDate: text().notNull(),
		/** The instant at which the money moved. */
		startedAt: integer().notNull(),
		/** The cycle whose principal rolled into this one. */
		rolledFromId: text(),
		/** The transaction of the disbursement; null when no outside provider moved the money. */
		mobileMoneyTransactionId: text(),
		/** The instant at which the whole cycle was repaid. */
		paidAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [uniqueIndex("credit_cycles_number").on(table.accountId, table.number)],
);

export type CreditCycleRow = typeof creditCycles.$inferSelect;

/**
 * The schedule as agreed when the cycle started. How an installment stands follows from the book. Its id alone has no index, which would cost
 * each installment a row: it is looked up among those of its cycle, or of its account's cycles.
 */
export const installments = sqliteTable(
	"installments",
	{
		id: text().notNull(),
		accountId: text().notNull(),
		cycleId: text().notNull(),
		position: integer().notNull(),
		/** Interest of the installment runs over the days after `startDate` up to and including `dueDate`. */
		startDate: text().notNull(),
		dueDate: text().notNull(),
		/** `interest` includes the fee; `fee` is that part of it. */
		principal: integer().notNull(),
		interest: integer().notNull(),
		fee: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.cycleId, table.position] })],
);

export type InstallmentRow = typeof installments.$inferSelect;

/** What the list of transactions shows. SQLite uses the partial index only for a query that contains exactly this condition. */
export const IN_TRANSACTION_LIST = sql`kind in ('REPAYMENT', 'REVERSAL', 'WAIVER', 'REFUND', 'WRITE_OFF', 'RESCHEDULE', 'SETTLEMENT')`;

/** Append-only by trigger. */
export const accountTransactions = sqliteTable(
	"account_transactions",
	{
		id: text().primaryKey(),
		accountId: text().notNull(),
		/** The account's, for lists of all accounts; empty where it has none. */
		organizationId: text(),
		/** From 1, in the order of posting. */
		position: integer().notNull(),
		kind: text({ enum: FACT_KINDS }).notNull(),
		/** The local day on which it counts, stored because time zones change. */
		valueDate: text().$type<CalendarDate>().notNull(),
		/** Positive, but for corrections. */
		amount: integer().notNull(),
		cycleId: text(),
		installmentId: text(),
		reversesId: text(),
		/** Of a reschedule: the due dates from then on. */
		dueDates: text({ mode: "json" }).$type<readonly CalendarDate[]>(),
		/** Of a settlement: the last day on which its amount may be paid. */
		validUntil: text().$type<CalendarDate>(),
		/** Of a penalty in its installment; of a reversal among those of what it reverses. */
		number: integer(),
		/** The transaction whose posting changed a penalty. */
		causeId: text(),
		reason: text(),
		/** The operator or user who ordered it. */
		actor: text(),
		/** When it happened, as its source reports it. */
		occurredAt: integer().notNull(),
		postedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("account_transactions_position").on(table.accountId, table.position),
		uniqueIndex("account_transactions_reversed_once").on(table.reversesId, table.number).where(sql`reverses_id is not null`),
		uniqueIndex("account_transactions_penalty_once").on(table.installmentId, table.number).where(sql`kind = 'PENALTY'`),
		index("account_transactions_of").on(table.organizationId, table.postedAt, table.id),
		index("account_transactions_list").on(table.accountId, table.postedAt, table.id).where(IN_TRANSACTION_LIST),
		check("account_transactions_amount", sql`amount > 0 or kind = 'PENALTY_CORRECTION'`),
		check("account_transactions_reverses", sql`(kind = 'REVERSAL') = (reverses_id is not null)`),
	],
);

export type AccountTransactionRow = typeof accountTransactions.$inferSelect;

/**
 * Append-only by trigger: what a transaction settles of an installment, and the signed differences that later postings make to it. Its id alone
 * has no index either: it is looked up among those of its account's transactions.
 */
export const allocations = sqliteTable(
	"allocations",
	{
		id: text().notNull(),
		transactionId: text().notNull(),
		/** The transaction that was posted when the row was written. */
		causeId: text().notNull(),
		sequence: integer().notNull(),
		accountId: text().notNull(),
		cycleId: text().notNull(),
		balanceId: text().notNull(),
		installmentId: text().notNull(),
		/** Of the installment in its cycle. */
		position: integer().notNull(),
		allocatedAmount: integer().notNull(),
		principalAmount: integer().notNull(),
		interestAmount: integer().notNull(),
		arrearsAmount: integer().notNull(),
		/** Of the arrears. */
		penaltyAmount: integer().notNull(),
		effect: text({ enum: ALLOCATION_EFFECTS }).notNull(),
		source: text({ enum: ALLOCATION_SOURCES }).notNull(),
		timing: text({ enum: ALLOCATION_TIMINGS }).notNull(),
		allocatedAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.transactionId, table.causeId, table.sequence] }),
		index("allocations_of_installment").on(table.installmentId, table.allocatedAt, table.id),
		check("allocations_sum", sql`allocated_amount = principal_amount + interest_amount + arrears_amount`),
		check("allocations_source", sql`(source = 'REPLAY') = (cause_id <> transaction_id)`),
	],
);

export type StoredAllocation = typeof allocations.$inferSelect;
