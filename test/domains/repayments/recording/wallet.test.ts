// Repaying from the current account is one commit.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { credit } from "../../../../src/domains/current-accounts/ledger/plan";
import { currentAccounts } from "../../../../src/domains/current-accounts/table";
import { disbursements } from "../../../../src/domains/disbursements/model/table";
import { refundOverpayment } from "../../../../src/domains/repayments/corrections/refund.operations";
import { postWaitingPayments } from "../../../../src/domains/repayments/recording/job";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { repayFromWallet } from "../../../../src/domains/repayments/recording/wallet.operations";
import { payments } from "../../../../src/domains/repayments/table";
import { MINUTE_MS } from "../../../../src/shared/time";
import { call, expectOk, send } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { expectCredit, givenLoan, paymentTo, trips } from "../../../support/credit";
import { bookOf, givenCurrentAccount, postAt } from "../../../support/current-accounts";
import { db, givenUser, operatorToken } from "../../../support/factories";
import { beforeCommit, beforeTrip, eventsOf, runDueWork } from "../../../support/loans";

async function givenBorrower(balance = 50_000) {
	const loan = await givenLoan(30_000);
	const wallet = await givenCurrentAccount({ user: loan.borrower, balance });
	return { ...loan, wallet };
}
type Borrower = Awaited<ReturnType<typeof givenBorrower>>;

const repay = ({ borrower, accountId }: Borrower, amount: number, more: { vars?: Partial<Env>; headers?: Record<string, string> } = {}) =>
	call(repayFromWallet, { as: borrower.token, path: { accountId }, body: { amount, channel: "WALLET" }, ...more });
const owed = async ({ borrower, accountId }: Borrower) => {
	const account = expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
	if (account.type !== "CREDIT") throw new Error("expected a credit account");
	return account.balance.total_outstanding;
};

