// Reversals and waivers, and what the account shows of them.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { workOnAccounts } from "../../../../src/domains/credit-accounts/job";
import { getPayoff, listInstallments } from "../../../../src/domains/credit-accounts/operations";
import { accountTransactions, creditAccounts, creditCycles } from "../../../../src/domains/credit-accounts/table";
import { draw } from "../../../../src/domains/loans/draws.operations";
import { reverseRepayment, waive } from "../../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../../src/domains/repayments/corrections/refund.operations";
import { postWaitingPayments } from "../../../../src/domains/repayments/recording/job";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { payments } from "../../../../src/domains/repayments/table";
import { listAccountTransactions, listInstallmentTransactions } from "../../../../src/domains/repayments/transactions.operations";
import { addDays, DAY_MS, daysBetween, localDate } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { expectCredit, givenLoan, pay, paymentTo, THREE_INSTALLMENTS, trips } from "../../../support/credit";
import { db, givenUser, newId, operatorToken } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { eventsOf, LOAN_PRODUCT, runDueWork } from "../../../support/loans";

const reverse = async (id: string) =>
	call(reverseRepayment, { as: await operatorToken(), path: { id }, body: { reason: "somebody else's" } });
const accountOf = async ({ borrower, accountId }: Awaited<ReturnType<typeof givenLoan>>) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));

describe("a reversal", () => {
	it("restores the debt, with rows of its own, and reopens the cycle", async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 30_000));
		expect(await db.select().from(creditCycles)).toMatchObject([{ status: "CLOSED" }]);
		const answer = await reverse(transaction.id);
		expect(trips(answer)).toBe(2);
		expect(expectOk(answer)).toMatchObject({
			kind: "REVERSAL",
			reverses_transaction_id: transaction.id,
			amount: { value: 30_000, currency: "KES" },
		});
		expect((await accountOf(loan)).balance).toMatchObject({ total_outstanding: 30_000, total_paid: 0 });
		expect(await db.select().from(creditCycles)).toMatchObject([{ status: "OPEN", paidAt: null }]);
		expect(await db.select().from(creditAccounts)).toMatchObject([{ loansRepaidOnTime: 0, principalOutstanding: 30_000 }]);
		expect(await db.select().from(payments)).toMatchObject([{ status: "REVERSED", reversedAmount: 30_000 }]);
		expect((await eventsOf(loan.organization.id)).map(({ type }) => type)).toContain("repayment.reversed");

		const { data } = expectOk(await call(listAccountTransactions, { as: loan.borrower.token, path: loan, query: {} }));
		expect(data.map((row) => row.transaction.kind)).toEqual(["REVERSAL", "REPAYMENT"]);
		const sums = data.map((row) => row.installments.reduce((sum, { allocated_amount }) => sum + allocated_amount, 0));
		expect(sums).toEqual([-30_000, 30_000]);
		expect(data[0]?.installments.map(({ effect }) => effect)).toContain("OBLIGATION_REINSTATED");
	});

	it("of a payment whose overpayment was refunded leaves the refund to be paid first", async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 30_500));
		expectOk(await call(refundOverpayment, { as: await operatorToken(), path: loan }));
		expectOk(await reverse(transaction.id));
		const bounced = await accountOf(loan);
		expect(bounced).toMatchObject({ available_balance: -30_500, paid_at: null, status: "ACTIVE" });
		expect(bounced.balance).toMatchObject({
			total_outstanding: 30_500,
			breakdown: { principal_outstanding: 30_000, refund_uncovered: 500 },
		});
		expect(expectOk(await call(getPayoff, { as: loan.borrower.token, path: loan, query: {} })).payoff_amount).toBe(30_500);
		expectOk(await pay(loan, 700));
		expect((await accountOf(loan)).balance.breakdown).toMatchObject({ principal_outstanding: 29_800, refund_uncovered: 0 });
		expectOk(await pay(loan, 29_800));
		const paid = await accountOf(loan);
		expect(paid.balance.total_outstanding).toBe(0);
		expect(paid.paid_at).not.toBeNull();
		expect(paid.final_payment_due_date).not.toBeNull();
		await expectStoredEqualsReplay();
	});

	it("of the same payment succeeds once, even when twenty are made concurrently", { tags: ["thorough"] }, async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 5_000));
		const answers = await Promise.all(Array.from({ length: 20 }, () => reverse(transaction.id)));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
		expect((await db.select().from(accountTransactions)).filter(({ kind }) => kind === "REVERSAL")).toHaveLength(1);
		expect(await reverse(crypto.randomUUID())).toMatchObject({ status: 404 });
	});

	it("reaches a payment of a cycle that was repaid before the running one began", async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 30_000));
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 20_000 } }));
		const [account] = await db.select().from(creditAccounts);
		// The book begins with the second cycle: the payment is no longer part of it.
		expect([account?.lastPosition, account?.bookFrom]).toEqual([3, 3]);
		expectOk(await pay(loan, 1_000));
		expect((await reverse(transaction.id)).status).toBe(201);
		expect((await accountOf(loan)).balance).toMatchObject({ total_outstanding: 49_000, principal_used: 49_000 });
		const cycles = (await db.select().from(creditCycles)).sort((a, b) => a.number - b.number);
		expect(cycles).toMatchObject([{ status: "OPEN", paidAt: null }, { status: "OPEN" }]);
		expect(await db.select().from(creditAccounts)).toMatchObject([{ bookFrom: 1, loansRepaidOnTime: 0 }]);
		await expectStoredEqualsReplay();
	});
});

