// Thirty-two calls at once on one loan: no payment is refused, a call that lost the race says so, and the book is as if they had come one
// after the other.
// @module-tag thorough

import { expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { rescheduleAccount, settleAccount } from "../../../../src/domains/credit-accounts/changes/operations";
import { listInstallments } from "../../../../src/domains/credit-accounts/operations";
import { accountTransactions } from "../../../../src/domains/credit-accounts/table";
import { reverseTransaction, waive } from "../../../../src/domains/repayments/corrections/operations";
import { postWaitingPayments } from "../../../../src/domains/repayments/recording/job";
import { addDays, localDate, MINUTE_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { expectCredit, givenLoan, pay } from "../../../support/credit";
import { db, operatorToken } from "../../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../../support/ledgers";
import { runDueWork } from "../../../support/loans";

it("32 calls at once lose no money and post each transaction once", async () => {
	const loan = await givenLoan(60_000);
	const bounced = expectOk(await pay(loan, 1_000)).transaction.id;
	const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
	const as = await operatorToken();
	const reason = "at once";
	const path = { accountId: loan.accountId };
	const validUntil = addDays(localDate(Date.now()), 5);
	const kinds = [
		() => pay(loan, 500),
		() => pay(loan, 700),
		() => pay(loan, 900),
		() => pay(loan, 1_100),
		() => call(waive, { as, path, body: { installment_id: first?.id ?? "", amount: 10, reason } }),
		() => call(rescheduleAccount, { as, path, body: { kind: "EXTEND", installments: 1, reason } }),
		() => call(settleAccount, { as, path, body: { amount: 30_000, valid_until: validUntil, reason } }),
		() => call(reverseTransaction, { as, path: { ...path, transactionId: bounced }, body: { reason } }),
	];
	const answers = await Promise.all(Array.from({ length: 32 }, (_, index) => kinds[index % kinds.length]?.()));
	const payments = answers.filter((_, index) => index % kinds.length < 4);
	expect(payments.map((answer) => answer?.status)).toEqual(payments.map(() => 201));
	for (const answer of answers) {
		if (answer?.status === 201) continue;
		expect(answer?.status).toBe(409);
		const isRace = answer?.headers.get("retry-after") === "1";
		expect(answer?.body).toMatchObject(isRace ? { sub_code: "CONCURRENT_CHANGE" } : { description: "It is reversed already" });
	}
	// Payments whose posting lost are recorded, and posted with the next.
	await moveClock(2 * MINUTE_MS);
	await runDueWork(postWaitingPayments);
	const rows = await db.select().from(accountTransactions);
	const made = (kind: string) => rows.filter((row) => row.kind === kind);
	expect(made("REPAYMENT").reduce((sum, { amount }) => sum + amount, 0)).toBe(1_000 + 4 * (500 + 700 + 900 + 1_100));
	expect(made("REVERSAL").length).toBeLessThanOrEqual(1);
	const accepted = answers.filter((answer, index) => index % kinds.length >= 4 && answer?.status === 201).length;
	expect(["WAIVER", "RESCHEDULE", "SETTLEMENT", "REVERSAL"].reduce((sum, kind) => sum + made(kind).length, 0)).toBe(accepted);
	const { balance } = expectCredit(await call(getAccount, { as: loan.borrower.token, path }));
	expect(balance.total_waived).toBe(10 * made("WAIVER").length);
	await expectStoredEqualsReplay();
	await expectOneSum(loan);
});