describe("a repayment from the wallet", () => {
	it("moves the money and posts the payment in one commit", async () => {
		const given = await givenBorrower();
		const answer = await repay(given, 10_000);
		expect(answer).toMatchObject({
			status: 201,
			body: {
				transaction: {
					status: "POSTED",
					amount: { value: 10_000, currency: "KES" },
					details: { type: "WALLET", account_id: given.wallet.id },
				},
			},
		});
		const { transaction } = expectOk(answer);
		expect(transaction.mobile_money_transaction_id).toBe(`WALLET-${transaction.id}`);
		const { account, entries } = await bookOf(given.wallet.id);
		expect(account).toMatchObject({ balance: 40_000, held: 0, outTotal: 0 });
		expect(entries.at(-1)).toMatchObject({ type: "LOAN_REPAYMENT", amount: -10_000, contra: "LOAN", sourceId: transaction.id });
		expect(await owed(given)).toBe(20_000);
		const types = (await eventsOf(given.organization.id)).map(({ type }) => type);
		expect(types).toEqual(expect.arrayContaining(["repayment.received", "repayment.posted"]));
	});

	it("above what is owed leaves the rest on the loan, and a refund returns it in one commit", async () => {
		const borrower = await givenBorrower();
		expect(expectOk(await repay(borrower, 30_500)).overpaid_amount).toBe(500);
		const refund = async () => call(refundOverpayment, { as: await operatorToken(), path: { accountId: borrower.accountId } });
		const answer = await refund();
		expect([answer.status, trips(answer)]).toEqual([201, 2]);
		const { account, entries } = await bookOf(borrower.wallet.id);
		expect(account.balance).toBe(50_000 - 30_000);
		expect(entries.at(-1)).toMatchObject({ type: "LOAN_REFUND", amount: 500, contra: "LOAN", sourceId: expectOk(answer).id });
		expect(await db.select().from(disbursements).where(eq(disbursements.kind, "REFUND"))).toMatchObject([
			{ status: "SUCCEEDED", instruction: null, destination: { type: "CURRENT_ACCOUNT" } },
		]);
		const types = (await eventsOf(borrower.organization.id)).map(({ type }) => type);
		expect(types.slice(-2)).toEqual(["credit_account.overpayment_refunded", "current_account.transaction_posted"]);
		expect(await refund()).toMatchObject({ status: 409 });
		expect((await bookOf(borrower.wallet.id)).account.balance).toBe(20_000);
	});

	it("is refunded once by two operators at the same moment, and is paid out if the current account is not active", async () => {
		const borrower = await givenBorrower();
		expectOk(await repay(borrower, 30_500));
		const refund = async () => call(refundOverpayment, { as: await operatorToken(), path: { accountId: borrower.accountId } });
		expect((await Promise.all([refund(), refund()])).map(({ status }) => status).sort()).toEqual([201, 409]);
		expect((await bookOf(borrower.wallet.id)).account.balance).toBe(20_000);

		const frozen = await givenBorrower();
		expectOk(await repay(frozen, 30_500));
		await db.update(currentAccounts).set({ status: "FROZEN" }).where(eq(currentAccounts.id, frozen.wallet.id));
		expect((await call(refundOverpayment, { as: await operatorToken(), path: { accountId: frozen.accountId } })).status).toBe(201);
		expect((await bookOf(frozen.wallet.id)).account.balance).toBe(50_000 - 30_500);
		const refunds = await db.select().from(disbursements).where(eq(disbursements.kind, "REFUND"));
		expect(refunds.map(({ destination }) => destination?.type).sort()).toEqual(["CURRENT_ACCOUNT", "OWN_NUMBER"]);
	});

	it("is replayed for the same idempotency key", async () => {
		const given = await givenBorrower();
		const headers = { "idempotency-key": "k" };
		const first = await repay(given, 10_000, { headers });
		expect(await repay(given, 10_000, { headers })).toMatchObject({ status: 201, text: first.text });
		expect((await bookOf(given.wallet.id)).balance).toBe(40_000);
	});

	it("is 409 above the available balance, or without an active account, and moves nothing", async () => {
		const given = await givenBorrower(5_000);
		expect(await repay(given, 5_001)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect((await bookOf(given.wallet.id)).balance).toBe(5_000);
		expect(await db.select().from(payments)).toEqual([]);
		const loan = await givenLoan(30_000);
		expect((await repay({ ...given, ...loan }, 1)).status).toBe(409);
	});

	it("of another user's loan is 404, and with a bad amount or channel 400", async () => {
		const given = await givenBorrower();
		const stranger = await givenUser();
		await givenCurrentAccount({ user: stranger, balance: 1_000 });
		expect((await repay({ ...given, borrower: stranger }, 100)).status).toBe(404);
		for (const body of [
			{ amount: 0, channel: "WALLET" },
			{ amount: 1.5, channel: "WALLET" },
			{ amount: 1, channel: "CASH" },
			{ amount: 1 },
		]) {
			const path = { accountId: given.accountId };
			expect(await send(repayFromWallet, { as: given.borrower.token, path, body })).toMatchObject({
				status: 400,
				body: { code: "BAD_REQUEST" },
			});
		}
	});

	it("is decided again when the money is spent between its read and its commit", async () => {
		const given = await givenBorrower(10_000);
		const vars = beforeCommit(async () => {
			expect((await repay(given, 10_000)).status).toBe(201);
		});
		expect(await repay(given, 10_000, { vars })).toMatchObject({ status: 409 });
		expect((await bookOf(given.wallet.id)).balance).toBe(0);
	});

	it("also posts another payment that was recorded between its read and its commit", async () => {
		const given = await givenBorrower();
		const vars = beforeCommit(async () => {
			expectOk(await call(recordRepayment, { as: await operatorToken(), body: paymentTo(given.accountId, 5_000) }));
		});
		expect(expectOk(await repay(given, 10_000, { vars })).transaction.status).toBe("POSTED");
		expect(await owed(given)).toBe(15_000);
	});

	it("is recorded without its posting when others keep coming first, and posted by the next commit or the sweep", async () => {
		const given = await givenBorrower();
		const as = await operatorToken();
		const other = () => call(recordRepayment, { as, body: paymentTo(given.accountId, 1_000) });
		const answer = expectOk(await repay(given, 10_000, { vars: beforeTrip([2, 4], other) }));
		expect(answer).toMatchObject({ transaction: { status: "CONFIRMED", posted_at: null }, installments: [] });
		expect((await bookOf(given.wallet.id)).balance).toBe(40_000);
		await moveClock(2 * MINUTE_MS);
		await runDueWork(postWaitingPayments);
		expect(await owed(given)).toBe(18_000);
		expect((await db.select().from(payments)).map(({ status }) => status)).toEqual(["POSTED", "POSTED", "POSTED"]);
	});

	it("conserves money when many are made concurrently, together with credits", async () => {
		const given = await givenBorrower(10_000);
		const answers = await Promise.all([
			...Array.from({ length: 6 }, () => repay(given, 3_000)),
			postAt(given.wallet.id, Date.now(), {}, credit("MOVEMENT", crypto.randomUUID(), 500)),
		]);
		const paid = answers.filter((answer) => answer?.status === 201).length;
		await moveClock(2 * MINUTE_MS);
		await runDueWork(postWaitingPayments);
		expect(paid).toBe(3);
		expect((await bookOf(given.wallet.id)).balance).toBe(10_500 - paid * 3_000);
		expect(await owed(given)).toBe(30_000 - paid * 3_000);
	});
});
