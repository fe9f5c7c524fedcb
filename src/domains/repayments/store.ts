// Finds payments, and records them.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { hole, insertOf, prebuilt } from "../../db/prebuilt";
import { findLoaded } from "../credit-accounts/ledger.store";
import { accountTransactions, allocations, creditCycles, installments } from "../credit-accounts/table";
import { selectAccounts } from "../current-accounts/ledger/store";
import { currentAccountEntries, currentAccounts } from "../current-accounts/table";
import { disbursements } from "../disbursements/table";
import { type PaymentRow, payments } from "./table";

const t = alias(accountTransactions, "t");
const e = alias(currentAccountEntries, "e");
const c = alias(creditCycles, "c");

/** Stands for the organization of payments that operators report for accounts without one. */
export const OPERATORS = "operators";

/** Payments that one commit posts: D1 allows a thousand statements for a request. */
export const MAX_POSTED = 50;

/** The first payments of the account that are recorded and wait to be posted, in the order in which they were made. */
export const findWaiting = (accounts: SQL) => waitingOf({ accounts });

const waitingOf = prebuilt((orm) =>
	orm
		.select()
		.from(payments)
		.where(and(sql`${payments.accountId} in ${hole("accounts")}`, sql`${payments.status} = 'CONFIRMED'`))
		.orderBy(payments.accountId, payments.transactedAt, payments.id)
		.limit(MAX_POSTED),
);

/** Accounts with payments that wait since before the instant: their posting was interrupted. */
export const findAccountsWaiting = (orm: Orm, before: number, limit: number) =>
	orm
		.selectDistinct({ accountId: sql<string>`${payments.accountId}`.as("accountId") })
		.from(payments)
		.where(and(sql`${payments.status} = 'CONFIRMED'`, sql`${payments.createdAt} <= ${before}`))
		.limit(limit);

/** The allocations of the transactions that the subquery selects. */
export const findAllocationsOf = (orm: Orm, transactions: SQL) =>
	orm
		.select()
		.from(allocations)
		.where(sql`${allocations.transactionId} in ${transactions}`)
		.orderBy(allocations.transactionId, allocations.causeId, allocations.sequence);

/** The payments behind the transactions that the subquery selects. */
export const findPaymentsOf = (orm: Orm, transactions: SQL) => orm.select().from(payments).where(sql`${payments.id} in ${transactions}`);

/** What the transactions that the subquery selects settled when they were posted. */
export const findSettledBy = (orm: Orm, transactions: SQL) =>
	orm
		.select()
		.from(allocations)
		.where(sql`${allocations.transactionId} in ${transactions} and ${allocations.causeId} = ${allocations.transactionId}`)
		.orderBy(allocations.transactionId, allocations.causeId, allocations.sequence);

const isReported = sql`${payments.organizationId} = ${hole("organization")} and ${payments.mobileMoneyTransactionId} = ${sql.placeholder("transactionId")}`;
const paymentReported = prebuilt((orm) => orm.select().from(payments).where(isReported));
const settledByReported = prebuilt((orm) => findSettledBy(orm, sql`(select ${payments.id} from ${payments} where ${isReported})`));

/** The payment of this id that the organization was told of, and what it settled. */
export function findReported(organization: SQL, transactionId: string) {
	const values = { organization, transactionId };
	return [paymentReported(values), settledByReported(values)] as const;
}

/** The payment of this id that the organization was told of. */
export const findReceived = (orm: Orm, organizationId: string, transactionId: string) =>
	orm
		.select()
		.from(payments)
		.where(and(eq(payments.organizationId, organizationId), eq(payments.mobileMoneyTransactionId, transactionId)));

/** Records a payment. */
export const insertPayment = insertOf(payments);

/** Records that a payment which waited is posted. Stale if it waits no more. */
export const markPosted = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(payments)
			.set({ status: "POSTED", postedAt: now })
			.where(and(eq(payments.id, id), eq(payments.status, "CONFIRMED"))),
	);

/** Records what an unmatched payment was matched with. Stale if it is matched already. */
export const markMatched = (orm: Orm, id: string, match: Pick<PaymentRow, "status" | "accountId"> & Partial<PaymentRow>): Effect =>
	guarded(
		orm
			.update(payments)
			.set(match)
			.where(and(eq(payments.id, id), eq(payments.status, "UNMATCHED"))),
	);

/** Within a commit: whether the payment is recorded. */
export const isRecorded = ({ id }: PaymentRow) => sql`exists (select 1 from ${payments} where ${payments.id} = ${id})`;

/** Whether no payment of this transaction is recorded. */
export const isUnknown = ({ organizationId, mobileMoneyTransactionId }: PaymentRow) => sql`not exists (select 1 from ${payments}
	where ${payments.organizationId} = ${organizationId} and ${payments.mobileMoneyTransactionId} = ${mobileMoneyTransactionId})`;

/** The installment, if it is the account's. */
export const findInstallment = (orm: Orm, accountId: string, id: string) =>
	orm
		.select()
		.from(installments)
		.where(and(eq(installments.id, id), eq(installments.accountId, accountId)));

/** What `reversibleOf` takes, and the account. With all its history: the transaction may be older than what still matters. */
export function findReversible(orm: Orm, transactionId: string) {
	const accounts: SQL = sql`(select ${t.accountId} from ${accountTransactions} ${t} where ${t.id} = ${transactionId})`;
	const statements = [
		findPayer(orm, transactionId),
		findPayout(orm, transactionId),
		findCredited(orm, transactionId),
		...findLoaded(accounts, "HISTORY"),
	] as const;
	return { accounts, statements };
}

/** The application whose cycle the draw starts: a loan is paid out under its id. */
const applicationOf = (transactionId: string) => sql`(
	select ${c.applicationId} from ${accountTransactions} ${t} join ${creditCycles} ${c} on ${c.id} = ${t.cycleId}
	where ${t.id} = ${transactionId} and ${t.kind} = 'DRAW' and ${t.occurredAt} = ${c.startedAt})`;

/** What paid the draw, the loan or the refund out. */
const findPayout = (orm: Orm, transactionId: string) =>
	orm
		.select()
		.from(disbursements)
		.where(sql`${disbursements.id} in (${transactionId}, ${applicationOf(transactionId)})`);

/** The entry of the current account that got the refund or the draw; a loan's names its application, whose cycle the first draw starts. */
const findCredited = (orm: Orm, transactionId: string) =>
	orm
		.select({ id: currentAccountEntries.id })
		.from(currentAccountEntries)
		.where(
			sql`${currentAccountEntries.type} in ('LOAN_REFUND', 'LOAN_DISBURSEMENT') and ${currentAccountEntries.sourceId} in (
				${transactionId}, ${applicationOf(transactionId)})`,
		);

/** The current account that made the payment. */
const findPayer = (orm: Orm, transactionId: string) =>
	selectAccounts(orm).where(
		sql`${currentAccounts.id} in (
			select ${e.accountId} from ${currentAccountEntries} ${e} where ${e.sourceId} = ${transactionId} and ${e.type} = 'LOAN_REPAYMENT')`,
	);
