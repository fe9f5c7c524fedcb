// Counts what waits for a lender's people. Each statement looks at one more than is counted, along an index of the organization.

import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { type CalendarDate, MINUTE_MS } from "../../shared/time";
import { approvals } from "../approvals/table";
import { paymentConnections } from "../connections/model/table";
import { creditAccounts, IN_ACCOUNT_LIST } from "../credit-accounts/table";
import { disbursements, IS_OPEN } from "../disbursements/model/table";
import { IS_NO_COLLEAGUE } from "../organizations/members/store";
import { loanPositions } from "../portfolio/model/table";
import { statementBreaks, statementDays } from "../reconciliation/table";
import { payments } from "../repayments/table";
import { users } from "../users/model/table";
import type { OverdueRow } from "./lender.wire";
import { type Counted, MOST_COUNTED } from "./wire";

const position = alias(loanPositions, "position");
const creditAccount = alias(creditAccounts, "credit_account");

/** Payouts usually end by themselves, and count once they have not for so long. */
const USUALLY_PAID_MS = 10 * MINUTE_MS;
const LIMIT = MOST_COUNTED + 1;

type Rows = Parameters<typeof sql.join>[0][number];
const counted = (orm: Orm, rows: Rows) =>
	orm.all<Counted>(sql`select count(*) as "count", min(since) as "oldest" from (${rows} limit ${LIMIT})`);

/** Accounts whose oldest unpaid installment is due on the day. */
export const countDue = (orm: Orm, organizationId: string, day: CalendarDate) =>
	orm.all<{ readonly count: number }>(sql`select count(*) as "count" from (
		select 1 from ${creditAccounts} indexed by credit_accounts_due_on
		where ${creditAccounts.organizationId} = ${organizationId} and ${creditAccounts.earliestDue} = ${day} and ${IN_ACCOUNT_LIST}
		limit ${LIMIT})`);

/** Accounts that were overdue when the last day was closed and still are, a row for each currency. `over`: due before these days. */
export const countOverdue = (
	orm: Orm,
	organizationId: string,
	day: CalendarDate,
	over: readonly [CalendarDate, CalendarDate, CalendarDate],
) =>
	orm.all<OverdueRow>(sql`
		select ${creditAccount.currency} as "currency", count(*) as "count", sum(looked_at.overdue) as "value", min(${creditAccount.earliestDue}) as "oldestDue",
			sum(${creditAccount.earliestDue} < ${over[0]}) as "over30", sum(${creditAccount.earliestDue} < ${over[1]}) as "over60", sum(${creditAccount.earliestDue} < ${over[2]}) as "over90"
		from (
			select ${position.accountId} as account_id, ${position.overdue} as overdue from ${loanPositions} ${position}
			where ${position.organizationId} = ${organizationId} and ${position.oldestDue} is not null
			order by ${position.oldestDue}, ${position.accountId} limit ${LIMIT}) looked_at
			cross join ${creditAccounts} ${creditAccount} on ${creditAccount.id} = looked_at.account_id
		where ${creditAccount.earliestDue} < ${day}
		group by ${creditAccount.currency}`);

export const countUnmatched = (orm: Orm, organizationId: string) =>
	counted(
		orm,
		sql`select ${payments.createdAt} as since from ${payments}
			where ${eq(payments.organizationId, organizationId)} and ${payments.status} = 'UNMATCHED' and ${payments.status} <> 'POSTED' order by ${payments.createdAt}`,
	);

export const countWaitingUsers = (orm: Orm, organizationId: string) =>
	counted(
		orm,
		sql`select ${users.createdAt} as since from ${users}
			where ${eq(users.homeOrganizationId, organizationId)} and ${users.status} = 'WAITING_LIST' and ${IS_NO_COLLEAGUE} order by ${users.createdAt}`,
	);

export const countPayouts = (orm: Orm, organizationId: string, now: number) =>
	counted(
		orm,
		sql`select ${disbursements.createdAt} as since from ${disbursements}
			where ${eq(disbursements.organizationId, organizationId)} and ${IS_OPEN} and ${disbursements.createdAt} <= ${now - USUALLY_PAID_MS}`,
	);

export const countApprovals = (orm: Orm, organizationId: string, now: number) =>
	counted(
		orm,
		sql`select ${approvals.createdAt} as since from ${approvals}
			where ${eq(approvals.organizationId, organizationId)} and ${approvals.status} = 'PENDING' and ${approvals.expiresAt} > ${now} order by ${approvals.createdAt}`,
	);

/** The open breaks between statements and what is recorded here, a row for each currency, with the sum of what they make of the difference. */
export const countBreaks = (orm: Orm, organizationId: string) =>
	orm.all<Counted & { readonly currency: string; readonly value: number }>(sql`
		select currency as "currency", count(*) as "count", min(since) as "oldest", sum(difference) as "value" from (
			select ${statementBreaks.currency} as currency, ${statementBreaks.createdAt} as since, ${statementBreaks.difference} as difference from ${statementBreaks}
			where ${eq(statementBreaks.organizationId, organizationId)} and ${statementBreaks.status} = 'OPEN' order by ${statementBreaks.createdAt} limit ${LIMIT})
		group by currency order by currency`);

/** Days whose statement does not tie out. */
export const countUntied = (orm: Orm, organizationId: string) =>
	orm.all<{ readonly count: number }>(sql`select count(*) as "count" from (
		select 1 from ${statementDays} where ${eq(statementDays.organizationId, organizationId)} and ${statementDays.difference} <> 0 limit ${LIMIT})`);

/** There is one for each provider at most. */
export const findConnected = (orm: Orm, organizationId: string) =>
	orm
		.select({
			provider: paymentConnections.provider,
			status: paymentConnections.status,
			pausedReason: paymentConnections.pausedReason,
			pausedUntil: paymentConnections.pausedUntil,
			payouts: paymentConnections.payouts,
			lowFloat: paymentConnections.lowFloat,
		})
		.from(paymentConnections)
		.where(eq(paymentConnections.organizationId, organizationId));
