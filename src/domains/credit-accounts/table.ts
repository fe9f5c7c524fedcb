// Credit accounts, their cycles, and the installments of each cycle. A cycle is one disbursed balance and its schedule.
// Overdue amounts, earned interest and penalties are computed from these rows and the date; they are not stored.

import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { FrozenTerms } from "../loans/products/policy";

const CREDIT_ACCOUNT_STATUSES = ["PENDING", "ACTIVE", "SUSPENDED", "IN_ARREARS", "DEFAULTED", "CLOSED", "WRITTEN_OFF"] as const;
export type CreditAccountStatus = (typeof CREDIT_ACCOUNT_STATUSES)[number];

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
	},
	(table) => [
		uniqueIndex("credit_accounts_once").on(table.userId, table.loanProductId),
		index("credit_accounts_list").on(table.userId, table.createdAt, table.id),
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
		/** The transaction of the disbursement; null when no outside provider moved the money. */
		mobileMoneyTransactionId: text(),
		/** The instant at which the whole cycle was repaid. */
		paidAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [uniqueIndex("credit_cycles_number").on(table.accountId, table.number)],
);

export const installments = sqliteTable(
	"installments",
	{
		id: text().primaryKey(),
		accountId: text().notNull(),
		cycleId: text().notNull(),
		position: integer().notNull(),
		/** Interest of the installment runs over the days after `startDate` up to and including `dueDate`. */
		startDate: text().notNull(),
		dueDate: text().notNull(),
		/** WAIVED: the lender gave up the unpaid rest. */
		status: text({ enum: ["OPEN", "SETTLED", "WAIVED"] }).notNull(),
		/** As charged. `interest` includes the fee; `fee` is that part of it. */
		principal: integer().notNull(),
		interest: integer().notNull(),
		fee: integer().notNull(),
		principalPaid: integer().notNull(),
		interestPaid: integer().notNull(),
		settledAt: integer(),
	},
	(table) => [
		uniqueIndex("installments_position").on(table.cycleId, table.position),
		index("installments_of_account").on(table.accountId, table.dueDate, table.position),
	],
);
