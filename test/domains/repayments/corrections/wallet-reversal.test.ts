// A reversed repayment from the wallet returns the money.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { currentAccounts } from "../../../../src/domains/current-accounts/table";
import { reverseRepayment } from "../../../../src/domains/repayments/corrections/operations";
import { repayFromWallet } from "../../../../src/domains/repayments/recording/wallet.operations";
import { call, expectOk } from "../../../support/client";
import { expectCredit, givenLoan, trips } from "../../../support/credit";
import { bookOf, givenCurrentAccount } from "../../../support/current-accounts";
import { db, operatorToken } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { beforeCommit } from "../../../support/loans";

async function givenBorrower(balance = 50_000) {
	const loan = await givenLoan(30_000);
	const wallet = await givenCurrentAccount({ user: loan.borrower, balance });
	return { ...loan, wallet };
}
type Borrower = Awaited<ReturnType<typeof givenBorrower>>;

const repay = ({ borrower, accountId }: Borrower, amount: number) =>
	call(repayFromWallet, { as: borrower.token, path: { accountId }, body: { amount, channel: "WALLET" } });
const owed = async ({ borrower, accountId }: Borrower) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } })).balance.total_outstanding;

describe("the reversal of a repayment from the wallet", () => {
	const reverse = async (id: string, vars: Partial<Env> = {}) =>
		call(reverseRepayment, { as: await operatorToken(), path: { id }, body: { reason: "by mistake" }, vars });

	it("returns the money in its own commit, once", async () => {
		const given = await givenBorrower();
		const { transaction } = expectOk(await repay(given, 10_000));
		const answer = await reverse(transaction.id);
		expect([answer.status, trips(answer)]).toEqual([201, 2]);
		const { balance, entries } = await bookOf(given.wallet.id);
		expect(balance).toBe(50_000);
		expect(entries.at(-1)).toMatchObject({ type: "LOAN_REFUND", amount: 10_000, sourceId: expectOk(answer).id });
		expect(await owed(given)).toBe(30_000);
		expect((await reverse(transaction.id)).status).toBe(409);
		expect((await bookOf(given.wallet.id)).balance).toBe(50_000);
		await expectStoredEqualsReplay();
	});

	it("returns the money even if the account spends some meanwhile", async () => {
		const given = await givenBorrower();
		const { transaction } = expectOk(await repay(given, 10_000));
		const vars = beforeCommit(async () => expectOk(await repay(given, 5_000)));
		expect((await reverse(transaction.id, vars)).status).toBe(201);
		expect([(await bookOf(given.wallet.id)).balance, await owed(given)]).toEqual([45_000, 25_000]);
	});

	it("is 409 when the account that paid is closed", async () => {
		const given = await givenBorrower(10_000);
		const { transaction } = expectOk(await repay(given, 10_000));
		await db.update(currentAccounts).set({ status: "CLOSED" }).where(eq(currentAccounts.id, given.wallet.id));
		expect(await reverse(transaction.id)).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE", description: "The current account that paid is closed" },
		});
		expect(await owed(given)).toBe(20_000);
	});
});
