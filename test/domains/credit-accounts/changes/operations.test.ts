// Changes of a running loan over HTTP: other due dates, settlements at a discount, and that both can be undone.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { getStatement } from "../../../../src/domains/accounts/statement.operations";
import { decideApproval, requestApproval } from "../../../../src/domains/approvals/operations";
import { rescheduleAccount, settleAccount } from "../../../../src/domains/credit-accounts/changes/operations";
import { workOnAccounts } from "../../../../src/domains/credit-accounts/job";
import { explainBalance, listInstallments } from "../../../../src/domains/credit-accounts/operations";
import { accountTransactions, creditAccounts, creditCycles } from "../../../../src/domains/credit-accounts/table";
import { draw } from "../../../../src/domains/loans/draws.operations";
import { reverseRepayment, reverseTransaction } from "../../../../src/domains/repayments/corrections/operations";
import { listAccountTransactions, listInstallmentTransactions } from "../../../../src/domains/repayments/transactions.operations";
import { addDays, DAY_MS, localDate } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { expectCredit, givenLoan, pay, trips } from "../../../support/credit";
import { db, operatorToken } from "../../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../../support/ledgers";
import { eventsOf, runDueWork } from "../../../support/loans";

type Loan = Awaited<ReturnType<typeof givenLoan>>;
const reason = "asked for it";
const today = () => localDate(Date.now());
const accountOf = async ({ borrower, accountId }: Loan) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
const installmentsOf = async (loan: Loan) =>
	expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
const extend = async (loan: Loan, more: object = {}) =>
	call(rescheduleAccount, { as: await operatorToken(), path: loan, body: { kind: "EXTEND", installments: 3, reason, ...more } });
const settle = async (loan: Loan, amount: number, validUntil = addDays(today(), 10)) =>
	call(settleAccount, { as: await operatorToken(), path: loan, body: { amount, valid_until: validUntil, reason } });
const undo = async (loan: Loan, transactionId: string) =>
	call(reverseTransaction, {
		as: await operatorToken(),
		path: { accountId: loan.accountId, transactionId },
		body: { reason: "entered twice" },
	});
const typesOf = async (loan: Loan) => (await eventsOf(loan.organization.id)).map(({ type }) => type);

