// The portfolios of an organization, one for each loan product: how each account stood when its last day was closed, and the figures of
// each day. A closed day is never changed.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../../../shared/time";
import type { Stage, StagedDay, Staging } from "./stages.policy";

/** Of an account without an organization. */
export const NO_ORGANIZATION = "";

export const portfolios = sqliteTable(
	"portfolios",
	{
		organizationId: text().notNull(),
		loanProductId: text().notNull(),
		/** Names it in work lists; no table refers to it. */
		id: text().notNull(),
		currency: text().notNull(),
		timeZone: text().notNull(),
		/** The last day that is closed; the day before the first account until then. */
		closedThrough: text().$type<CalendarDate>().notNull(),
		/** While days are being closed: the last of them, and the account that was reached. */
		closing: text().$type<CalendarDate>(),
		cursor: text(),
		/** Why the days after `closed_through` wait: the accounts and the figures do not agree. */
		fault: text(),
		faultedAt: integer(),
		/** When the next day can be closed; null while there is a fault. */
		nextCloseAt: integer(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.loanProductId] }),
		uniqueIndex("portfolios_id").on(table.id),
		index("portfolios_due").on(table.nextCloseAt).where(sql`next_close_at is not null`),
		index("portfolios_faulted").on(table.faultedAt, table.id).where(sql`fault is not null`),
		check("portfolios_fault", sql`(fault is null) = (faulted_at is null) and (fault is null or next_close_at is null)`),
	],
);

export type PortfolioRow = typeof portfolios.$inferSelect;

export const loanPositions = sqliteTable(
	"loan_positions",
	{
		organizationId: text().notNull(),
		accountId: text().notNull(),
		loanProductId: text().notNull(),
		/** Something is owed or overpaid, or was posted since the last close: it is closed every day. */
		isOpen: integer({ mode: "boolean" }).notNull().default(true),
		/** The day at whose close nothing was left. */
		closedOn: text().$type<CalendarDate>(),
		/** The first day of which the portfolio knows the account. */
		since: text().$type<CalendarDate>().notNull(),
		/** The last day that was closed with it, how it stood then, and the position of its newest transaction: 0 for none. */
		asOf: text().$type<CalendarDate>().notNull(),
		position: integer().notNull().default(0),
		bookFrom: integer().notNull().default(1),
		principal: integer().notNull().default(0),
		/** Without what of it is overdue, which is `arrears`. */
		interest: integer().notNull().default(0),
		arrears: integer().notNull().default(0),
		penalty: integer().notNull().default(0),
		refundUncovered: integer().notNull().default(0),
		overpaid: integer().notNull().default(0),
		/** Unpaid of the overdue installments, and the due date of the oldest. */
		overdue: integer().notNull().default(0),
		oldestDue: text().$type<CalendarDate>(),
		/** The last day with lines. */
		changedOn: text().$type<CalendarDate>(),
		/** Its way through the stages until the days that were closed last, and until their end. A second walk begins with the first. */
		staging: text({ mode: "json" }).$type<readonly [before: Staging | null, after: Staging]>(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.accountId] }),
		index("loan_positions_open").on(table.organizationId, table.loanProductId, table.accountId).where(sql`is_open`),
		index("loan_positions_ended").on(table.organizationId, table.loanProductId, table.asOf).where(sql`not is_open`),
		index("loan_positions_overdue").on(table.organizationId, table.oldestDue, table.accountId).where(sql`oldest_due is not null`),
		index("loan_positions_overdue_of_product")
			.on(table.organizationId, table.loanProductId, table.oldestDue, table.accountId)
			.where(sql`oldest_due is not null`),
	],
);

export type LoanPositionRow = typeof loanPositions.$inferSelect;

