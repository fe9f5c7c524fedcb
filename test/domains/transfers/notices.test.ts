// The payer learns of a first transfer to an account of a payee, and of large ones, in the commit by which the money leaves.

import { beforeEach, expect, it } from "vitest";
import { changeNotificationPreferences } from "../../../src/domains/messages/preferences/operations";
import { messages } from "../../../src/domains/messages/table";
import { confirmTransfer, orderTransfer } from "../../../src/domains/transfers/operations";
import { call, expectOk } from "../../support/client";
import { codeSentTo, freshNumber, givenCurrentAccount } from "../../support/current-accounts";
import { db, givenUser } from "../../support/factories";
import { givenPayee } from "../../support/payees";

const T = 100_000;
const VARS = { TRANSFER_OTP_ABOVE: String(T), NEW_PAYEE_OTP_ABOVE: "5000" };
const EMAIL = "jane@example.com";

let payer: Awaited<ReturnType<typeof givenUser>>;
let number: string;
let accountId: string;
beforeEach(async () => {
	number = freshNumber();
	payer = await givenUser({ mobileNumber: number, email: EMAIL });
	await givenCurrentAccount({ user: payer, balance: 1_000_000 });
	accountId = (await givenPayee(payer.token, null, { type: "BUY_GOODS", till_number: "100001" })).accounts[0]?.id ?? "";
});

const pay = (amount: number) => call(orderTransfer, { as: payer.token, body: { payee_account_id: accountId, amount }, vars: VARS });
const notices = async () =>
	(await db.select().from(messages))
		.filter(({ purpose }) => purpose !== "TRANSFER")
		.map(({ channel, recipient, category }) => [category, channel, recipient]);

it("the owner gets a message about the first transfer to an account, and then about those above the threshold for new payees", async () => {
	expect(expectOk(await pay(1_000)).status).toBe("COMPLETED");
	expect(await notices()).toEqual([["SECURITY", "EMAIL", EMAIL]]);
	expect(expectOk(await pay(1_000)).status).toBe("COMPLETED");
	expect(await notices()).toHaveLength(1);
});

it("the owner gets a message about a transfer that needs a code when the code is right, and not before", async () => {
	const { id, status } = expectOk(await pay(T + 1));
	expect(status).toBe("AWAITING_OTP");
	expect(await notices()).toEqual([]);
	const otp_code = await codeSentTo(number);
	expectOk(await call(confirmTransfer, { as: payer.token, path: { transferId: id }, body: { otp_code }, vars: VARS }));
	expect(await notices()).toEqual([["SECURITY", "EMAIL", EMAIL]]);
	expect(expectOk(await pay(6_000)).status).toBe("COMPLETED");
	expect((await notices()).slice(1)).toEqual([["PAYMENTS", "EMAIL", EMAIL]]);
	const off = { category: "PAYMENTS" as const, channels: [{ channel: "EMAIL" as const, enabled: false }] };
	expectOk(await call(changeNotificationPreferences, { as: payer.token, body: { categories: [off] } }));
	expect(expectOk(await pay(6_000)).status).toBe("COMPLETED");
	expect(await notices()).toHaveLength(2);
});

it("the owner gets no message about a refused transfer", async () => {
	expect((await pay(50_000_000)).ok).toBe(false);
	expect(await notices()).toEqual([]);
});