describe("a reschedule", () => {
	it("shows both schedules before it is made, and writes nothing", async () => {
		const loan = await givenLoan(30_000);
		const preview = await extend(loan, { dry_run: true });
		expect(preview.status).toBe(200);
		const { before, after, transaction_id } = expectOk(preview);
		expect([before.length, after.length, transaction_id]).toEqual([3, 6, null]);
		expect(after.reduce((sum, { principal }) => sum + principal, 0)).toBe(30_000);
		expect(after[0]?.outstanding).toBeLessThan(before[0]?.outstanding ?? 0);
		expect((await db.select().from(accountTransactions)).map(({ kind }) => kind)).toEqual(["DRAW"]);
		const made = await extend(loan);
		expect([made.status, trips(made)]).toEqual([201, 2]);
		expect(expectOk(made).after).toEqual(after);
		expect((await installmentsOf(loan)).map(({ outstanding }) => outstanding)).toEqual(after.map(({ outstanding }) => outstanding));
		expect(await accountOf(loan)).toMatchObject({ final_payment_due_date: after.at(-1)?.due_date });
		expect(await typesOf(loan)).toContain("credit_account.rescheduled");
		await expectStoredEqualsReplay();
	});

	it("moves the dates of a cycle that is about to roll over", async () => {
		const loan = await givenLoan(30_000, { auto_renews: true });
		await moveClock(30 * DAY_MS);
		expectOk(await pay(loan, 3_000, "interest", Date.now() + 30 * DAY_MS));
		await moveClock(DAY_MS);
		const { cycle_id, after } = expectOk(await extend(loan, { installments: 1 }));
		expect(await db.select().from(creditCycles)).toContainEqual(expect.objectContaining({ id: cycle_id, number: 2 }));
		expect((await installmentsOf(loan)).filter((row) => row.cycle_id === cycle_id)).toHaveLength(after.length);
		await expectStoredEqualsReplay();
	});

	it("puts the next installments off, and is undone by a reversal", async () => {
		const loan = await givenLoan(30_000);
		const dates = (await installmentsOf(loan)).map(({ due_date }) => due_date);
		const body = { kind: "HOLIDAY" as const, installments: 2, reason };
		const { transaction_id } = expectOk(await call(rescheduleAccount, { as: await operatorToken(), path: loan, body }));
		expect((await installmentsOf(loan)).map(({ due_date }) => due_date)).toEqual([
			dates[2],
			addDays(dates[2] ?? "", 30),
			addDays(dates[2] ?? "", 60),
		]);
		await moveClock(40 * DAY_MS);
		await runDueWork(workOnAccounts);
		expect(await accountOf(loan)).toMatchObject({ status: "ACTIVE", balance: { breakdown: { arrears_outstanding: 0 } } });
		expectOk(await undo(loan, transaction_id ?? ""));
		expect((await installmentsOf(loan)).map(({ due_date }) => due_date)).toEqual(dates);
		expect(await accountOf(loan)).toMatchObject({ status: "IN_ARREARS" });
		expect((await undo(loan, transaction_id ?? "")).status).toBe(409);
		const kinds = expectOk(await call(listAccountTransactions, { as: loan.borrower.token, path: loan, query: {} })).data;
		expect(kinds.map(({ transaction }) => transaction.kind)).toEqual(["REVERSAL", "RESCHEDULE"]);
		expect(await typesOf(loan)).toContain("credit_account.transaction_reversed");
		await expectStoredEqualsReplay();
	});

	it("takes any later dates, as many as there are installments to come", async () => {
		const loan = await givenLoan(30_000);
		const to = async (due_dates: string[]) =>
			call(rescheduleAccount, { as: await operatorToken(), path: loan, body: { kind: "NEW_DATES", due_dates, reason } });
		const date = (days: number) => addDays(today(), days);
		for (const dates of [
			[date(10), date(20)],
			[date(10), date(20), date(20)],
			[date(0), date(20), date(30)],
			[date(10), date(20), "9999-01-01"],
		]) {
			expect((await to(dates)).status).toBe(400);
		}
		expectOk(await to([date(10), date(45), date(80)]));
		expect((await installmentsOf(loan)).map(({ due_date }) => due_date)).toEqual([date(10), date(45), date(80)]);
		await expectStoredEqualsReplay();
		await expectOneSum(loan);
	});

	it("lets the loan be drawn on and repaid in the added time, and cannot be undone beneath a draw", async () => {
		const loan = await givenLoan(30_000);
		const { transaction_id } = expectOk(await extend(loan));
		await moveClock(89 * DAY_MS);
		expectOk(await pay(loan, 20_000, "a", Date.now() + 89 * DAY_MS));
		await moveClock(3 * DAY_MS);
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 5_000 } }));
		expect(await db.select().from(creditCycles)).toHaveLength(1);
		expect(await undo(loan, transaction_id ?? "")).toMatchObject({ status: 409 });
		expect((await extend(loan, { cycle_id: crypto.randomUUID() })).status).toBe(400);
		await expectStoredEqualsReplay();
	});

	it("is refused where nothing is to come, and hidden where there is no account", async () => {
		const loan = await givenLoan(30_000);
		expect((await extend({ ...loan, accountId: crypto.randomUUID() })).status).toBe(404);
		expectOk(await pay(loan, 30_000));
		expect((await extend(loan)).status).toBe(409);
	});
});

