// The messages that users get without having asked, each once, with its content: they read it inside an app and by mail or SMS.

import { beforeEach, expect, it } from "vitest";
import { recordMovement } from "../../../src/domains/current-accounts/custodian-reports/movements.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { listMyMessages } from "../../../src/domains/messages/inbox.operations";
import { messages } from "../../../src/domains/messages/table";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { repayFromWallet } from "../../../src/domains/repayments/recording/wallet.operations";
import { admitUser } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { givenLoan, pay } from "../../support/credit";
import { decideAs, givenCurrentAccount, givenCustomer, givenOpened, movementOf } from "../../support/current-accounts";
import { db, givenUser, operatorToken } from "../../support/factories";
import { givenOffer } from "../../support/loans";
import { answerOutbound } from "../../support/outbound";

const OUTSIDE = { CUSTODIAN: "http", CUSTODIAN_URL: "https://custodian.example/instructions", CUSTODIAN_SECRET: "secret" };

let as: string;
beforeEach(async () => {
	as = await operatorToken();
});

/** Their texts in the order in which they came; as many were sent. */
async function told({ token }: { token: string }) {
	const { data } = expectOk(await call(listMyMessages, { as: token, query: {} }));
	return data.map(({ text }) => text?.replace(/^org-[0-9a-f]{8}: /, "")).reverse();
}
const sent = async () => (await db.select().from(messages)).length;

it("a user gets a message about the admission", async () => {
	const user = await givenUser({ status: "WAITING_LIST", mobileNumber: "+254712345678" });
	for (const _ of ["first", "again"]) expectOk(await call(admitUser, { as, path: { userId: user.id } }));
	expect(await told(user)).toEqual(["You are off the waiting list, and can use the service from now on."]);
	expect(await sent()).toBe(1);
});

it("a user gets a message about a loan that was not accepted, without the reasons", async () => {
	const { borrower, productId } = await givenLoan(100_000);
	expect(await told(borrower)).toEqual(["KES 1,000.00 of your loan have been paid out to you."]);
	expect((await givenOffer(borrower.token, productId)).status).toBe("REJECTED");
	expect((await told(borrower)).slice(1)).toEqual(["Your application for a loan was not accepted."]);
});

it("a user gets messages about payouts, payments with what is left, and overpayments", async () => {
	const { borrower, accountId, key } = await givenLoan(30_000);
	const now = Date.now();
	const path = { accountId };
	expectOk(await call(draw, { as: borrower.token, path, body: { amount: 5_000 } }));
	for (const _ of ["first", "again"]) expectOk(await pay({ key, accountId }, 10_000, "T-1", now));
	await Promise.all(["T-2", "T-3"].map((transaction) => pay({ key, accountId }, 100, transaction)));
	expectOk(await pay({ key, accountId }, 40_000, "T-4"));
	expectOk(await call(refundOverpayment, { as, path }));
	const texts = await told(borrower);
	expect(texts.slice(0, 2)).toEqual([
		"KES 300.00 of your loan have been paid out to you.",
		"KES 50.00 of your loan have been paid out to you.",
	]);
	expect(texts[2]).toMatch(/^We have received your payment of KES 100\.00\. KES \d+\.\d\d are left to pay\.$/);
	expect(texts.slice(3, 5).every((text) => text?.startsWith("We have received your payment of KES 1.00. "))).toBe(true);
	expect(texts[5]).toBe("We have received your payment of KES 400.00. Nothing is left to pay.");
	expect(texts[6]).toMatch(/^KES \d+\.\d\d that you had overpaid have been paid back to you\.$/);
	expect(texts).toHaveLength(7);
	expect(await sent()).toBe(7);
});

it("a user gets a message about money that comes into a current account, and none about money that leaves it at the owner's order", async () => {
	const { borrower, accountId } = await givenLoan(30_000);
	const wallet = await givenCurrentAccount({ user: borrower });
	const credited = movementOf(wallet.id, 2_000);
	for (const _ of ["first", "again"]) expectOk(await call(recordMovement, { as, body: credited }));
	expectOk(await call(recordMovement, { as, body: movementOf(wallet.id, 500, { direction: "DEBIT" }) }));
	const body = { amount: 1_000, channel: "WALLET" as const };
	const paid = expectOk(await call(repayFromWallet, { as: borrower.token, path: { accountId }, body }));
	expectOk(await call(reverseRepayment, { as, path: { id: paid.transaction.id }, body: { reason: "a mistake" } }));
	const texts = await told(borrower);
	expect(texts).toHaveLength(4);
	expect(texts[1]).toBe("KES 20.00 have arrived in your current account.");
	expect(texts[2]).toMatch(/^We have received your payment of KES 10\.00\./);
	expect(texts[3]).toBe("KES 10.00 have arrived in your current account.");
});

it("a user gets a message about an account that the custodian does not open", async () => {
	answerOutbound(async () => new Response(null, { status: 202 }));
	const { token } = await givenCustomer();
	const account = await givenOpened(token, OUTSIDE);
	for (const _ of ["first", "again"]) expectOk(await decideAs(account.id, { subject: "ONBOARDING", decision: "REJECTED" }));
	expect(await told({ token })).toEqual(["Your current account could not be opened."]);
});
