// Recording payments over HTTP, and the history that they leave.

import { describe, expect, it } from "vitest";
import { getAccount, listAccounts } from "../../../../src/domains/accounts/operations";
import { getStatement } from "../../../../src/domains/accounts/statement.operations";
import { explainBalance, getPayoff, listInstallments } from "../../../../src/domains/credit-accounts/operations";
import { accountTransactions, allocations, creditAccounts, creditCycles } from "../../../../src/domains/credit-accounts/table";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { payments } from "../../../../src/domains/repayments/table";
import { localDate } from "../../../../src/shared/time";
import { call, expectOk, send } from "../../../support/client";
import { appendOnly, expectCredit, givenLoan, pay, paymentTo, rowsWritten, trips } from "../../../support/credit";
import { db, givenApiKey, givenOrganization, givenUser, operatorToken } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { eventsOf } from "../../../support/loans";
import { expectRows } from "../../../support/rows";

const DAY = 86_400_000;

describe("reading a credit account", () => {
	it("responds with what is owed today, in one round trip", async () => {
		const { borrower, accountId } = await givenLoan(30_000);
		const answer = await call(getAccount, { as: borrower.token, path: { accountId } });
		expect(trips(answer)).toBe(1);
		const account = expectOk(answer);
		expect(account).toMatchObject({
			id: accountId,
			resource_id: `acc_${accountId.replaceAll("-", "")}`,
			type: "CREDIT",
			credit_limit: -100_000,
			available_limit: -70_000,
			available_balance: -30_000,
			balance: {
				total_charged: 30_000,
				principal_used: 30_000,
				total_outstanding: 30_000,
				total_paid: 0,
				breakdown: { principal_outstanding: 30_000, interest_outstanding: 0, arrears_outstanding: 0, penalty_outstanding: 0 },
			},
			status: "ACTIVE",
			paid_at: null,
			can_transact: true,
			next_cycle: null,
		});
		const listed = await call(listAccounts, { as: borrower.token, query: {} });
		expect(trips(listed)).toBe(1);
		expect(expectOk(listed).data).toEqual([account]);
	});

	it("does not list accounts that were never used, and is 404 for strangers", async () => {
		const { accountId } = await givenLoan();
		const stranger = await givenUser();
		expect(expectOk(await call(listAccounts, { as: stranger.token, query: {} })).data).toEqual([]);
		expect(await call(getAccount, { as: stranger.token, path: { accountId } })).toMatchObject({ status: 404 });
	});

	it("pages through the installments, explains the balance and shows the payoff of a later day, each in one round trip", async () => {
		const { borrower, accountId } = await givenLoan(30_000);
		const path = { accountId };
		const all = await call(listInstallments, { as: borrower.token, path, query: {} });
		expect(trips(all)).toBe(1);
		const rows = expectOk(all).data;
		expect(rows.map(({ position, status }) => [position, status])).toEqual([
			[1, "UPCOMING"],
			[2, "UPCOMING"],
			[3, "UPCOMING"],
		]);
		expect(rows.reduce((sum, { principal }) => sum + principal, 0)).toBe(30_000);
		const first = expectOk(await call(listInstallments, { as: borrower.token, path, query: { size: "2" } }));
		const second = expectOk(
			await call(listInstallments, { as: borrower.token, path, query: { size: "2", after: first.links.next ?? "" } }),
		);
		expect([...first.data, ...second.data]).toEqual(rows);
		expect(second.links.next).toBeNull();
		const back = expectOk(
			await call(listInstallments, { as: borrower.token, path, query: { size: "2", before: second.links.prev ?? "" } }),
		);
		expect(back.data).toEqual(first.data);

		const on = localDate(Date.now() + 30 * DAY);
		const payoff = await call(getPayoff, { as: borrower.token, path, query: { on } });
		expect(trips(payoff)).toBe(1);
		expect(expectOk(payoff)).toEqual({
			payoff_amount: 31_500,
			principal: 30_000,
			interest: 1_500,
			arrears: 0,
			penalty: 0,
			refund_uncovered: 0,
			currency: "KES",
			on,
		});
		expect(await call(getPayoff, { as: borrower.token, path, query: { on: localDate(Date.now() - DAY) } })).toMatchObject({ status: 400 });
		expect(await call(getPayoff, { as: borrower.token, path, query: { on: "9999-01-01" } })).toMatchObject({ status: 400 });

		const explained = await call(explainBalance, { as: borrower.token, path, query: {} });
		expect(trips(explained)).toBe(1);
		const { lines, total_outstanding } = expectOk(explained);
		expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(total_outstanding);
		const statement = expectOk(await call(getStatement, { as: borrower.token, path, query: {} }));
		expect(statement).toMatchObject({ opening_balance: 0, closing_balance: 30_000 });
		expect(statement.entries.map(({ rule }) => rule)).toEqual(["DRAWN"]);
	});
});