/** Amounts in minor units. The lines are running totals, so a period's are the difference of two rows. */
export const portfolioDays = sqliteTable(
	"portfolio_days",
	{
		organizationId: text().notNull(),
		loanProductId: text().notNull(),
		day: text().$type<CalendarDate>().notNull(),
		principal: integer().notNull(),
		interest: integer().notNull(),
		arrears: integer().notNull(),
		penalty: integer().notNull(),
		refundUncovered: integer().notNull(),
		overpaid: integer().notNull(),
		/** On which anything is owed or overpaid. */
		accounts: integer().notNull(),
		/** The absolute sum of what they owe, are overpaid and have unearned of fees, which the balances and lines must add up to. */
		walked: integer().notNull(),
		/** Of accounts with an installment overdue for more days than these: how many, and the principal that they owe. */
		accountsOver0: integer().notNull(),
		principalOver0: integer().notNull(),
		accountsOver30: integer().notNull(),
		principalOver30: integer().notNull(),
		accountsOver60: integer().notNull(),
		principalOver60: integer().notNull(),
		accountsOver90: integer().notNull(),
		principalOver90: integer().notNull(),
		drawn: integer().notNull(),
		rolledOver: integer().notNull(),
		fees: integer().notNull(),
		feesUnearned: integer().notNull().default(0),
		feesGivenUp: integer().notNull().default(0),
		interestEarned: integer().notNull(),
		penaltiesCharged: integer().notNull(),
		refundedUncovered: integer().notNull(),
		paidPrincipal: integer().notNull(),
		paidInterest: integer().notNull(),
		paidPenalty: integer().notNull(),
		paidRefundUncovered: integer().notNull(),
		waivedPrincipal: integer().notNull(),
		waivedInterest: integer().notNull(),
		waivedPenalty: integer().notNull(),
		waivedRefundUncovered: integer().notNull(),
		writtenOffPrincipal: integer().notNull(),
		writtenOffInterest: integer().notNull(),
		writtenOffPenalty: integer().notNull(),
		writtenOffRefundUncovered: integer().notNull(),
		recovered: integer().notNull(),
		overpaymentReceived: integer().notNull(),
		overpaymentUsed: integer().notNull(),
		refunded: integer().notNull(),
		/** The accounts by stage and by days past due; null for days that were closed before these were kept. */
		stages: text({ mode: "json" }).$type<StagedDay>(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.loanProductId, table.day] }),
		check("portfolio_days_principal", sql`principal = drawn + rolled_over - paid_principal - waived_principal - written_off_principal`),
		check(
			"portfolio_days_interest",
			sql`interest + arrears = fees + interest_earned - paid_interest - waived_interest - written_off_interest`,
		),
		check("portfolio_days_penalty", sql`penalty = penalties_charged - paid_penalty - waived_penalty - written_off_penalty`),
		check(
			"portfolio_days_refund_uncovered",
			sql`refund_uncovered = refunded_uncovered - paid_refund_uncovered - waived_refund_uncovered - written_off_refund_uncovered`,
		),
		check("portfolio_days_overpaid", sql`overpaid = overpayment_received + rolled_over - overpayment_used - refunded`),
	],
);

export type PortfolioDayRow = typeof portfolioDays.$inferSelect;

/** The rules by which loans are in stages: versions, each from a day on. Triggers keep them, and refuse one for a closed day. */
export const provisioningRules = sqliteTable(
	"provisioning_rules",
	{
		organizationId: text().notNull(),
		/** Empty for all products without rules of their own. */
		loanProductId: text().notNull().default(""),
		effectiveFrom: text().$type<CalendarDate>().notNull(),
		id: text().notNull(),
		stages: text({ mode: "json" }).$type<readonly Stage[]>().notNull(),
		cureDays: integer().notNull(),
		approvalId: text().notNull(),
		requestedBy: text().notNull(),
		approvedBy: text().notNull(),
		reason: text(),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.loanProductId, table.effectiveFrom] }),
		index("provisioning_rules_by_organization").on(table.organizationId, table.createdAt, table.id),
		check("provisioning_rules_stages", sql`json_type(stages) = 'array' and json_array_length(stages) between 1 and 6 and cure_days >= 0`),
	],
);

export type ProvisioningRulesRow = typeof provisioningRules.$inferSelect;
