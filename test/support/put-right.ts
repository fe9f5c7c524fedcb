// Payments that are put right: reversed, restored and moved, and what readers see of them.

import { getAccount } from "../../src/domains/accounts/operations";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import { reverseRepayment } from "../../src/domains/repayments/corrections/operations";
import { moveRepayment, restoreRepayment } from "../../src/domains/repayments/corrections/payments.operations";
import { getRepayment } from "../../src/domains/repayments/operations";
import { listAccountTransactions } from "../../src/domains/repayments/transactions.operations";
import { call, expectOk } from "./client";
import { expectCredit, type givenLoan } from "./credit";
import { freshNumber } from "./current-accounts";
import { givenUser, operatorToken } from "./factories";
import { eventsOf, givenOffer } from "./loans";

export type Loan = Awaited<ReturnType<typeof givenLoan>>;

export const reason = "a mistake at the paybill";
export const reverse = async (id: string, amount?: number, more: { return_money?: true } = {}, vars = {}) =>
	call(reverseRepayment, { as: await operatorToken(), path: { id }, body: { reason, ...more, ...(amount && { amount }) }, vars });
export const restore = async (id: string, reversal_id: string, vars: Partial<Env> = {}) =>
	call(restoreRepayment, { as: await operatorToken(), path: { id }, body: { reversal_id, reason }, vars });
export const move = async (id: string, account_id: string, amount?: number) =>
	call(moveRepayment, { as: await operatorToken(), path: { id }, body: { account_id, reason, ...(amount && { amount }) } });
export const shown = async (id: string) => expectOk(await call(getRepayment, { as: await operatorToken(), path: { id } })).transaction;
export const standing = async ({ borrower, accountId }: Loan) => {
	const { balance, status, available_balance, due_date, can_transact } = expectCredit(
		await call(getAccount, { as: borrower.token, path: { accountId } }),
	);
	return { balance, status, available_balance, due_date, can_transact };
};
export const listed = async (loan: Loan) =>
	expectOk(await call(listAccountTransactions, { as: loan.borrower.token, path: loan, query: {} })).data.map(
		({ transaction: { kind, status, amount, remaining_amount, reversed_by, reverses_transaction_id } }) => ({
			...{ kind, status, amount: amount.value, remaining: remaining_amount.value, reversed_by, reverses: reverses_transaction_id },
		}),
	);
export const told = async (loan: Loan, type: string) => (await eventsOf(loan.organization.id)).filter((event) => event.type === type);
export const value = (amount: number) => ({ value: amount, currency: "KES" });

/** A loan of another borrower of the same lender. */
export async function givenOther(loan: Loan): Promise<Loan> {
	const borrower = await givenUser({ organizationId: loan.organization.id, mobileNumber: freshNumber() });
	const offer = await givenOffer(borrower.token, loan.productId);
	expectOk(await call(applyForLoan, { as: borrower.token, path: { application_id: offer.id }, body: { loan_amount: 30_000 } }));
	return { ...loan, borrower, accountId: offer.account_id };
}
