// Every kind of message to a user that names an amount, in currencies without decimals, with two and with three.

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { recordFollowUp } from "../../../src/domains/collections/operations";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { recordMovement } from "../../../src/domains/current-accounts/custodian-reports/movements.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { listMyMessages } from "../../../src/domains/messages/inbox.operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { confirmTransfer, orderTransfer } from "../../../src/domains/transfers/operations";
import { MESSAGE_KEYS, MESSAGES, type MessageKey } from "../../../src/messages/catalogue";
import { en } from "../../../src/messages/en";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { expectCredit, givenLoan, paymentTo, THREE_INSTALLMENTS } from "../../support/credit";
import { codeSentTo, freshNumber, givenCurrentAccount, movementOf } from "../../support/current-accounts";
import { db, givenMember, givenUser, operatorToken } from "../../support/factories";
import { givenPayee } from "../../support/payees";
import { givenBureau, passUntil, SETTINGS } from "../credit-bureau/bureau";

/** The kinds that each test below sees. */
const KINDS = {
	loan: ["LOAN_PAID_OUT", "OVERPAYMENT_PAID_BACK", "PAYMENT_RECEIVED", "PAYMENT_RECEIVED_IN_FULL"],
	currentAccount: ["MONEY_ARRIVED", "TRANSFER_LEAVES", "TRANSFER_TO_NEW_PAYEE"],
	reminder: ["LOAN_PAID_OUT", "PAYMENT_DUE"],
	default: ["CREDIT_BUREAU_NOTICE", "LOAN_PAID_OUT"],
} as const satisfies Readonly<Record<string, readonly MessageKey[]>>;

/** The kinds of messages in English, by the words around their values. */
function kindsOf(messages: readonly (string | undefined)[]): MessageKey[] {
	const patterns = MESSAGE_KEYS.map(
		(key) => [key, new RegExp(`^${en.messages[key].replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, ".+")}$`)] as const,
	);
	const kinds = messages.map((text = "") => patterns.find(([, pattern]) => pattern.test(text))?.[0]);
	return [...new Set(kinds)].filter((key) => key !== undefined).toSorted();
}

it("each kind of message that names an amount is seen by one of these tests", () => {
	const seen = new Set<MessageKey>(Object.values(KINDS).flat());
	const named = MESSAGE_KEYS.filter((key) => Object.values<string>(MESSAGES[key]).includes("sum"));
	expect(named.filter((key) => !seen.has(key))).toEqual([]);
	expect(named.length).toBeGreaterThan(7);
});

async function told({ token }: { token: string }) {
	const { data } = expectOk(await call(listMyMessages, { as: token, query: {} }));
	return data.map(({ text }) => text?.replace(/^org-[0-9a-f]{8}: /, "")).reverse();
}

const CURRENCIES = [
	["UGX", (amount: number) => `UGX ${amount.toLocaleString("en")}`],
	["KES", (amount: number) => `KES ${(amount / 100).toLocaleString("en", { minimumFractionDigits: 2 })}`],
	["BHD", (amount: number) => `BHD ${(amount / 1000).toLocaleString("en", { minimumFractionDigits: 3 })}`],
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
	const messages = await told(borrower);
	expect(kindsOf(messages)).toEqual(KINDS.loan);
	expect(messages).toEqual([
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
	const messages = await told(owner);
	expect(kindsOf(messages)).toEqual(KINDS.currentAccount);
	expect(messages).toEqual([
		`${text(52_345)} have arrived in your current account.`,
		`${text(1_005)} leave your account for a payee that it has never paid. If you did not order this, contact us at once.`,
		`${text(6_005)} leave your account for a payee.`,
	]);
});

it.each(CURRENCIES)("a borrower is reminded of what is due in %s", async (currency, text) => {
	const { borrower, accountId, organization } = await givenLoan(30_000, { ...THREE_INSTALLMENTS, currency });
	const day = addDays(localDate(Date.now()), -10);
	await db.update(creditAccounts).set({ earliestDue: day, status: "IN_ARREARS" }).where(eq(creditAccounts.id, accountId));
	const { token } = await givenMember(organization.id, "organization-lending-admin");
	const headers = { "x-organization-id": organization.id };
	expectOk(await call(recordFollowUp, { as: token, headers, body: { type: "REMINDER", account_id: accountId } }));
	const { balance } = expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
	const messages = await told(borrower);
	expect(kindsOf(messages)).toEqual(KINDS.reminder);
	expect(messages.at(-1)).toBe(
		`A payment of your loan has been due since ${day}. You owe ${text(balance.total_outstanding)} today. If you have just paid, thank you.`,
	);
});

it.each(CURRENCIES)("a borrower in default gets a notice of a report to a credit bureau in %s", async (currency, text) => {
	const { loan, notices } = await givenBureau({ ...SETTINGS, currency });
	const { borrower } = await loan();
	await passUntil("2030-05-31");
	const [notice] = await notices();
	const messages = await told(borrower);
	expect(kindsOf(messages)).toEqual(KINDS.default);
	expect(messages.at(-1)).toContain(`owe ${text(notice?.owed.value ?? 0)}`);
});