describe("a waiver", () => {
	it("reduces what the installment owes, and never below zero", async () => {
		const loan = await givenLoan(30_000);
		const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
		const body = { installment_id: first?.id ?? "", amount: 100, reason: "goodwill" };
		const as = await operatorToken();
		const answer = await call(waive, { as, path: loan, body });
		expect(trips(answer)).toBe(2);
		expect(expectOk(answer)).toMatchObject({ kind: "WAIVER", amount: { value: 100, currency: "KES" } });
		expect((await accountOf(loan)).balance).toMatchObject({ total_outstanding: 29_900, total_paid: 0 });
		expect(await call(waive, { as, path: loan, body: { ...body, amount: 100_000 } })).toMatchObject({ status: 400 });
		expect(await call(waive, { as, path: loan, body: { ...body, installment_id: crypto.randomUUID() } })).toMatchObject({ status: 404 });
	});
});

describe("a waiver of an installment that was settled long ago", () => {
	it("is refused, because the installment owes nothing", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 30_000));
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 20_000 } }));
		const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
		const body = { installment_id: first?.id ?? "", amount: 1, reason: "goodwill" };
		expect(await call(waive, { as: await operatorToken(), path: loan, body })).toMatchObject({ status: 400 });
	});
});

describe("the transactions of an account", () => {
	it("are paged newest first in both directions, failed payments among them", async () => {
		const loan = await givenLoan(30_000);
		const ids: string[] = [];
		for (let index = 0; index < 5; index++) {
			const failed = index === 2 ? { status: "FAILED" as const, failure_reason: "NO_FUNDS" } : {};
			const body = { ...paymentTo(loan.accountId, 1_000), ...failed };
			ids.unshift(expectOk(await call(recordRepayment, { as: loan.key, body })).transaction.id);
		}
		const list = (query: { size?: string; after?: string; before?: string }) =>
			call(listAccountTransactions, { as: loan.borrower.token, path: loan, query });
		const all = await list({});
		expect(trips(all)).toBe(1);
		expect(expectOk(all).data.map(({ transaction }) => transaction.id)).toEqual(ids);
		expect(expectOk(all).data[2]).toMatchObject({ transaction: { status: "FAILED", failure_reason: "NO_FUNDS" }, installments: [] });
		const pages = [expectOk(await list({ size: "2" }))];
		for (let next = pages[0]?.links.next; next; next = pages.at(-1)?.links.next)
			pages.push(expectOk(await list({ size: "2", after: next })));
		expect(pages.map(({ data }) => data.map(({ transaction }) => transaction.id))).toEqual([
			ids.slice(0, 2),
			ids.slice(2, 4),
			ids.slice(4),
		]);
		const back = expectOk(await list({ size: "2", before: pages[2]?.links.prev ?? "" }));
		expect(back.data).toEqual(pages[1]?.data);
	});

	it("of an installment are found by its id or an allocation's id, and are 404 for other users", async () => {
		const loan = await givenLoan(30_000);
		const [allocation] = expectOk(await pay(loan, 1_000)).installments;
		if (!allocation) throw new Error("expected an allocation");
		const list = (accountId: string, id: string, as = loan.borrower.token) =>
			call(listInstallmentTransactions, { as, path: { accountId, id }, query: {} });
		const answer = await list(loan.accountId, allocation.installment_id);
		expect(trips(answer)).toBe(1);
		expect(expectOk(answer).data).toMatchObject([{ allocation, transaction: { amount: { value: 1_000 } } }]);
		expect(expectOk(await list(loan.accountId, allocation.id)).data).toEqual(expectOk(answer).data);
		const other = await givenLoan(30_000);
		expect(await list(other.accountId, allocation.installment_id, other.borrower.token)).toMatchObject({ status: 404 });
		expect(await list(loan.accountId, allocation.installment_id, (await givenUser()).token)).toMatchObject({ status: 404 });
	});
});

