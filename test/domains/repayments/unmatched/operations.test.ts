// Payments without an account wait for an operator, who matches each once.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { getRepayment, listRepayments } from "../../../../src/domains/repayments/operations";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { payments } from "../../../../src/domains/repayments/table";
import { listUnmatchedPayments, matchPayment } from "../../../../src/domains/repayments/unmatched/operations";
import { call, expectOk } from "../../../support/client";
import { expectCredit, givenLoan, pay, paymentTo, trips } from "../../../support/credit";
import { databases } from "../../../support/databases";
import { db, givenApiKey, operatorToken } from "../../../support/factories";
import { beforeCommit, eventsOf } from "../../../support/loans";

async function givenUnmatched(value = 1_000, currency = "KES") {
	const loan = await givenLoan(30_000);
	const { account_id: _, ...body } = paymentTo(loan.accountId, value, "TX1");
	const kept = await call(recordRepayment, { as: loan.key, body: { ...body, amount: { value, currency }, account_number: "07-typo" } });
	return { loan, id: expectOk(kept).transaction.id };
}

describe("unmatched payments", () => {
	it("are listed with what the payer typed in, and raise an event", async () => {
		const { loan, id } = await givenUnmatched();
		const listed = await call(listUnmatchedPayments, { as: await operatorToken(), query: {} });
		expect(trips(listed)).toBe(databases.length);
		expect(expectOk(listed).data).toMatchObject([{ id, account_number: "07-typo", reason: "UNKNOWN_ACCOUNT", amount: { value: 1_000 } }]);
		expect((await eventsOf(loan.organization.id)).at(-1)?.type).toBe("repayment.unmatched");
	});

	it("are posted to the account that an operator names, once", async () => {
		const { loan, id } = await givenUnmatched();
		const as = await operatorToken();
		const match = () => call(matchPayment, { as, path: { id }, body: { account_id: loan.accountId } });
		const answers = await Promise.all(Array.from({ length: 10 }, match));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
		expect(expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan })).balance.total_paid).toBe(1_000);
		expect(await db.select().from(payments)).toMatchObject([{ status: "POSTED", accountId: loan.accountId }]);
		expect(expectOk(await call(listUnmatchedPayments, { as, query: {} })).data).toEqual([]);
	});

	it("are posted to one account when another operator names a second one before the commit", async () => {
		const { loan, id } = await givenUnmatched();
		const other = await givenLoan(30_000);
		const as = await operatorToken();
		const match = (account_id: string, vars: Partial<Env> = {}) => call(matchPayment, { as, path: { id }, body: { account_id }, vars });
		const overtaken = await match(
			loan.accountId,
			beforeCommit(async () => expectOk(await match(other.accountId))),
		);
		expect(overtaken).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const paid = async ({ borrower, accountId }: typeof loan) =>
			expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } })).balance.total_paid;
		expect([await paid(loan), await paid(other)]).toEqual([0, 1_000]);
	});

	it("that somebody else had are the account's organization's from then on, to which no transaction counts twice", async () => {
		const loan = await givenLoan(30_000);
		const as = await operatorToken();
		const { account_id: _, ...body } = paymentTo(loan.accountId, 1_000);
		const report = async (mobile_money_transaction_id: string) =>
			expectOk(await call(recordRepayment, { as, body: { ...body, mobile_money_transaction_id, account_number: "07-typo" } })).transaction;
		const match = async (id: string) => call(matchPayment, { as, path: { id }, body: { account_id: loan.accountId } });
		const reader = await givenApiKey(loan.organization.id, ["repayments:read"]);
		const listed = async () => expectOk(await call(listRepayments, { as: reader, query: {} })).data.map(({ id }) => id);
		// An id in the form of ours, of a provider who has such.
		const theirs = crypto.randomUUID();
		const kept = await report(theirs);
		expect(await listed()).toEqual([]);
		const posted = expectOk(await match(kept.id)).transaction;
		expect(await listed()).toEqual([posted.id]);
		for (const [who, id] of [
			[reader, theirs],
			[reader, posted.resource_id],
			[as, kept.id],
			[as, theirs],
		] as const) {
			const found = expectOk(await call(getRepayment, { as: who, path: { id } }));
			expect([found.transaction.id, found.transaction.status, found.installments.length]).toEqual([posted.id, "POSTED", 1]);
		}
		expect((await call(getRepayment, { as: reader, path: { id: kept.id } })).status).toBe(404);
		expect(await report(theirs)).toMatchObject({ id: posted.id, status: "POSTED" });

		expectOk(await pay(loan, 2_000, "TX2"));
		const again = await report("TX2");
		expect(await match(again.id)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(expectOk(await call(listUnmatchedPayments, { as, query: {} })).data).toMatchObject([{ id: again.id }]);
		expect(expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan })).balance.total_paid).toBe(3_000);
	});

	it("cannot be matched to an account of another currency or to none", async () => {
		const { loan, id } = await givenUnmatched(1_000, "USD");
		const as = await operatorToken();
		for (const account_id of [loan.accountId, crypto.randomUUID()]) {
			expect(await call(matchPayment, { as, path: { id }, body: { account_id } })).toMatchObject({ status: 400 });
		}
		expect(await call(matchPayment, { as, path: { id: crypto.randomUUID() }, body: { account_id: loan.accountId } })).toMatchObject({
			status: 404,
		});
	});
});
