// Borrowers with a disbursed loan, and payments to it, made over HTTP.

import { eq } from "drizzle-orm";
import type * as z from "zod";
import type { Account } from "../../src/domains/accounts/wire";
import { disbursements } from "../../src/domains/disbursements/model/table";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import { recordPayoutReturned } from "../../src/domains/repayments/corrections/returned.operations";
import { recordRepayment } from "../../src/domains/repayments/recording/operations";
import { payments } from "../../src/domains/repayments/table";
import { verifiedFingerprint } from "../../src/providers/daraja/callbacks";
import { visibleKey } from "../../src/shared/visible-key";
import { type Answer, call, expectOk } from "./client";
import { freshNumber } from "./current-accounts";
import { everyDatabase } from "./databases";
import { db, givenApiKey, givenOrganization, givenUser, oneTrip, operatorToken } from "./factories";
import { givenLoanProduct, givenOffer } from "./loans";

/** Ninety days in three installments; no fee. */
export const THREE_INSTALLMENTS = {
	tenure: { duration: 90, unit: "DAYS" as const },
	installment_every: { duration: 30, unit: "DAYS" as const },
	rate_schedule: [{ min_days: 1, max_days: 120, interest_rate: { basis_points: 500, period_value: 30, period_unit: "DAYS" as const } }],
};

export async function givenLoan(
	amount = 30_000,
	product: Parameters<typeof givenLoanProduct>[0] = THREE_INSTALLMENTS,
	about: { mobileNumber?: string } = {},
) {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	const key = await givenApiKey(organization.id, ["repayments:write"], {}, write);
	const borrower = await givenUser({ organizationId: organization.id, mobileNumber: freshNumber(), ...about }, write);
	await written();
	const { id: productId } = await givenLoanProduct({ ...product, organization_id: organization.id });
	const offer = await givenOffer(borrower.token, productId);
	expectOk(await call(applyForLoan, { as: borrower.token, path: { application_id: offer.id }, body: { loan_amount: amount } }));
	return { organization, key, borrower, productId, accountId: offer.account_id, currency: "KES" };
}

type AnyAccount = z.output<typeof Account>;

/** The credit account in a successful answer; fails the test on any other. */
export function expectCredit(answer: Answer<AnyAccount>): Extract<AnyAccount, { type: "CREDIT" }> {
	const account = expectOk(answer);
	if (account.type !== "CREDIT") throw new Error("expected a credit account");
	return account;
}

/** Makes a reported payment a payment that the provider has verified. */
export async function verify(transaction: string): Promise<void> {
	const reported = eq(payments.mobileMoneyTransactionId, visibleKey(transaction));
	const [payment] = await db.select().from(payments).where(reported);
	if (!payment) throw new Error("there is no such payment");
	const fingerprint = await verifiedFingerprint(payment.mobileMoneyTransactionId, payment.amount);
	await db.update(payments).set({ fingerprint }).where(reported);
}

type Paid = { key: string; accountId: string };

export const paymentTo = (accountId: string, value: number, transaction: string = crypto.randomUUID(), at = Date.now()) => ({
	mobile_money_transaction_id: transaction,
	account_id: accountId,
	amount: { value, currency: "KES" },
	transacted_at: new Date(at).toISOString(),
	details: { type: "BUY_GOODS" as const, till_number: "12345" },
});

export const pay = ({ key, accountId }: Paid, value: number, transaction?: string, at?: number) =>
	call(recordRepayment, { as: key, body: paymentTo(accountId, value, transaction, at) });

export const trips = (answer: { headers: Headers }) => Number(/trips=(\d+)/.exec(answer.headers.get("server-timing") ?? "")?.[1]);
export const rowsRead = (answer: { headers: Headers }) => Number(/read=(\d+)/.exec(answer.headers.get("server-timing") ?? "")?.[1]);
export const rowsWritten = (answer: { headers: Headers }) => Number(/written=(\d+)/.exec(answer.headers.get("server-timing") ?? "")?.[1]);

export const appendOnly = (statement: string) => everyDatabase.prepare(statement).run();

/** Records that the money of the account's last payout came back, by a transaction of its own. */
export async function comeBack({ accountId }: { readonly accountId: string }, at = Date.now(), receipt: string = crypto.randomUUID()) {
	const rows = (await db.select().from(disbursements)).filter((row) => row.accountId === accountId && row.status === "SUCCEEDED");
	const id = rows.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).at(-1)?.id ?? "";
	const body = { mobile_money_transaction_id: receipt, occurred_at: new Date(at).toISOString() };
	return call(recordPayoutReturned, { as: await operatorToken(), path: { id }, body });
}