describe("a payment", () => {
	it("settles an installment in one read and one commit of at most 42 rows, with its events, its audit row and its receipt", async () => {
		const loan = await givenLoan(30_000);
		const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
		const before = (await eventsOf(loan.organization.id)).length;
		const answer = await pay(loan, 10_000, "TX1");
		expect(answer.status).toBe(201);
		expect(trips(answer)).toBe(2);
		expectRows(rowsWritten(answer)).atMost(42);
		const { transaction, installments: settled, overpaid_amount } = expectOk(answer);
		expect(transaction).toMatchObject({
			mobile_money_transaction_id: "TX1",
			status: "POSTED",
			amount: { value: 10_000, currency: "KES" },
			fee_amount: { value: 0, currency: "KES" },
			details: { type: "BUY_GOODS", till_number: "12345" },
		});
		expect(overpaid_amount).toBe(0);
		expect(settled.reduce((sum, row) => sum + row.allocated_amount, 0)).toBe(10_000);
		expect(settled[0]).toMatchObject({ installment_id: first?.id, source: "LIVE", timing: "IN_ADVANCE", position: 1 });
		expect((await eventsOf(loan.organization.id)).slice(before).map(({ type }) => type)).toEqual([
			"repayment.received",
			"repayment.posted",
		]);
		const account = expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan }));
		expect(account.balance).toMatchObject({ total_outstanding: 20_000, total_paid: 10_000 });
		await expectStoredEqualsReplay();
	});

	it("closes the cycle when it pays everything, and keeps the excess as an overpayment", async () => {
		const loan = await givenLoan(30_000);
		const paid = expectOk(await pay(loan, 31_000));
		expect(paid.overpaid_amount).toBe(1_000);
		const account = expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan }));
		expect(account).toMatchObject({ available_balance: 1_000, due_date: null, balance: { total_outstanding: 0 } });
		expect(account.paid_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
		expect(await db.select().from(creditCycles)).toMatchObject([{ status: "CLOSED" }]);
		expect(await db.select().from(creditAccounts)).toMatchObject([{ loansRepaidOnTime: 1, overpaidAmount: 1_000, earliestDue: null }]);
		expect((await eventsOf(loan.organization.id)).map(({ type }) => type)).toContain("credit_account.cycle_closed");
		await expectStoredEqualsReplay();
	});

	it("gets the first answer when it is repeated, and 409 with other facts under its id", async () => {
		const loan = await givenLoan();
		const body = paymentTo(loan.accountId, 5_000, "TX1");
		const first = await call(recordRepayment, { as: loan.key, body });
		const again = await call(recordRepayment, { as: loan.key, body });
		expect([first.status, again.status]).toEqual([201, 200]);
		expect(expectOk(again)).toEqual(expectOk(first));
		const other = { ...body, amount: { value: 5_001, currency: "KES" } };
		expect(await call(recordRepayment, { as: loan.key, body: other })).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(await db.select().from(payments)).toHaveLength(1);
	});

	it("is accepted twenty times concurrently, and each one is posted", { tags: ["thorough"] }, async () => {
		const loan = await givenLoan(30_000);
		const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => pay(loan, 1_000, `TX${index}`)));
		expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
		const rows = await db.select().from(payments);
		expect(rows.map(({ status }) => status)).toEqual(Array(20).fill("POSTED"));
		const posted = await db.select().from(allocations);
		expect(posted.reduce((sum, { allocatedAmount }) => sum + allocatedAmount, 0)).toBe(20_000);
		expect(expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan })).balance.total_outstanding).toBe(10_000);
		const types = (await eventsOf(loan.organization.id)).map(({ type }) => type);
		expect(types.filter((type) => type === "repayment.received")).toHaveLength(20);
		expect(types.filter((type) => type === "repayment.posted")).toHaveLength(20);
		await expectStoredEqualsReplay();
	});

	it("is posted once when it is reported twenty times concurrently", { tags: ["thorough"] }, async () => {
		const loan = await givenLoan(30_000);
		const body = paymentTo(loan.accountId, 1_000, "TX1");
		const answers = await Promise.all(Array.from({ length: 20 }, () => call(recordRepayment, { as: loan.key, body })));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
		expect(new Set(answers.map((answer) => expectOk(answer).transaction.id)).size).toBe(1);
		expect(await db.select().from(payments)).toHaveLength(1);
		expect(await db.select().from(accountTransactions)).toHaveLength(2);
		expect((await eventsOf(loan.organization.id)).filter(({ type }) => type === "repayment.received")).toHaveLength(1);
	});

	it("that failed is kept and never allocated", async () => {
		const loan = await givenLoan(30_000);
		const body = { ...paymentTo(loan.accountId, 1_000, "TX1"), status: "FAILED" as const, failure_reason: "INSUFFICIENT_FUNDS" };
		const answer = await call(recordRepayment, { as: loan.key, body });
		expect(answer).toMatchObject({
			status: 201,
			body: { transaction: { status: "FAILED", failure_reason: "INSUFFICIENT_FUNDS" }, installments: [] },
		});
		expect(expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan })).balance.total_outstanding).toBe(30_000);
		expect((await eventsOf(loan.organization.id)).at(-1)?.type).toBe("repayment.failed");
		const { account_id: _, ...unknown } = { ...body, mobile_money_transaction_id: "TX2", account_number: "07-typo" };
		expect(await call(recordRepayment, { as: loan.key, body: unknown })).toMatchObject({ status: 201 });
		expect((await eventsOf(loan.organization.id)).at(-1)).toMatchObject({
			type: "repayment.failed",
			data: { account_id: null, failure_reason: "INSUFFICIENT_FUNDS" },
		});
	});

	it("to an unknown account number, or in another currency, is kept as unmatched", async () => {
		const loan = await givenLoan();
		const { account_id: _, ...body } = paymentTo(loan.accountId, 1_000, "TX1");
		expect(await call(recordRepayment, { as: loan.key, body: { ...body, account_number: "12345678901" } })).toMatchObject({ status: 202 });
		const dollars = { ...paymentTo(loan.accountId, 1_000, "TX2"), amount: { value: 1_000, currency: "USD" } };
		expect(await call(recordRepayment, { as: loan.key, body: dollars })).toMatchObject({ status: 202 });
		expect((await db.select().from(payments)).map(({ unmatchedReason }) => unmatchedReason).sort()).toEqual([
			"CURRENCY_MISMATCH",
			"UNKNOWN_ACCOUNT",
		]);
	});

	it("finds its account by number, for the account's partner and for operators", async () => {
		const loan = await givenLoan();
		const { account_number } = expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan }));
		const { account_id: _, ...body } = paymentTo(loan.accountId, 1_000, "TX1");
		expect(await call(recordRepayment, { as: loan.key, body: { ...body, account_number } })).toMatchObject({ status: 201 });
		const again = await call(recordRepayment, { as: await operatorToken(), body: { ...body, account_number } });
		expect(again).toMatchObject({ status: 200, body: { transaction: { mobile_money_transaction_id: "TX1" } } });
	});

	it("is 404 for another organization's account and 400 when it lies in the future", async () => {
		const loan = await givenLoan();
		const key = await givenApiKey((await givenOrganization()).id, ["repayments:write"]);
		expect(await pay({ ...loan, key }, 1_000)).toMatchObject({ status: 404 });
		expect(await pay(loan, 1_000, "TX1", Date.now() + 6 * 60_000)).toMatchObject({ status: 400 });
		expect((await pay(loan, 1_000, "TX2", Date.now() + 4 * 60_000)).status).toBe(201);
		expect(await send(recordRepayment as never, { as: loan.key, body: { amount: 1 } })).toMatchObject({ status: 400 });
	});
});

describe("the history of an account", () => {
	it("cannot be changed or deleted", async () => {
		const loan = await givenLoan();
		expectOk(await pay(loan, 1_000));
		for (const table of ["account_transactions", "allocations"]) {
			await expect(appendOnly(`update ${table} set account_id = 'x'`)).rejects.toThrow(/append only/);
			await expect(appendOnly(`delete from ${table}`)).rejects.toThrow(/append only/);
		}
	});
});
