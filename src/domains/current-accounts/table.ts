// Current accounts and their entries. The columns `position` to `weighted` of an account are sums over its entries: triggers move
// them and refuse every other change (`ledger.triggers.sql`), except that a one-time password sets what was ordered without one to 0. Days are dates of the account's own calendar.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CONTRA_SIDES, ENTRY_TYPES, PHASES } from "./entries.policy";
import { ACCOUNT_STATES, WALLET_STATES } from "./lifecycle";

export const currentAccounts = sqliteTable(
	"current_accounts",
	{
		id: text().primaryKey(),
		accountNumber: text().notNull(),
		userId: text().notNull(),
		/** The user's home organization: it gets the account's events. */
		organizationId: text(),
		currency: text().notNull(),
		timeZone: text().notNull(),
		status: text({ enum: ACCOUNT_STATES }).notNull(),
		walletOnboardingStatus: text({ enum: WALLET_STATES }).notNull(),
		rejectionReasons: text({ mode: "json" }).$type<readonly string[]>().notNull(),
		/** How often it was submitted to the custodian. */
		round: integer().notNull(),
		externalProvider: text().notNull(),
		externalAccountId: text(),
		externalAccountNumber: text(),
		position: integer().notNull().default(0),
		balance: integer().notNull().default(0),
		held: integer().notNull().default(0),
		/** Of the last entry; before the first one the day of opening. */
		day: text().notNull(),
		/** Ordered on that day, for the daily limit. */
		outTotal: integer().notNull().default(0),
		/** Ordered without a one-time password: since the owner's last one, of that on the day, and of that to payees that none has confirmed. */
		uncoded: integer().notNull().default(0),
		uncodedToday: integer().notNull().default(0),
		uncodedNew: integer().notNull().default(0),
		/** The sum of amount times rate index, and 3,650,000 times the interest paid. Beyond 2^53, so only SQL may read it. */
		weighted: integer().notNull().default(0),
		/** FROZEN: the recovery of the owner's number that froze it and releases it; null when an operator froze it. */
		frozenFor: text(),
		/** The Monday on which interest is paid next. */
		interestDueOn: text().notNull(),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("current_accounts_number").on(table.accountNumber),
		uniqueIndex("current_accounts_one_open").on(table.userId).where(sql`status <> 'CLOSED'`),
		index("current_accounts_list").on(table.userId, table.createdAt, table.id),
		index("current_accounts_of").on(table.organizationId, table.createdAt, table.id).where(sql`status <> 'CLOSED'`),
		index("current_accounts_undecided")
			.on(table.updatedAt, table.id)
			.where(sql`wallet_onboarding_status = 'SUBMITTED' and status <> 'CLOSED'`),
		index("current_accounts_interest").on(table.interestDueOn).where(sql`status <> 'CLOSED'`),
		check("current_accounts_funds", sql`held >= 0 and balance >= held and balance <= 1000000000000`),
		check("current_accounts_closed_empty", sql`status <> 'CLOSED' or (balance = 0 and held = 0)`),
		// An overflow of SQLite's integers becomes a rounded real.
		check(
			"current_accounts_exact",
			sql`typeof(weighted) = 'integer' and typeof(balance) = 'integer' and typeof(held) = 'integer' and typeof(out_total) = 'integer'`,
		),
	],
);

/** An account as code may read it. */
export type CurrentAccountRow = Omit<typeof currentAccounts.$inferSelect, "weighted">;

/**
 * The condition of the index by source. SQLite uses it only for a query that contains exactly this condition. A movement of the custodian is
 * posted once by its own row in `custodian_movements`, whose key is the custodian's id.
 */
export const HAS_A_SOURCE_OF_OURS = sql`contra <> 'CUSTODY'`;

export const currentAccountEntries = sqliteTable(
	"current_account_entries",
	{
		accountId: text().notNull(),
		position: integer().notNull(),
		id: text().notNull(),
		type: text({ enum: ENTRY_TYPES }).notNull(),
		phase: text({ enum: PHASES }).notNull(),
		/** The change of the balance. */
		amount: integer().notNull(),
		/** The change of what is held. */
		hold: integer().notNull(),
		/** The change of what counts towards the day's limit. */
		counted: integer().notNull(),
		/** What was ordered without a one-time password, and of that to a payee that none has confirmed. */
		uncoded: integer().notNull().default(0),
		uncodedNew: integer().notNull().default(0),
		balanceAfter: integer().notNull(),
		heldAfter: integer().notNull(),
		day: text().notNull(),
		/** Of the day, since the account was opened. */
		rateIndex: integer().notNull(),
		/** The movement, transfer, payday or payment behind the entry. */
		sourceId: text().notNull(),
		contra: text({ enum: CONTRA_SIDES }).notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.accountId, table.position] }),
		uniqueIndex("current_account_entries_once").on(table.sourceId, table.accountId, table.contra, table.phase).where(HAS_A_SOURCE_OF_OURS),
		// What moved the balance, which holds and releases do not, in order: days never descend along the positions. The literal
		// condition lets SQLite use the index.
		index("current_account_entries_moves").on(table.accountId, table.day, table.position).where(sql`amount <> 0`),
		index("current_account_entries_loans").on(table.accountId, table.sourceId).where(sql`type = 'LOAN_REPAYMENT'`),
		check("current_account_entries_phase", sql`(phase = 'HOLD') = (type = 'HOLD')`),
		check("current_account_entries_exact", sql`typeof(amount) = 'integer' and typeof(hold) = 'integer' and typeof(rate_index) = 'integer'`),
		check(
			"current_account_entries_shape",
			sql`case type
				when 'HOLD' then amount = 0 and hold > 0
				when 'RELEASE' then amount = 0 and hold < 0
				when 'SETTLE' then amount < 0 and hold = amount
				when 'MOVEMENT' then amount <> 0 and hold = 0
				when 'TRANSFER_OUT' then amount < 0 and hold = 0
				when 'LOAN_REPAYMENT' then amount < 0 and hold = 0
				else amount > 0 and hold = 0 end`,
		),
	],
);

export type CurrentAccountEntryRow = typeof currentAccountEntries.$inferSelect;
