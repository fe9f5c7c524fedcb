// The money of a payout comes back once, by one transaction, and what it had paid is undone in that commit.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { accountTransactions } from "../../../../src/domains/credit-accounts/table";
import { disbursements } from "../../../../src/domains/disbursements/model/table";
import { listDisbursements } from "../../../../src/domains/disbursements/operations";
import { draw } from "../../../../src/domains/loans/draws.operations";
import { reverseTransaction } from "../../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../../src/domains/repayments/corrections/refund.operations";
import { recordPayoutReturned } from "../../../../src/domains/repayments/corrections/returned.operations";
import { call, expectOk } from "../../../support/client";
import { comeBack, expectCredit, givenLoan, pay } from "../../../support/credit";
import { db, operatorToken } from "../../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../../support/ledgers";

type Loan = Awaited<ReturnType<typeof givenLoan>>;
const owedOf = async ({ borrower, accountId }: Loan) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } })).balance.total_outstanding;
const undoLast = async ({ accountId }: Loan, kind: string) => {
	const transactionId = (await db.select().from(accountTransactions)).findLast((row) => row.kind === kind)?.id ?? "";
	return call(reverseTransaction, { as: await operatorToken(), path: { accountId, transactionId }, body: { reason: "by mistake" } });
};

const PAID: Readonly<Record<string, (loan: Loan) => Promise<unknown>>> = {
	LOAN: async () => {},
	DRAW: async (loan) => expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 5_000 } })),
	REFUND: async (loan) => {
		expectOk(await pay(loan, 30_700));
		expectOk(await call(refundOverpayment, { as: await operatorToken(), path: loan }));
	},
};

describe("what was paid out", () => {
	it.each(Object.entries(PAID))("cannot be undone until its money is back, and is then: %s", async (kind, payOut) => {
		const loan = await givenLoan(30_000);
		await payOut(loan);
		const owed = await owedOf(loan);
		expect(await undoLast(loan, kind === "REFUND" ? "REFUND" : "DRAW")).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await owedOf(loan)).toBe(owed);
		const answer = expectOk(await comeBack(loan));
		expect(answer).toMatchObject({ kind, status: "RETURNED", returned: { mobile_money_transaction_id: expect.any(String) } });
		expect(await owedOf(loan)).toBe({ LOAN: 0, DRAW: 30_000, REFUND: 0 }[kind]);
		const { data } = expectOk(await call(listDisbursements, { as: await operatorToken(), query: { account_id: loan.accountId } }));
		expect(data.find(({ id }) => id === answer.id)).toEqual(answer);
		await expectStoredEqualsReplay();
		await expectOneSum(loan);
	});

	it("comes back once: the same facts change nothing, other facts and another payout's transaction are refused", async () => {
		const loan = await givenLoan(30_000);
		const other = await givenLoan(30_000);
		const at = Date.now();
		const { id } = expectOk(await comeBack(loan, at, "SG632NMUAC"));
		const as = await operatorToken();
		const again = (receipt: string, instant = at) =>
			call(recordPayoutReturned, {
				as,
				path: { id },
				body: { mobile_money_transaction_id: receipt, occurred_at: new Date(instant).toISOString() },
			});
		expect(expectOk(await again("sg632nmuac")).status).toBe("RETURNED");
		expect(await again("SG632NMUAD")).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(await again("SG632NMUAC", at - 1)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		// The other loan is of another organization, where the transaction may be another one.
		await db.update(disbursements).set({ organizationId: loan.organization.id });
		const taken = await comeBack(other, at, "\u200bＳＧ632nmuac");
		expect(taken).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(await owedOf(other)).toBe(30_000);
		expectOk(await comeBack(other, at, "SG632NMUAD"));
		expect((await db.select().from(accountTransactions)).filter(({ kind }) => kind === "REVERSAL")).toHaveLength(2);
	});

	it("comes back once for many who record it at once", async () => {
		const loan = await givenLoan(30_000);
		const [{ id } = { id: "" }] = await db.select().from(disbursements).where(eq(disbursements.accountId, loan.accountId));
		const body = { mobile_money_transaction_id: "SG632NMUAC", occurred_at: new Date().toISOString() };
		const as = await operatorToken();
		const answers = await Promise.all(Array.from({ length: 4 }, () => call(recordPayoutReturned, { as, path: { id }, body })));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect((await db.select().from(accountTransactions)).filter(({ kind }) => kind === "REVERSAL")).toHaveLength(1);
	});

	it("has not come back before it was paid, nor in the future", async () => {
		const loan = await givenLoan(30_000);
		for (const at of [Date.now() - 3_600_000, Date.now() + 3_600_000]) {
			expect(await comeBack(loan, at)).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
		}
	});
});
