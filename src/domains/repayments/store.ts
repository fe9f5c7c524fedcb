// Finds payments, and records them.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { hole, insertOf, insertOnceOf, prebuilt } from "../../db/prebuilt";
import { first } from "../../db/reads";
import { isInstallmentOf } from "../credit-accounts/ledger.store";
import { accountTransactions, allocations, installments } from "../credit-accounts/table";
import { COUNTS, type PaymentRow, payments } from "./table";

const accountTransaction = alias(accountTransactions, "account_transaction");

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

/** The reversals of the transactions that the subquery selects, the oldest first, without those that are undone. */
export const findStandingReversals = (orm: Orm, transactions: SQL) =>
	orm
		.select({ id: accountTransactions.id, reversesId: accountTransactions.reversesId, amount: accountTransactions.amount })
		.from(accountTransactions)
		.where(
			sql`${accountTransactions.reversesId} is not null and ${accountTransactions.reversesId} in ${transactions}
				and not exists (select 1 from ${accountTransactions} ${accountTransaction} where ${accountTransaction.reversesId} = ${accountTransactions.id})`,
		)
		.orderBy(accountTransactions.reversesId, accountTransactions.number);

/** What the transactions that the subquery selects settled when they were posted. */
export const findSettledBy = (orm: Orm, transactions: SQL) =>
	orm
		.select()
		.from(allocations)
		.where(sql`${allocations.transactionId} in ${transactions} and ${allocations.causeId} = ${allocations.transactionId}`)
		.orderBy(allocations.transactionId, allocations.causeId, allocations.sequence);

const isReported = sql`${payments.organizationId} = ${hole("organization")} and ${payments.mobileMoneyTransactionId} = ${sql.placeholder("transactionId")}
	and ${COUNTS}`;
const paymentReported = prebuilt((orm) => orm.select().from(payments).where(isReported));
const settledByReported = prebuilt((orm) => findSettledBy(orm, sql`(select ${payments.id} from ${payments} where ${isReported})`));

/** The payment of this id that the organization got, and what it settled. */
export function findReported(organization: SQL, transactionId: string) {
	const values = { organization, transactionId };
	return { payment: first(paymentReported(values)), settled: settledByReported(values) };
}

/** The payment of this id that the organization got. */
export const findReceived = (orm: Orm, organizationId: string, transactionId: string) =>
	orm.select().from(payments).where(ofReceipt(organizationId, transactionId));

/** The payment of this receipt, as which it counts now. */
export const ofReceipt = (organizationId: string, transactionId: string) =>
	and(eq(payments.organizationId, organizationId), eq(payments.mobileMoneyTransactionId, transactionId), COUNTS);

/** Records a payment. */
export const insertPayment = insertOf(payments);
/** The same, unless it is known. */
export const insertPaymentOnce = insertOnceOf(payments);

/** Records that a payment which waited is posted. Stale if it waits no more. */
export const markPosted = (id: string, now: number): Effect => guarded(posted({ id, now }));

const posted = prebuilt((orm) =>
	orm
		.update(payments)
		.set({ status: "POSTED", postedAt: sql`${sql.placeholder("now")}` })
		.where(and(eq(payments.id, sql.placeholder("id")), eq(payments.status, "CONFIRMED"))),
);

type Change = Pick<PaymentRow, "id" | "status" | "reversedAmount">;

/** Stale when something of it was reversed or restored since it was read. */
const isAsRead = ({ id, status, reversedAmount }: Change) =>
	and(eq(payments.id, id), eq(payments.status, status), eq(payments.reversedAmount, reversedAmount));

/** Records what reversals have left of a posted payment. `reversedById`: the newest that stands. `movedAs`: as which it counts from now on. */
export function markRemaining(
	orm: Orm,
	payment: PaymentRow,
	change: { remaining: number; reversedById: string | null; movedAs?: string | undefined; now: number },
): Effect {
	const { remaining, reversedById, movedAs, now } = change;
	const status = remaining === 0 ? "REVERSED" : "POSTED";
	const moved = movedAs === undefined ? {} : { movedAsId: movedAs };
	const reversedAmount = payment.amount - remaining;
	return guarded(
		orm
			.update(payments)
			.set({ status, reversedAmount, reversedById, ...moved, changedAt: now })
			.where(isAsRead(payment)),
	);
}

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
	where ${payments.organizationId} = ${organizationId} and ${payments.mobileMoneyTransactionId} = ${mobileMoneyTransactionId}
		and ${COUNTS})`;

/** The installment, if it is the account's. */
export const findInstallment = (orm: Orm, accountId: string, id: string) =>
	orm.select().from(installments).where(isInstallmentOf(accountId, id));
