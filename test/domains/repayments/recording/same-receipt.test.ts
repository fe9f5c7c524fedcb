// One receipt is one payment, however it is written: by a machine, by somebody who types it from a message, or by both.

import { describe, expect, it } from "vitest";
import { getRepayment } from "../../../../src/domains/repayments/operations";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { payments } from "../../../../src/domains/repayments/table";
import { call, expectOk } from "../../../support/client";
import { givenLoan, pay, paymentTo } from "../../../support/credit";
import { givenConnectedLoan } from "../../../support/daraja";
import { db, givenApiKey, operatorToken } from "../../../support/factories";

const SPELLINGS = ["sg000042ab", " SG000042AB ", "SG00\u200b0042AB", "ＳＧ０００042AB", "sg 0000 42ab", "SG000042AB"];

describe("a receipt that is written otherwise", () => {
	it.each(SPELLINGS)("is the payment that is known already: %j", async (spelling) => {
		const loan = await givenLoan(30_000);
		const at = Date.now();
		const first = await pay(loan, 1_000, "SG000042AB", at);
		expect(first.status).toBe(201);
		const again = await pay(loan, 1_000, spelling, at);
		expect([again.status, expectOk(again).transaction.id]).toEqual([200, expectOk(first).transaction.id]);
		expect(await pay(loan, 2_000, spelling, at)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(await db.select().from(payments)).toHaveLength(1);
	});

	it("is shown as it was sent, and found however it is written", async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 1_000, "sg 000042ab"));
		expect(transaction.mobile_money_transaction_id).toBe("sg 000042ab");
		const as = await givenApiKey(loan.organization.id, ["repayments:read"]);
		for (const id of ["sg 000042ab", "SG000042AB", "sg000042ab"]) {
			const found = expectOk(await call(getRepayment, { as, path: { id } }));
			expect(found.transaction.id).toBe(transaction.id);
		}
	});

	it("is credited once where it is reported by hand and confirmed by Daraja", async () => {
		const { standIn, accountId, number, account } = await givenConnectedLoan();
		const receipt = standIn.receive({ shillings: 100, account: number });
		while (standIn.reports.length > 0) await standIn.deliver();
		const { total_paid } = (await account()).balance;
		expect(total_paid).toBe(10_000);
		const body = paymentTo(accountId, 10_000, receipt.toLowerCase());
		expect(await call(recordRepayment, { as: await operatorToken(), body })).toMatchObject({ status: 409 });
		expect((await account()).balance.total_paid).toBe(total_paid);
	});

	it("is refused if it has no visible character", async () => {
		const loan = await givenLoan(30_000);
		expect(await pay(loan, 1_000, "\u200b\u200b")).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
	});
});
