// Finds payments, and builds the writes that record them and post all of an account's together.

import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { hole, insertOf, prebuilt } from "../../db/prebuilt";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { toNumber } from "../../shared/money";
import { localDate, toTimestamp } from "../../shared/time";
import { balanceOf } from "../credit-accounts/book/balance.policy";
import { bookOf } from "../credit-accounts/ledger.store";
import { valueDateIn } from "../credit-accounts/postings/policy";
import type { Loaded } from "../credit-accounts/postings/rows.store";
import { planPosting } from "../credit-accounts/postings/store";
import { allocations, type StoredAllocation } from "../credit-accounts/table";
import { repaymentFailed, repaymentPosted, repaymentReceived, repaymentUnmatched } from "./events";
import { type PaymentRow, payments } from "./table";

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
		.where(and(sql`${payments.accountId} in ${hole("accounts")}`, sql`status = 'CONFIRMED'`))
		.orderBy(payments.accountId, payments.transactedAt, payments.id)
		.limit(MAX_POSTED),
);

/** Accounts with payments that wait since before the instant: their posting was interrupted. */
export const findAccountsWaiting = (orm: Orm, before: number, limit: number) =>
	orm
		.selectDistinct({ accountId: sql<string>`${payments.accountId}`.as("accountId") })
		.from(payments)
		.where(and(sql`status = 'CONFIRMED'`, sql`${payments.createdAt} <= ${before}`))
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

/** Records a payment. */
export const insertPayment = insertOf(payments);

const organizationOf = ({ organizationId }: PaymentRow) => (organizationId === OPERATORS ? null : organizationId);

/** The event that tells that a payment was recorded. */
export function raiseRecorded(services: Services, row: PaymentRow, when?: SQL): Write {
	const { id, accountId, amount, currency } = row;
	const about = { organizationId: organizationOf(row), entityId: id, ...(when && { when }) };
	if (row.status === "UNMATCHED") {
		return raise(services, repaymentUnmatched, { ...about, data: { unmatched_payment_id: id, amount, currency } });
	}
	const data = { transaction_id: id, amount, currency };
	if (row.status === "FAILED") {
		const failed = { ...data, account_id: accountId, failure_reason: row.failureReason ?? "UNKNOWN" };
		return raise(services, repaymentFailed, { ...about, data: failed });
	}
	if (accountId === null) throw new Error("a payment without an account is UNMATCHED or FAILED");
	return raise(services, repaymentReceived, { ...about, data: { ...data, account_id: accountId } });
}

/** Within a commit: whether the payment is recorded. */
export const isRecorded = ({ id }: PaymentRow) => sql`exists (select 1 from ${payments} where ${payments.id} = ${id})`;

/** Records a payment without posting it, unless it is known already. Never contends. */
export const recordOnce = (services: Services, row: PaymentRow): Write[] => [
	services.db.orm.insert(payments).values(row).onConflictDoNothing(),
	raiseRecorded(services, row, isRecorded(row)),
];

export type PaymentsPosted = {
	readonly writes: readonly Write[];
	readonly rows: readonly PaymentRow[];
	readonly allocations: readonly StoredAllocation[];
};

/** Posts the payments to the account, in one commit. `fresh`: one of them that is not recorded yet. */
export function postPayments(services: Services, loaded: Loaded, waiting: readonly PaymentRow[], fresh?: PaymentRow): PaymentsPosted {
	const { db, now } = services;
	const { account } = loaded;
	const book = bookOf(loaded);
	const rows = (fresh ? [...waiting, fresh] : waiting).map((row): PaymentRow => ({ ...row, status: "POSTED", postedAt: now }));
	const posted = planPosting(
		services,
		loaded,
		rows.map(({ id, amount, transactedAt }) => ({
			id,
			kind: "REPAYMENT",
			amount,
			valueDate: valueDateIn(book, localDate(transactedAt, account.terms.timeZone)),
			occurredAt: transactedAt,
		})),
	);
	const outstanding = toNumber(balanceOf(posted.posting.ledger).totalOutstanding);
	const freshRow = fresh && rows.at(-1);
	return {
		rows,
		allocations: posted.allocations,
		writes: [
			...waiting.map(({ id }) =>
				guarded(
					db.orm
						.update(payments)
						.set({ status: "POSTED", postedAt: now })
						.where(and(eq(payments.id, id), eq(payments.status, "CONFIRMED"))),
				),
			),
			...(fresh && freshRow ? [insertPayment(freshRow), raiseRecorded(services, fresh)] : []),
			...posted.writes,
			...rows.map((row) => {
				const live = posted.allocations.filter(({ transactionId, causeId }) => transactionId === row.id && causeId === row.id);
				return raise(services, repaymentPosted, {
					organizationId: account.organizationId,
					entityId: row.id,
					data: {
						transaction_id: row.id,
						account_id: account.id,
						amount: row.amount,
						fee_amount: row.feeAmount,
						currency: row.currency,
						allocations: live.map(({ installmentId, allocatedAmount, effect }) => ({
							installment_id: installmentId,
							allocated_amount: allocatedAmount,
							effect,
						})),
						overpaid_amount: row.amount - live.reduce((sum, { allocatedAmount }) => sum + allocatedAmount, 0),
						total_outstanding: outstanding,
						posted_at: toTimestamp(now),
					},
				});
			}),
		],
	};
}
