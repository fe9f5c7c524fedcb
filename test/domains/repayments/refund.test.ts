import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { creditAccountOverpaymentRefunded } from "../../../src/domains/credit-accounts/events";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { disbursements } from "../../../src/domains/loans/table";
import { refundOverpayment } from "../../../src/domains/repayments/refund.operations";
import { listAccountTransactions } from "../../../src/domains/repayments/transactions.operations";
import { repayFromWallet } from "../../../src/domains/repayments/wallet.operations";
import { call, expectOk } from "../../support/client";
import { givenLoan, pay, trips } from "../../support/credit";
import { bookOf, givenCurrentAccount } from "../../support/current-accounts";
import { db, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { beforeCommit, eventsOf } from "../../support/loans";

/** A borrower who has overpaid 4,000, with a current account. */
async function givenOverpaid(wallet: Partial<Parameters<typeof givenCurrentAccount>[0]> = {}) {
	const loan = await givenLoan(30_000);
	expectOk(await pay(loan, 34_000));
	return { ...loan, wallet: await givenCurrentAccount({ user: loan.borrower, balance: 1_000, ...wallet }) };
}
type Overpaid = Awaited<ReturnType<typeof givenOverpaid>>;

const refund = async ({ accountId }: Overpaid, vars: Partial<Env> = {}) =>
	call(refundOverpayment, { as: await operatorToken(), path: { accountId }, vars });
const destinationOf = async ({ organization }: Overpaid) =>
	(await eventsOf(organization.id)).find(({ type }) => type === creditAccountOverpaymentRefunded.type)?.data.destination;

describe("the refund of an overpayment to a borrower with a current account", () => {
	it("goes there in one commit", async () => {
		const given = await givenOverpaid();
		const answer = await refund(given);
		expect([answer.status, trips(answer)]).toEqual([201, 2]);
		const transaction = expectOk(answer);
		expect(transaction).toMatchObject({ kind: "REFUND", amount: { value: 4_000, currency: "KES" } });
		const { balance, entries } = await bookOf(given.wallet.id);
		expect(balance).toBe(5_000);
		expect(entries.at(-1)).toMatchObject({ type: "LOAN_REFUND", amount: 4_000, contra: "LOAN", sourceId: transaction.id });
		expect(await db.select().from(disbursements)).toEqual([]);
		expect(await destinationOf(given)).toBe("CURRENT_ACCOUNT");
		const { data } = expectOk(await call(listAccountTransactions, { as: given.borrower.token, path: given, query: {} }));
		expect(data.map((row) => row.transaction.kind)).toEqual(["REFUND", "REPAYMENT"]);
		expect((await refund(given)).status).toBe(409);
		await expectStoredEqualsReplay();
	});

	it("goes there once, however many ask at once", async () => {
		const given = await givenOverpaid();
		const answers = await Promise.all(Array.from({ length: 8 }, () => refund(given)));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect((await bookOf(given.wallet.id)).balance).toBe(5_000);
	});

	it("is paid out when the account is not active or has another currency", async () => {
		const closing = await givenOverpaid({ status: "CLOSING" });
		expectOk(await refund(closing));
		expect(await destinationOf(closing)).toBe("DISBURSER");
		const foreign = await givenOverpaid();
		await db.update(currentAccounts).set({ currency: "UGX" }).where(eq(currentAccounts.id, foreign.wallet.id));
		expectOk(await refund(foreign));
		expect(await destinationOf(foreign)).toBe("DISBURSER");
		expect([(await bookOf(closing.wallet.id)).balance, (await bookOf(foreign.wallet.id)).balance]).toEqual([1_000, 1_000]);
		expect(await db.select().from(disbursements)).toHaveLength(2);
	});

	it("is decided again when the account is closed between its read and its commit", async () => {
		const given = await givenOverpaid({ balance: 0 });
		const vars = beforeCommit(() => db.update(currentAccounts).set({ status: "CLOSED" }).where(eq(currentAccounts.id, given.wallet.id)));
		expectOk(await refund(given, vars));
		expect(await destinationOf(given)).toBe("DISBURSER");
		expect((await bookOf(given.wallet.id)).balance).toBe(0);
	});

	it("posts beside money that the account spends meanwhile", async () => {
		const given = await givenOverpaid();
		const spend = () => call(repayFromWallet, { as: given.borrower.token, path: given, body: { amount: 600, channel: "WALLET" } });
		const vars = beforeCommit(async () => expectOk(await spend()));
		expect(expectOk(await refund(given, vars)).amount.value).toBe(4_600);
		expect((await bookOf(given.wallet.id)).balance).toBe(5_000);
		await expectStoredEqualsReplay();
	});
});
