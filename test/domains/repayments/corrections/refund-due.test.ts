// A refund whose payment is reversed later: when it has to be given back, and what it stops meanwhile.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { workOnAccounts } from "../../../../src/domains/credit-accounts/job";
import { creditAccounts } from "../../../../src/domains/credit-accounts/table";
import { draw } from "../../../../src/domains/loans/draws.operations";
import { reverseRepayment } from "../../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../../src/domains/repayments/corrections/refund.operations";
import { DAY_MS, daysBetween, localDate } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { expectCredit, givenLoan, pay } from "../../../support/credit";
import { db, operatorToken } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { runDueWork } from "../../../support/loans";

describe("an uncovered refund", () => {
	it("is due on the day of the reversal that uncovered it: nothing is drawn, and from the next day on the account is in arrears", async () => {
		const loan = await givenLoan(30_000);
		const account = async () => expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan }));
		expectOk(await pay(loan, 30_000));
		const { transaction } = expectOk(await pay(loan, 300));
		expectOk(await call(refundOverpayment, { as: await operatorToken(), path: loan }));
		await moveClock(10 * DAY_MS);
		expect(await account()).toMatchObject({ due_date: null, can_transact: true });
		expectOk(await call(reverseRepayment, { as: await operatorToken(), path: { id: transaction.id }, body: { reason: "bounced" } }));
		const bounced = await account();
		const due = bounced.due_date ?? "";
		expect(daysBetween(localDate(Date.now()), due)).toBe(10);
		expect(bounced).toMatchObject({ status: "ACTIVE", can_transact: false, balance: { total_outstanding: 300 } });
		const drawn = () => call(draw, { as: loan.borrower.token, path: loan, body: { amount: 20_000 } });
		expect((await drawn()).status).toBe(409);
		await expectStoredEqualsReplay();

		await moveClock(DAY_MS);
		await runDueWork(workOnAccounts);
		expect(await account()).toMatchObject({ status: "IN_ARREARS", due_date: due, can_transact: false });
		expect(await db.select().from(creditAccounts)).toMatchObject([{ status: "IN_ARREARS", earliestDue: due }]);
		await moveClock(90 * DAY_MS);
		await runDueWork(workOnAccounts);
		expect(await db.select().from(creditAccounts)).toMatchObject([{ status: "DEFAULTED" }]);
		expectOk(await pay(loan, 300));
		expect(await account()).toMatchObject({ status: "ACTIVE", due_date: null, can_transact: true });
		await expectStoredEqualsReplay();
	});
});
