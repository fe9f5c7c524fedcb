// Decides whether the money of a payment can go back to its payer, and returns the writes that order, end and give up a return.

import { type SQL, sql } from "drizzle-orm";
import type { Orm, Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { raise } from "../../../events/raise";
import { verifiedFingerprint } from "../../../providers/daraja/callbacks";
import type { Services } from "../../../runtime/services";
import { delayAfter } from "../../../shared/backoff";
import { findConnection, isConnectedTo } from "../../connections/model/store";
import type { ConnectionRow } from "../../connections/model/table";
import { replay } from "../../credit-accounts/book/book.policy";
import { bookOf } from "../../credit-accounts/ledger.store";
import { todayOf } from "../../credit-accounts/postings/plan";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import { type PaymentRow, payments } from "../table";
import { moneyReturned, returnFailed } from "./events";
import { endFailed, endGivenUp, endReturned, insertReturn, isNotReturned, isStillBeingOrdered } from "./store";
import type { ReturnRow } from "./table";

const PROVIDER = "daraja";
/** It takes no cents. */
const UNIT = 100;

/** The connection of the payment's organization, with `findReversible`. */
export const findReturnable = (orm: Orm, paymentId: string) =>
	findConnection(orm, {
		organizationId: sql`(select ${payments.organizationId} from ${payments} where ${payments.id} = ${paymentId})`,
		provider: PROVIDER,
	});

type Returnable = {
	readonly connection: ConnectionRow | undefined;
	readonly found: {
		readonly payment: PaymentRow | undefined;
		/** How its money went back before. */
		readonly back: ReturnRow | undefined;
		/** The account that the payment was posted to. */
		readonly loaded: Loaded;
		readonly original: { readonly id: string };
	};
	/** The transaction that reverses the payment. */
	readonly reversal: { readonly id: string; readonly amount: number };
};

/** The writes belong in the commit that reverses the payment. The order is sent after it. */
export async function planReturn(services: Services, { connection, found, reversal }: Returnable) {
	const { payment, back } = found;
	if (!payment || payment.accountId === null || !connection || !(await wasPaidThrough(connection, payment))) return refused("NOT_VERIFIED");
	if (back) return refused("RETURNED_BEFORE");
	if (reversal.amount !== payment.amount) return refused("RETURN_OF_PART");
	if (isRefunded(services, found)) return refused("REFUNDED");
	if (!connection.hasInitiator) return refused("NO_INITIATOR");
	if (payment.amount % UNIT !== 0) return refused("RETURN_OF_CENTS");
	const { id, organizationId, accountId, amount, currency, mobileMoneyTransactionId: receipt } = payment;
	const { now } = services;
	const { provider, shortCode } = connection;
	const row: ReturnRow = {
		...{ id, reversalId: reversal.id, organizationId, accountId, provider, shortCode, receipt, amount, currency },
		status: "PENDING",
		attempts: 1,
		harmlessAttempts: 0,
		nextAttemptAt: now + delayAfter(1),
		failureReason: null,
		transactionId: null,
		contradiction: null,
		givenUpReason: null,
		createdAt: now,
		endedAt: null,
		cause: services.requestId,
	};
	return { accepted: true, row, writes: [orStaleUnless(isConnectedTo(connection)), insertReturn(row)] } as const;
}

export const RETURN_REFUSALS = {
	NOT_VERIFIED: "The money can be returned of payments only that the organization's M-Pesa connection has verified",
	RETURNED_BEFORE: "Its money is already being returned: see `money_return` of the payment",
	RETURN_OF_PART: "The money of a payment is returned whole only",
	REFUNDED: "Its overpaid amount is refunded already: returning its money too would pay twice",
	NO_INITIATOR: "The organization's M-Pesa connection needs an initiator, to return money",
	RETURN_OF_CENTS: "No cents can be returned",
} as const;

const refused = (reason: keyof typeof RETURN_REFUSALS) => ({ accepted: false, reason }) as const;

/** Whether without the payment more would be refunded than was overpaid. */
function isRefunded({ now }: Services, { loaded, original }: Returnable["found"]): boolean {
	const today = todayOf(loaded.account, now);
	const uncovered = (transactions: Loaded["transactions"]) => replay(bookOf({ ...loaded, transactions }), today).uncoveredRefund;
	return uncovered(loaded.transactions.filter(({ id }) => id !== original.id)) > uncovered(loaded.transactions);
}

/** Whether the provider itself has said that the payment was made, to the shortcode that the connection still is. */
async function wasPaidThrough({ shortCode }: ConnectionRow, payment: PaymentRow): Promise<boolean> {
	const { details, fingerprint, mobileMoneyTransactionId, amount } = payment;
	const paid = details.type === "PAY_BILL" ? details.paybill_number : details.type === "BUY_GOODS" ? details.till_number : undefined;
	return paid === shortCode && fingerprint === (await verifiedFingerprint(mobileMoneyTransactionId, amount));
}

const about = ({ id, reversalId, accountId, amount, currency }: ReturnRow) => ({
	transaction_id: id,
	reversal_transaction_id: reversalId,
	account_id: accountId,
	amount,
	currency,
});

/** Ends it as returned, after every earlier report. */
export function settleReturn(services: Services, row: ReturnRow, transactionId: string | null): Write[] {
	const { id, organizationId } = row;
	const data = { ...about(row), mobile_money_transaction_id: transactionId };
	return [
		raise(services, moneyReturned, { organizationId, entityId: id, data, when: isNotReturned(id) }),
		endReturned(services.db.orm, id, transactionId, services.now),
	];
}

/** Informs somebody that the provider will not do it, while it is ordered. */
export function failReturn(services: Services, row: ReturnRow, reason: string, when: SQL = isStillBeingOrdered(row.id)): Write[] {
	return [raiseFailed(services, row, reason, when), endFailed(services.db.orm, row.id, reason, when)];
}

/** Stale when it has ended meanwhile. */
export const giveUp = (services: Services, row: ReturnRow, reason: string): Write[] => [
	raiseFailed(services, row, "GIVEN_UP"),
	endGivenUp(services.db.orm, row.id, reason, services.now),
];

const raiseFailed = (services: Services, row: ReturnRow, reason: string, when?: SQL): Write =>
	raise(services, returnFailed, {
		organizationId: row.organizationId,
		data: { ...about(row), failure_reason: reason },
		...(when && { when }),
	});
