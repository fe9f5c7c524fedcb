// Repayments settle what is owed in the order that the product names.

import { describe, expect, it } from "vitest";
import { workOnAccounts } from "../../../src/domains/credit-accounts/job";
import { listInstallments } from "../../../src/domains/credit-accounts/operations";
import { listLoanProducts } from "../../../src/domains/loan-products/administration.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { givenLoan, pay, THREE_INSTALLMENTS } from "../../support/credit";
import { operatorToken } from "../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../support/ledgers";
import { runDueWork } from "../../support/loans";

type Allocation = NonNullable<NonNullable<Parameters<typeof givenLoan>[1]>["allocation"]>;

const givenLoanPaid = (order: Allocation["order"], future: Allocation["future"]) =>
	givenLoan(30_000, { ...THREE_INSTALLMENTS, allocation: { order, future } });
type Loan = Awaited<ReturnType<typeof givenLoan>>;

const installmentsOf = async ({ borrower, accountId }: Loan) =>
	expectOk(await call(listInstallments, { as: borrower.token, path: { accountId }, query: {} })).data;
const paidOf = async (loan: Loan) => (await installmentsOf(loan)).map(({ paid }) => paid);

async function expectWhole(loan: Loan): Promise<void> {
	await expectStoredEqualsReplay();
	await expectOneSum(loan);
}

describe("the allocation that a product names", () => {
	it("is by default installment after installment, and then the next installment ahead of time", async () => {
		const loan = await givenLoan(30_000);
		const { data } = expectOk(await call(listLoanProducts, { as: await operatorToken(), query: {} }));
		expect(data.map(({ allocation }) => allocation)).toEqual([{ order: "HORIZONTAL", future: "NEXT_INSTALLMENT" }]);
		expectOk(await pay(loan, 12_000));
		expect(await paidOf(loan)).toEqual([expect.toSatisfy((paid) => paid > 10_000), expect.toSatisfy((paid) => paid > 0), 0]);
	});

	it("pays the last installment ahead of time", async () => {
		const loan = await givenLoanPaid("HORIZONTAL", "LAST_INSTALLMENT");
		expectOk(await pay(loan, 3_000));
		expect(await paidOf(loan)).toEqual([0, 0, 3_000]);
		await expectWhole(loan);
	});

	it("pays all installments ahead in equal parts, the odd unit to the last, also after a reversal and a draw", async () => {
		const loan = await givenLoanPaid("HORIZONTAL", "REAMORTIZATION");
		const { transaction } = expectOk(await pay(loan, 3_001));
		expect(await paidOf(loan)).toEqual([1_000, 1_000, 1_001]);
		const as = await operatorToken();
		expectOk(await call(reverseRepayment, { as, path: { id: transaction.id }, body: { reason: "by mistake" } }));
		expect(await paidOf(loan)).toEqual([0, 0, 0]);
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 5_000 } }));
		expectOk(await pay(loan, 600));
		expect(await paidOf(loan)).toEqual([200, 200, 200]);
		await expectWhole(loan);
	});

	it("pays the arrears of all installments before any principal", async () => {
		const [across, down] = [await givenLoanPaid("HORIZONTAL", "NEXT_INSTALLMENT"), await givenLoanPaid("VERTICAL", "NEXT_INSTALLMENT")];
		await moveClock(65 * DAY_MS);
		await runDueWork(workOnAccounts);
		const arrears = (await installmentsOf(down)).slice(0, 2).map((row) => row.arrears);
		const both = arrears.reduce((sum, amount) => sum + amount, 0);
		expect(arrears.every((amount) => amount > 0)).toBe(true);
		for (const loan of [across, down]) expectOk(await pay(loan, both, crypto.randomUUID(), Date.now() + 65 * DAY_MS));
		expect(await paidOf(down)).toEqual([...arrears, 0]);
		expect(await paidOf(across)).toEqual([both, 0, 0]);
		await expectStoredEqualsReplay();
	});
});
