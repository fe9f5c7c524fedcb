// A draw stays within the limit, also with other credit and other draws.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { changeTenure } from "../../../src/domains/accounts/tenure.operations";
import { listInstallments } from "../../../src/domains/credit-accounts/operations";
import { accountTransactions, creditAccounts, creditCycles } from "../../../src/domains/credit-accounts/table";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { putCreditProfile } from "../../../src/domains/loan-products/operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { users } from "../../../src/domains/users/model/table";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { expectCredit, givenLoan, pay, trips } from "../../support/credit";
import { db, givenUser, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { apply, beforeCommit, eventsOf, givenLoanProduct, givenOffer } from "../../support/loans";

type Loan = Awaited<ReturnType<typeof givenLoan>>;
const drawOf = ({ borrower, accountId }: Loan, amount: number) => call(draw, { as: borrower.token, path: { accountId }, body: { amount } });
const accountOf = async ({ borrower, accountId }: Loan) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));

describe("a draw", () => {
	it("joins the open cycle, whose installments are computed again, and answers with the account", async () => {
		const loan = await givenLoan(30_000);
		const before = (await eventsOf(loan.organization.id)).length;
		const answer = await drawOf(loan, 20_000);
		expect([answer.status, trips(answer)]).toEqual([200, 2]);
		const account = expectOk(answer);
		expect(account).toMatchObject({ available_limit: -50_000, available_balance: -50_000, balance: { principal_used: 50_000 } });
		expect(await accountOf(loan)).toEqual(account);
		const rows = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
		expect(rows).toHaveLength(3);
		expect(rows.reduce((sum, { principal }) => sum + principal, 0)).toBe(50_000);
		expect(await db.select().from(creditCycles)).toHaveLength(1);
		const [drawn, ...more] = (await eventsOf(loan.organization.id)).slice(before);
		expect(more).toEqual([]);
		expect(drawn).toMatchObject({ type: "credit_account.drawn", data: { account_id: loan.accountId, amount: 20_000, currency: "KES" } });
		expect(await db.select().from(disbursements).where(eq(disbursements.kind, "DRAW"))).toMatchObject([
			{
				id: drawn?.data.transaction_id,
				kind: "DRAW",
				status: "SUCCEEDED",
				mobileMoneyTransactionId: drawn?.data.mobile_money_transaction_id,
			},
		]);
		await expectStoredEqualsReplay();
	});

	it("starts a cycle with the chosen tenure when none is open, and charges its fee", async () => {
		const loan = await givenLoan(30_000, { fee_basis_points: 200 });
		expectOk(await pay(loan, 30_600));
		expectOk(await call(changeTenure, { as: loan.borrower.token, path: loan, body: { tenure: { duration: 45, unit: "DAYS" } } }));
		const account = expectOk(await drawOf(loan, 10_000));
		expect(account).toMatchObject({ next_cycle: null, balance: { total_outstanding: 10_200, principal_used: 10_000 } });
		const cycles = (await db.select().from(creditCycles)).sort((a, b) => a.number - b.number);
		expect(cycles).toMatchObject([
			{ number: 1, status: "CLOSED" },
			{ number: 2, status: "OPEN", principal: 10_000, fee: 200, applicationId: null, terms: { tenure: { duration: 45 } } },
		]);
		expect((await eventsOf(loan.organization.id)).map(({ type }) => type)).toContain("credit_account.cycle_started");
		await expectStoredEqualsReplay();
	});

	it("joins the cycle that is rolling over, even before the sweep has run", async () => {
		const loan = await givenLoan(30_000, { auto_renews: true });
		await moveClock(30 * DAY_MS);
		expectOk(await pay(loan, 3_000, "interest", Date.now() + 30 * DAY_MS));
		await moveClock(DAY_MS);
		expect(expectOk(await drawOf(loan, 5_000))).toMatchObject({ status: "ACTIVE", balance: { principal_used: 35_000 } });
		const cycles = (await db.select().from(creditCycles)).sort((a, b) => a.number - b.number);
		expect(cycles).toMatchObject([{ status: "CLOSED" }, { status: "OPEN", rolledFromId: cycles[0]?.id }]);
		await expectStoredEqualsReplay();
	});

	it("is paid by an overpayment first", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 34_000));
		expect(expectOk(await drawOf(loan, 10_000))).toMatchObject({
			available_balance: -6_000,
			balance: { total_outstanding: 6_000, total_paid: 4_000, principal_used: 6_000 },
		});
		expect(await db.select().from(creditAccounts)).toMatchObject([{ overpaidAmount: 0, principalOutstanding: 6_000 }]);
		await expectStoredEqualsReplay();
	});

	it("is refused beyond what is available, between steps, and with invalid input", async () => {
		const loan = await givenLoan(30_000);
		for (const amount of [70_500, 700, 0, -500, 1.5, "500", undefined]) {
			const sent = { as: loan.borrower.token, path: { accountId: loan.accountId }, body: { amount } };
			expect(await send(draw as never, sent), String(amount)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		}
		expect((await drawOf(loan, 70_000)).status).toBe(200);
		expect((await accountOf(loan)).available_limit).toBe(0);
	});

	it("is refused while an installment is overdue, and when the limit is below what is drawn", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await call(putCreditProfile, { as: await operatorToken(), path: { userId: loan.borrower.id }, body: { limit: 20_000 } }));
		expect((await drawOf(loan, 500)).status).toBe(400);
		await moveClock(31 * DAY_MS);
		expect(await drawOf(loan, 500)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await db.select().from(accountTransactions)).toHaveLength(1);
	});

	it("counts what the borrower owes on other accounts", async () => {
		const loan = await givenLoan(30_000);
		const { id } = await givenLoanProduct({ organization_id: loan.organization.id });
		const offer = await givenOffer(loan.borrower.token, id);
		expectOk(await call(applyForLoan, { as: loan.borrower.token, path: { application_id: offer.id }, body: { loan_amount: 60_000 } }));
		expect((await drawOf(loan, 10_500)).status).toBe(400);
		expect((await drawOf(loan, 10_000)).status).toBe(200);
	});

	it("notices changes between its read and its commit", async () => {
		const loan = await givenLoan(30_000);
		const other = await givenOffer(loan.borrower.token, (await givenLoanProduct({ organization_id: loan.organization.id })).id);
		const as = await operatorToken();
		const limit = (to: number | null) => call(putCreditProfile, { as, path: { userId: loan.borrower.id }, body: { limit: to } });
		const drawWhile = (happens: () => Promise<unknown>, amount: number) =>
			call(draw, { as: loan.borrower.token, path: loan, body: { amount }, vars: beforeCommit(happens) });
		expect((await drawWhile(() => limit(40_000), 20_000)).status).toBe(400);
		expectOk(await limit(null));
		expect((await drawWhile(() => apply(loan.borrower.token, other.id, 60_000), 20_000)).status).toBe(400);
		const blocked = await drawWhile(() => db.update(users).set({ blockedAt: 1 }), 500);
		expect(blocked).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		await db.update(users).set({ blockedAt: null });
		expect((await accountOf(loan)).balance.principal_used).toBe(30_000);
		// A change that does not affect the decision only costs a second read.
		expectOk(await drawWhile(() => limit(99_000), 500));
		expect((await accountOf(loan)).balance.principal_used).toBe(30_500);
	});

	it("is for the account's owner only", async () => {
		const loan = await givenLoan(30_000);
		const { token } = await givenUser({ organizationId: loan.organization.id });
		expect(await call(draw, { as: token, path: loan, body: { amount: 500 } })).toMatchObject({ status: 404 });
	});
});
