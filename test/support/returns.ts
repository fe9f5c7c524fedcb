// A lender who can return the money of payments that Daraja has verified.

import { eq } from "drizzle-orm";
import type { ReversalBehaviour } from "../../src/dev/stand-ins/daraja.reversals";
import { reverseRepayment } from "../../src/domains/repayments/corrections/operations";
import { getRepayment } from "../../src/domains/repayments/operations";
import { giveUpReturn } from "../../src/domains/repayments/returns/operations";
import { sendDueReturns } from "../../src/domains/repayments/returns/procedure";
import { payments } from "../../src/domains/repayments/table";
import { listWork, retryWork } from "../../src/domains/work/operations";
import { call, expectOk } from "./client";
import { CONNECTED, givenConnectedLoan } from "./daraja";
import { db, operatorToken } from "./factories";
import { eventsOf, runDueWork } from "./loans";

/** Of a payment. */
export const SHILLINGS = 50;
/** The same in cents. */
export const AMOUNT = 100 * SHILLINGS;

/** A lender whose loan is repaid by payments that Daraja has verified. */
export async function givenReturning(behave: () => ReversalBehaviour = () => ({}), receiverVars: () => Partial<Env> = () => ({})) {
	const loan = await givenConnectedLoan({ passkey: "a passkey" }, receiverVars, { reversals: behave });
	const { standIn, number, lender, account } = loan;
	const as = await operatorToken();
	const idOf = async (receipt: string) =>
		(await db.select().from(payments).where(eq(payments.mobileMoneyTransactionId, receipt)))[0]?.id ?? "";
	/** A payment that was confirmed and verified. */
	const pay = async (shillings = SHILLINGS) => {
		const receipt = standIn.receive({ shillings, account: number });
		// The confirmation, and what the query about it finds.
		for (let round = 0; round < 2; round++) await standIn.deliver();
		return { receipt, id: await idOf(receipt) };
	};
	const reverse = (id: string, vars: Partial<Env> = {}, return_money = true) =>
		call(reverseRepayment, { as, path: { id }, body: { reason: "paid by mistake", return_money }, vars });
	const read = async (id: string) => expectOk(await call(getRepayment, { as, path: { id } })).money_return;
	const giveUp = (id: string, vars: Partial<Env> = {}) =>
		call(giveUpReturn, { as, path: { id }, body: { reason: "paid back in cash" }, vars });
	const retry = (id: string) => call(retryWork, { as, path: { kind: "RETURN", id } });
	const work = async () => expectOk(await call(listWork, { as, query: { kind: "RETURN" } })).data;
	const told = async () =>
		(await eventsOf(lender.organization.id))
			.filter(({ type }) => ["repayment.money_returned", "repayment.return_failed"].includes(type))
			.map(({ type, data }) => [type.split(".")[1], data.failure_reason ?? data.mobile_money_transaction_id]);
	/** What the borrower has paid, as the account knows it. */
	const paid = async () => (await account()).balance.total_paid;
	return { ...loan, as, idOf, pay, reverse, read, giveUp, retry, work, told, paid };
}

export const sweepReturns = (vars: Partial<Env> = {}) => runDueWork(sendDueReturns, { ...CONNECTED, ...vars });
