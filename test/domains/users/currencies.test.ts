// Every kind of message to a user that names an amount, in currencies without decimals, with two and with three.

import { expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { recordMovement } from "../../../src/domains/current-accounts/custodian-reports/movements.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { listMyMessages } from "../../../src/domains/messages/inbox.operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { confirmTransfer, orderTransfer } from "../../../src/domains/transfers/operations";
import { call, expectOk } from "../../support/client";
import { expectCredit, givenLoan, paymentTo, THREE_INSTALLMENTS } from "../../support/credit";
import { codeSentTo, freshNumber, givenCurrentAccount, movementOf } from "../../support/current-accounts";
import { givenUser, operatorToken } from "../../support/factories";
import { givenPayee } from "../../support/payees";

async function told({ token }: { token: string }) {
	const { data } = expectOk(await call(listMyMessages, { as: token, query: {} }));
	return data.map(({ text }) => text?.replace(/^org-[0-9a-f]{8}: /, "")).reverse();
}

const CURRENCIES = [
	["UGX", (amount: number) => `UGX ${amount.toLocaleString("en")}`],
	["KES", (amount: number) => `KES ${(amount / 100).toFixed(2)}`],
	["BHD", (amount: number) => `BHD ${(amount / 1000).toFixed(3)}`],
] as const;

it.each(CURRENCIES)("a borrower gets messages about payouts, payments and refunds in %s", async (currency, text) => {
	const { borrower, accountId, key } = await givenLoan(30_000, { ...THREE_INSTALLMENTS, currency, fee_basis_points: 0 });
	expectOk(await call(draw, { as: borrower.token, path: { accountId }, body: { amount: 5_000 } }));
	const pay = async (value: number) => {
		const body = { ...paymentTo(accountId, value), amount: { value, currency } };
		return expectOk(await call(recordRepayment, { as: key, body }));
	};
	await pay(10_345);
	const account = expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
	const left = account.balance.total_outstanding;
	await pay(left + 12_345);
	expectOk(await call(refundOverpayment, { as: await operatorToken(), path: { accountId } }));
	expect(await told(borrower)).toEqual([
		`${text(30_000)} of your loan have been paid out to you.`,
		`${text(5_000)} of your loan have been paid out to you.`,
		`We have received your payment of ${text(10_345)}. ${text(left)} are left to pay.`,
		`We have received your payment of ${text(left + 12_345)}. Nothing is left to pay.`,
		`${text(12_345)} that you had overpaid have been paid back to you.`,
	]);
});

it.each(CURRENCIES)("an owner of a current account gets messages about what arrives and what leaves in %s", async (currency, text) => {
	const vars = { CURRENT_ACCOUNTS: JSON.stringify({ currency }), NEW_PAYEE_OTP_ABOVE: "5000", TRANSFER_OTP_ABOVE: "100000" };
	const mobileNumber = freshNumber();
	const owner = await givenUser({ mobileNumber, email: "jane@example.com" });
	const wallet = await givenCurrentAccount({ user: owner, vars });
	const as = await operatorToken();
	expectOk(await call(recordMovement, { as, body: movementOf(wallet.id, 52_345, { currency }), vars }));
	const payee_account_id = (await givenPayee(owner.token, null, { type: "BUY_GOODS", till_number: "100001" })).accounts[0]?.id ?? "";
	for (const amount of [1_005, 6_005]) {
		const { id, status } = expectOk(await call(orderTransfer, { as: owner.token, body: { payee_account_id, amount }, vars }));
		if (status !== "AWAITING_OTP") continue;
		const otp_code = await codeSentTo(mobileNumber);
		expectOk(await call(confirmTransfer, { as: owner.token, path: { transferId: id }, body: { otp_code }, vars }));
	}
	expect(await told(owner)).toEqual([
		`${text(52_345)} have arrived in your current account.`,
		`${text(1_005)} leave your account for a payee that it has never paid. If you did not order this, contact us at once.`,
		`${text(6_005)} leave your account for a payee.`,
	]);
});
