// The writes that record payments, and that post all of an account together.

import type { SQL } from "drizzle-orm";
import type { Write } from "../../db/database";
import { raise } from "../../events/raise";
import type { Kinds, Message } from "../../messages/catalogue";
import type { Services } from "../../runtime/services";
import { toNumber } from "../../shared/money";
import { type CalendarDate, localDate, toTimestamp } from "../../shared/time";
import { balanceOf } from "../credit-accounts/book/balance.policy";
import { bookOf } from "../credit-accounts/ledger.store";
import { planPosting, todayOf } from "../credit-accounts/postings/plan";
import { valueDateIn } from "../credit-accounts/postings/policy";
import type { Loaded, NewTransaction } from "../credit-accounts/postings/rows.plan";
import type { StoredAllocation } from "../credit-accounts/table";
import { notifyUser } from "../messages/notices.plan";
import { repaymentFailed, repaymentPosted, repaymentReceived, repaymentUnmatched } from "./events";
import { insertPayment, insertPaymentOnce, isRecorded, markPosted, OPERATORS } from "./store";
import type { PaymentRow } from "./table";

const organizationOf = ({ organizationId }: PaymentRow) => (organizationId === OPERATORS ? null : organizationId);

/** The event that a payment was recorded. */
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

/** Records a payment without posting it, unless it is known already. Never contends. */
export const recordOnce = (services: Services, row: PaymentRow): Write[] => [
	insertPaymentOnce(row),
	raiseRecorded(services, row, isRecorded(row)),
];

const earliest = (one: CalendarDate, other: CalendarDate): CalendarDate => (one < other ? one : other);

export type PaymentsPosted = {
	readonly writes: readonly Write[];
	readonly rows: readonly PaymentRow[];
	readonly allocations: readonly StoredAllocation[];
};

/**
 * Posts the payments to the account, in one commit. `fresh`: one of them that is not recorded yet. `before`: what is posted to the account in
 * the same posting, before them.
 */
export async function postPayments(
	services: Services,
	loaded: Loaded,
	waiting: readonly PaymentRow[],
	fresh?: PaymentRow,
	before: readonly NewTransaction[] = [],
): Promise<PaymentsPosted> {
	const { now } = services;
	const { account } = loaded;
	const book = bookOf(loaded);
	const rows = (fresh ? [...waiting, fresh] : waiting).map((row): PaymentRow => ({ ...row, status: "POSTED", postedAt: now }));
	const posted = planPosting(services, loaded, [
		...before,
		...rows.map(({ id, amount, transactedAt }) => ({
			id,
			kind: "REPAYMENT" as const,
			amount,
			// A reporter's clock may be minutes ahead, beyond midnight: the account owes it all today otherwise.
			valueDate: valueDateIn(book, earliest(localDate(transactedAt, account.terms.timeZone), todayOf(account, now))),
			occurredAt: transactedAt,
		})),
	]);
	const outstanding = toNumber(balanceOf(posted.posting.ledger).totalOutstanding);
	const freshRow = fresh && rows.at(-1);
	const left = { amount: outstanding, currency: account.currency };
	const receiptOf = (sum: Kinds["sum"]): Message =>
		outstanding === 0 ? { key: "PAYMENT_RECEIVED_IN_FULL", values: { sum } } : { key: "PAYMENT_RECEIVED", values: { sum, left } };
	const receipts = rows.map(({ amount, currency }) => notifyUser(services, account.userId, "REPAYMENTS", receiptOf({ amount, currency })));
	return {
		rows,
		allocations: posted.allocations,
		writes: [
			...waiting.map(({ id }) => markPosted(id, now)),
			...(fresh && freshRow ? [insertPayment(freshRow), raiseRecorded(services, fresh)] : []),
			...posted.writes,
			...(await Promise.all(receipts)).flat(),
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
