// Plans the refund of an overpayment, and finds how much of one a single person may give back.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../../db/database";
import type { Answer } from "../../../db/reads";
import { verifiedFingerprint } from "../../../providers/daraja/callbacks";
import type { Services } from "../../../runtime/services";
import { toBigInt, toNumber } from "../../../shared/money";
import { balanceOf } from "../../credit-accounts/book/balance.policy";
import { replay } from "../../credit-accounts/book/book.policy";
import { remainingAmounts } from "../../credit-accounts/book/facts.policy";
import { bookOf, findLoaded } from "../../credit-accounts/ledger.store";
import { takeOverpaid } from "../../credit-accounts/payout.plan";
import { todayOf } from "../../credit-accounts/postings/plan";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import { ownerOf } from "../../credit-accounts/store";
import { accountTransactions, creditAccounts } from "../../credit-accounts/table";
import { type PlaceRows, payBorrower } from "../../disbursements/payout.procedure";
import { findPlaces } from "../../disbursements/payout.store";
import { findPaymentsOf } from "../store";
import type { PaymentRow } from "../table";
import { walletTransactionId } from "../transaction-id.policy";

const creditAccount = alias(creditAccounts, "credit_account");
const accountTransaction = alias(accountTransactions, "account_transaction");

/** Money that was overpaid stays with the service where it can. */
const PREFERRED = ["CURRENT_ACCOUNT", "OWN_NUMBER"] as const;

/** The places of the borrower, the payments in the book of the account, and the account itself. */
export const findRefundable = (orm: Orm, accounts: SQL, now: number) => ({
	places: findPlaces(orm, ownerOf(accounts), null, now),
	payments: findPaymentsInBook(orm, accounts),
	records: findLoaded(accounts),
});

/** The book begins where nothing was overpaid, so that no earlier payment is part of an overpayment. */
const findPaymentsInBook = (orm: Orm, accounts: SQL) =>
	findPaymentsOf(
		orm,
		sql`(select ${accountTransaction.id} from ${accountTransactions} ${accountTransaction} join ${creditAccounts} ${creditAccount} on ${creditAccount.id} = ${accountTransaction.accountId}
			where ${creditAccount.id} in ${accounts} and ${accountTransaction.position} >= ${creditAccount.bookFrom} and ${accountTransaction.kind} = 'REPAYMENT')`,
	);

export type PaymentsInBook = Answer<ReturnType<typeof findPaymentsInBook>>;

export const overpaidOn = ({ now }: Services, loaded: Loaded): number =>
	toNumber(balanceOf(replay(bookOf(loaded), todayOf(loaded.account, now))).overpaid);

/** What would be overpaid if none of the payments had been made that people have reported and no provider has verified. */
export async function verifiedOverpayment(services: Services, loaded: Loaded, found: PaymentsInBook): Promise<number> {
	const remaining = remainingAmounts(loaded.transactions);
	const verified = new Set<string>();
	for (const payment of found) if (await isVerified(payment)) verified.add(payment.id);
	const reported = loaded.transactions.filter(({ id, kind }) => kind === "REPAYMENT" && !verified.has(id));
	const sum = reported.reduce((total, { id, amount }) => total + toBigInt(remaining.get(id) ?? amount), 0n);
	const rest = toBigInt(overpaidOn(services, loaded)) - sum;
	return rest > 0n ? toNumber(rest) : 0;
}

/** A payment from a current account has a transaction id that is made of its own id, which nobody knows who reports a payment. */
async function isVerified({ id, mobileMoneyTransactionId, amount, fingerprint, details }: PaymentRow): Promise<boolean> {
	if (details.type === "WALLET") return mobileMoneyTransactionId === walletTransactionId(id).mobileMoneyTransactionId;
	return fingerprint === (await verifiedFingerprint(mobileMoneyTransactionId, amount));
}

type Order = { readonly amount: number; readonly actor: string };

/** `amount`: of the order, or less where only part of it can be paid. */
export async function planRefund(services: Services, places: PlaceRows, loaded: Loaded, { amount: wanted, actor }: Order) {
	const { account } = loaded;
	const id = services.newId();
	const refund = { id, kind: "REFUND", account, amount: wanted, sent: null, allowed: PREFERRED, preferred: PREFERRED } as const;
	const { amount, writes } = await payBorrower(services, places, refund);
	return { id, amount, writes: [...takeOverpaid(services, loaded, { id, amount, actor }), ...writes] };
}
