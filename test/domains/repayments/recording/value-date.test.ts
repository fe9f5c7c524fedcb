// A payment counts at the latest on the day on which it is recorded, on any clock of its reporter.

import { expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { accountTransactions } from "../../../../src/domains/credit-accounts/table";
import { DAY_MS, HOUR_MS, localDate, MINUTE_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock, serviceTime } from "../../../support/clock";
import { expectCredit, givenLoan, pay } from "../../../support/credit";
import { db } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";

it("a payment that is dated minutes into tomorrow pays what is owed today", async () => {
	// Two minutes before midnight in Nairobi.
	const sinceMidnight = (Date.now() + 3 * HOUR_MS) % DAY_MS;
	await moveClock(DAY_MS - sinceMidnight - 2 * MINUTE_MS);
	const loan = await givenLoan(30_000);
	const now = (await serviceTime()).getTime();
	expectOk(await pay(loan, 30_000, "T-1", now + 4 * MINUTE_MS));
	const account = expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan }));
	expect(account.balance.total_outstanding).toBe(0);
	const payment = (await db.select().from(accountTransactions)).find(({ kind }) => kind === "REPAYMENT");
	expect(payment?.valueDate).toBe(localDate(now, "Africa/Nairobi"));
	await expectStoredEqualsReplay();
});