describe("time", () => {
	const LATE = {
		...THREE_INSTALLMENTS,
		penalty_terms: { ...LOAN_PRODUCT.penalty_terms, trigger: "AFTER_INSTALLMENT_DUE" as const, grace_period_days: 2 },
	};

	it("gives notice of an installment, then raises that it is overdue and charges the penalty", async () => {
		const loan = await givenLoan(30_000, LATE);
		await moveClock(27 * DAY_MS);
		await runDueWork(workOnAccounts);
		expect((await eventsOf(loan.organization.id)).at(-1)?.type).toBe("credit_account.installment_due");
		await moveClock(4 * DAY_MS);
		await runDueWork(workOnAccounts);
		expect((await eventsOf(loan.organization.id)).at(-1)).toMatchObject({
			type: "credit_account.installment_overdue",
			data: { days_overdue: 1 },
		});
		expect(await db.select().from(creditAccounts)).toMatchObject([{ status: "IN_ARREARS" }]);
		expect(await accountOf(loan)).toMatchObject({ status: "IN_ARREARS", can_transact: false });
		await moveClock(3 * DAY_MS);
		await runDueWork(workOnAccounts);
		const charged = (await eventsOf(loan.organization.id)).at(-1);
		expect(charged).toMatchObject({
			type: "credit_account.penalty_applied",
			data: { penalty_number: 1, rate_basis_points: 100, capped: false },
		});
		expect((await accountOf(loan)).balance.breakdown.penalty_outstanding).toBe(charged?.data.amount);
		const seen = (await eventsOf(loan.organization.id)).length;
		await runDueWork(workOnAccounts);
		expect(await eventsOf(loan.organization.id)).toHaveLength(seen);
	});

	it("catches up on all missed days in one run: penalties on their own days, and default after 90", async () => {
		const loan = await givenLoan(30_000, LATE);
		await moveClock(125 * DAY_MS);
		await runDueWork(workOnAccounts);
		expect(await db.select().from(creditAccounts)).toMatchObject([{ status: "DEFAULTED", loansRepaidOnTime: 0 }]);
		const types = (await eventsOf(loan.organization.id)).map(({ type }) => type);
		expect(types.filter((type) => type === "credit_account.installment_overdue")).toHaveLength(3);
		expect(types.filter((type) => type === "credit_account.defaulted")).toHaveLength(1);
		const penalties = (await db.select().from(accountTransactions)).filter(({ kind }) => kind === "PENALTY");
		expect(types.filter((type) => type === "credit_account.penalty_applied")).toHaveLength(penalties.length);
		expect(new Set(penalties.map(({ valueDate }) => valueDate)).size).toBeGreaterThan(5);
	});

	it("raises once in each default that charges have reached their cap", async () => {
		const penalty_terms = { ...LATE.penalty_terms, rate_basis_points: 5_000, period_days: 10, grace_period_days: 0 };
		const loan = await givenLoan(30_000, { ...LATE, penalty_terms });
		const reached = async () =>
			(await eventsOf(loan.organization.id)).filter(({ type }) => type === "credit_account.in_duplum_reached").map(({ data }) => data);
		for (const days of [31, 60, 20]) {
			await moveClock(days * DAY_MS);
			await runDueWork(workOnAccounts);
		}
		// The first installment's interest of 1,500 was unpaid when the default began.
		expect(await reached()).toMatchObject([{ cap: 28_500, account_id: loan.accountId }]);
		const [account] = await db.select().from(creditAccounts);
		expect(account?.inDuplumToldOn).not.toBeNull();
		await expectStoredEqualsReplay();
	});

	it("raises on its own day that interest alone has reached the cap", async () => {
		const interest_rate = { basis_points: 5_000, period_value: 30, period_unit: "DAYS" as const };
		const rate_schedule = [{ min_days: 1, max_days: 120, interest_rate }];
		const loan = await givenLoan(30_000, { ...THREE_INSTALLMENTS, rate_schedule });
		const start = localDate(Date.now());
		const told: string[] = [];
		// Only what is due is worked on: no day in between is a due date, a notice or a penalty.
		for (let day = 1; day <= 80 && told.length === 0; day++) {
			await moveClock(DAY_MS);
			await runDueWork(workOnAccounts);
			for (const { type, data } of await eventsOf(loan.organization.id)) {
				if (type === "credit_account.in_duplum_reached") told.push(String(data.reached_on), addDays(start, day));
			}
		}
		expect(told[1]).toBe(told[0]);
		expect(daysBetween(start, told[0] ?? start)).toBeGreaterThan(61);
		expect(daysBetween(start, told[0] ?? start)).toBeLessThan(87);
	});

	it("rolls the principal over when only principal is left and the account renews", async () => {
		const loan = await givenLoan(30_000, { auto_renews: true });
		await moveClock(30 * DAY_MS);
		expectOk(await pay(loan, 3_000, "interest", Date.now() + 30 * DAY_MS));
		await moveClock(DAY_MS);
		await runDueWork(workOnAccounts);
		const cycles = (await db.select().from(creditCycles)).sort((a, b) => a.number - b.number);
		expect(cycles).toMatchObject([{ status: "CLOSED" }, { status: "OPEN", principal: 30_000, rolledFromId: cycles[0]?.id }]);
		expect(await accountOf(loan)).toMatchObject({ status: "ACTIVE", balance: { principal_used: 30_000 } });
		await runDueWork(workOnAccounts);
		expect(await db.select().from(creditCycles)).toHaveLength(2);
		expect(expectOk(await pay(loan, 500, "after", Date.now() + 31 * DAY_MS)).installments).toMatchObject([{ principal_amount: 500 }]);
		expect((await accountOf(loan)).balance.principal_used).toBe(29_500);
	});

	it("posts a payment whose posting was interrupted", async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 1_000, "TX1"));
		await db.insert(payments).values({
			...((await db.select().from(payments))[0] as typeof payments.$inferSelect),
			id: newId(loan.accountId),
			mobileMoneyTransactionId: "TX2",
			status: "CONFIRMED",
			postedAt: null,
		});
		await moveClock(2 * 60_000);
		await runDueWork(postWaitingPayments);
		expect((await db.select().from(payments)).map(({ status }) => status)).toEqual(["POSTED", "POSTED"]);
		expect((await accountOf(loan)).balance.total_paid).toBe(2_000);
		expect(transaction.status).toBe("POSTED");
	});
});