describe("a settlement", () => {
	it("waives the rest in the posting of the payment that completes it", async () => {
		const loan = await givenLoan(30_000);
		const agreed = expectOk(await settle(loan, 20_000));
		expect((await accountOf(loan)).settlement).toEqual({
			transaction_id: agreed.transaction_id,
			amount_left: 20_000,
			valid_until: agreed.valid_until,
		});
		expectOk(await pay(loan, 15_000));
		expect((await accountOf(loan)).settlement).toMatchObject({ amount_left: 5_000 });
		const { transaction, overpaid_amount } = expectOk(await pay(loan, 6_000));
		expect(overpaid_amount).toBe(1_000);
		const settled = await accountOf(loan);
		expect(settled).toMatchObject({ balance: { total_outstanding: 0 }, settlement: null, available_balance: 1_000 });
		expect((await installmentsOf(loan)).map(({ outstanding, waived }) => [outstanding, waived > 0])).toEqual([
			[0, false],
			[0, true],
			[0, true],
		]);
		const done = (await eventsOf(loan.organization.id)).filter(({ type }) => type === "credit_account.settled");
		expect(done).toMatchObject([{ data: { settlement_id: agreed.transaction_id, waived: 10_000 } }]);
		expect(await db.select().from(creditAccounts)).toMatchObject([{ loansRepaidOnTime: 0 }]);
		await expectStoredEqualsReplay();

		// The payment bounces: nothing is waived any more.
		expectOk(await call(reverseRepayment, { as: await operatorToken(), path: { id: transaction.id }, body: { reason } }));
		expect(await accountOf(loan)).toMatchObject({ balance: { total_outstanding: 15_000 }, settlement: { amount_left: 5_000 } });
		await expectStoredEqualsReplay();
	});

	it("has no effect after its last day, and can be undone before", async () => {
		const loan = await givenLoan(30_000);
		const { transaction_id } = expectOk(await settle(loan, 20_000, today()));
		expectOk(await undo(loan, transaction_id));
		expectOk(await pay(loan, 20_000));
		expect((await accountOf(loan)).balance.total_outstanding).toBe(10_000);
		expectOk(await settle(loan, 5_000, today()));
		await moveClock(DAY_MS);
		expect((await accountOf(loan)).settlement).toBeNull();
		expectOk(await pay(loan, 5_000, "late", Date.now() + DAY_MS));
		expect((await accountOf(loan)).balance.total_outstanding).toBeGreaterThan(5_000 - 1);
		for (const [amount, validUntil] of [
			[1_000_000, today()],
			[1, "2020-01-01"],
			[1, "9999-01-01"],
		] as const) {
			expect((await settle(loan, amount, validUntil)).status).toBe(400);
		}
	});

	it("goes by approval too", async () => {
		const loan = await givenLoan(30_000);
		const payload = { amount: 20_000, valid_until: today() };
		const asked = { approval_type: "SETTLEMENT" as const, entity_type: "ACCOUNT" as const, entity_id: loan.accountId, payload };
		const { id } = expectOk(await call(requestApproval, { as: await operatorToken("first"), body: asked }));
		expect((await accountOf(loan)).settlement).toBeNull();
		expectOk(await call(decideApproval, { as: await operatorToken("second"), path: { id }, body: { decision: "APPROVED" } }));
		expect((await accountOf(loan)).settlement).toMatchObject({ amount_left: 20_000, valid_until: today() });
		const more = { ...asked, payload: { ...payload, amount: 30_000 } };
		expect(await call(requestApproval, { as: await operatorToken("first"), body: more })).toMatchObject({ status: 409 });
	});

	it("is explained, listed with its installments, and on the statement", async () => {
		const loan = await givenLoan(30_000);
		const { transaction_id } = expectOk(await settle(loan, 20_000));
		expectOk(await pay(loan, 20_000));
		const as = loan.borrower.token;
		const { entries } = expectOk(await call(getStatement, { as, path: loan, query: {} }));
		const waived = entries.filter((entry) => entry.transaction_id === transaction_id);
		expect(waived.reduce((sum, { amount }) => sum + amount, 0)).toBe(-10_000);
		const [last] = (await installmentsOf(loan)).slice(-1);
		const rows = expectOk(
			await call(listInstallmentTransactions, { as, path: { accountId: loan.accountId, id: last?.id ?? "" }, query: {} }),
		).data;
		expect(rows.map(({ transaction }) => transaction.kind)).toEqual(["SETTLEMENT"]);
		expect(expectOk(await call(explainBalance, { as, path: loan, query: {} }))).toMatchObject({ total_outstanding: 0, lines: [] });
	});
});
