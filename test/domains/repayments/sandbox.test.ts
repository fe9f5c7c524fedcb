// In the sandbox an app's tester pays as their phone would, after what the account says of how to pay.

import { expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { payInSandbox } from "../../../src/domains/repayments/recording/sandbox.operations";
import { payments } from "../../../src/domains/repayments/table";
import { updateMe } from "../../../src/domains/users/profile.operations";
import { payBillText } from "../../../src/messages/texts";
import { call, expectOk } from "../../support/client";
import { CREDENTIALS, givenConnectedLoan } from "../../support/daraja";
import { db, givenUser } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { eventsOf } from "../../support/loans";

it("a payment goes the way of a confirmation, to the account that is typed or to the payer's only one", async () => {
	const { borrower, accountId, lender } = await givenConnectedLoan();
	const account = async (headers: Record<string, string> = {}) => {
		const body = expectOk(await call(getAccount, { as: borrower.token, path: { accountId }, headers }));
		if (body.type !== "CREDIT") throw new Error("this is no credit account");
		return body;
	};
	const { account_number, payment_instructions } = await account();
	expect(payment_instructions).toEqual({
		shortcode: CREDENTIALS.short_code,
		account_number,
		text: `In M-Pesa choose Lipa na M-Pesa, Pay Bill. Business number: ${CREDENTIALS.short_code}. Account number: ${account_number}.`,
	});
	const inFrench = async () => (await account({ "accept-language": "fr" })).payment_instructions?.text;
	expect(await inFrench()).toContain(`Numéro de compte : ${account_number}.`);
	expectOk(await call(updateMe, { as: borrower.token, body: { locale: "sw" } }));
	expect(await inFrench()).toBe(payBillText("sw", CREDENTIALS.short_code, account_number));

	const pay = (body: { amount: number; reference?: string; mobile_money_transaction_id?: string }, as = borrower.token) =>
		call(payInSandbox, { as, body: { account_id: accountId, ...body } });
	const receipts = [expectOk(await pay({ amount: 10_050 })), expectOk(await pay({ amount: 2_000, reference: "my loan" }))];
	const kept = await db.select().from(payments);
	expect(kept.map(({ mobileMoneyTransactionId }) => mobileMoneyTransactionId).sort()).toEqual(
		receipts.map(({ mobile_money_transaction_id }) => mobile_money_transaction_id).sort(),
	);
	expect(kept.map(({ status, amount, accountNumber }) => [status, amount, accountNumber])).toEqual(
		expect.arrayContaining([
			["POSTED", 10_050, account_number],
			["POSTED", 2_000, "my loan"],
		]),
	);
	const [first] = receipts;
	expect(await pay({ amount: 10_050, ...first })).toMatchObject({ status: 202, body: first });
	expect(await pay({ amount: 10_051, ...first })).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
	expect((await account()).balance.total_paid).toBe(12_050);
	expect((await eventsOf(lender.organization.id)).filter(({ type }) => type === "repayment.posted")).toHaveLength(2);
	await expectStoredEqualsReplay(accountId);

	expect(await pay({ amount: 100 }, (await givenUser()).token)).toMatchObject({ status: 404 });
});
