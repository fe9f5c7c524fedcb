// Everything that is posted can be undone: the account is then as if it had never been posted, and the list shows both.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { getStatement } from "../../../../src/domains/accounts/statement.operations";
import { decideApproval, requestApproval } from "../../../../src/domains/approvals/operations";
import { rescheduleAccount } from "../../../../src/domains/credit-accounts/changes/operations";
import { listInstallments } from "../../../../src/domains/credit-accounts/operations";
import { accountTransactions, creditAccounts, creditCycles } from "../../../../src/domains/credit-accounts/table";
import { disbursements } from "../../../../src/domains/disbursements/model/table";
import { draw } from "../../../../src/domains/loans/draws.operations";
import { reverseTransaction, waive } from "../../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../../src/domains/repayments/corrections/refund.operations";
import { recordPayoutReturned } from "../../../../src/domains/repayments/corrections/returned.operations";
import { listAccountTransactions } from "../../../../src/domains/repayments/transactions.operations";
import { DAY_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { comeBack, expectCredit, givenLoan, pay, trips } from "../../../support/credit";
import { db, operatorToken } from "../../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../../support/ledgers";
import { eventsOf } from "../../../support/loans";

type Loan = Awaited<ReturnType<typeof givenLoan>>;
const accountOf = async ({ borrower, accountId }: Loan) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
const undo = async ({ accountId }: Pick<Loan, "accountId">, transactionId: string) =>
	call(reverseTransaction, { as: await operatorToken(), path: { accountId, transactionId }, body: { reason: "entered twice" } });
const lastOf = async (kind: string) => (await db.select().from(accountTransactions)).findLast((row) => row.kind === kind)?.id ?? "";
/** What an answer shows of the account that may not remember what was undone. */
const standing = async (loan: Loan) => {
	const { balance, status, available_balance, due_date, final_payment_due_date, can_transact } = await accountOf(loan);
	const installments = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
	return { balance, status, available_balance, due_date, final_payment_due_date, can_transact, installments };
};

const WAYS: Readonly<Record<string, (loan: Loan) => Promise<unknown>>> = {
	async WAIVER(loan) {
		const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
		const body = { installment_id: first?.id ?? "", amount: 700, reason: "goodwill" };
		expectOk(await call(waive, { as: await operatorToken(), path: loan, body }));
	},
	async DRAW(loan) {
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 5_000 } }));
	},
	async WRITE_OFF(loan) {
		const { organizationId } = { organizationId: loan.organization.id };
		const asked = { approval_type: "WRITE_OFF" as const, entity_type: "ACCOUNT" as const, entity_id: loan.accountId };
		const { id } = expectOk(await call(requestApproval, { as: await operatorToken("first"), body: asked }));
		const headers = { "x-organization-id": organizationId };
		expectOk(await call(decideApproval, { as: await operatorToken("second"), path: { id }, body: { decision: "APPROVED" }, headers }));
	},
};

describe("undoing", () => {
	it.each(Object.entries(WAYS))("a %s leaves the account as if it had never been posted", async (kind, post) => {
		const loan = await givenLoan(30_000);
		const before = await standing(loan);
		await post(loan);
		expect(await standing(loan)).not.toEqual(before);
		const id = await lastOf(kind);
		const isPaidOut = kind === "DRAW";
		if (isPaidOut) expect(await undo(loan, id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const answer = isPaidOut ? await comeBack(loan) : await undo(loan, id);
		expect([answer.status, trips(answer)]).toEqual([isPaidOut ? 200 : 201, 2]);
		const reversal = (await db.select().from(accountTransactions)).find(({ reversesId }) => reversesId === id);
		expect(await standing(loan)).toEqual(before);
		const statement = expectOk(await call(getStatement, { as: loan.borrower.token, path: loan, query: {} }));
		expect(statement.entries.filter(({ rule }) => rule === "UNDONE" || rule === "REVERSED")).toMatchObject([
			{ rule: "UNDONE", transaction_id: id, amount: 0 },
			{ rule: "REVERSED", transaction_id: reversal?.id, amount: 0 },
		]);
		const told = (await eventsOf(loan.organization.id)).filter(({ type }) => type === "credit_account.transaction_reversed");
		expect(told).toMatchObject([{ data: { kind, original_transaction_id: id, reason: isPaidOut ? "RETURNED" : "entered twice" } }]);
		expect(await undo(loan, id)).toMatchObject({ status: 409 });
		await expectStoredEqualsReplay();
		await expectOneSum(loan);
	});

	it("a refund that the disburser gave back puts the money on the account again", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 30_500));
		expectOk(await call(refundOverpayment, { as: await operatorToken(), path: loan }));
		expect(await undo(loan, await lastOf("REFUND"))).toMatchObject({ status: 409 });
		expectOk(await comeBack(loan));
		expect(await accountOf(loan)).toMatchObject({ available_balance: 500, balance: { total_outstanding: 0 } });
		const { data } = expectOk(await call(listAccountTransactions, { as: loan.borrower.token, path: loan, query: {} }));
		expect(data.map(({ transaction }) => transaction.kind)).toEqual(["REVERSAL", "REFUND", "REPAYMENT"]);
		await expectStoredEqualsReplay();
	});

	it("the only draw of a cycle closes it, without counting as a loan repaid on time", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await comeBack(loan));
		expect(await accountOf(loan)).toMatchObject({ balance: { total_charged: 0, total_outstanding: 0 }, status: "ACTIVE" });
		expect(await db.select().from(creditCycles)).toMatchObject([{ status: "CLOSED" }]);
		expect(await db.select().from(creditAccounts)).toMatchObject([{ loansRepaidOnTime: 0, principalOutstanding: 0 }]);
		await expectStoredEqualsReplay();
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 5_000 } }));
		await expectStoredEqualsReplay();
	});

	it("a loan stays while a later draw rests on the dates to which it was extended", async () => {
		const loan = await givenLoan(30_000);
		const body = { kind: "EXTEND" as const, installments: 3, reason: "illness" };
		expectOk(await call(rescheduleAccount, { as: await operatorToken(), path: loan, body }));
		expectOk(await pay(loan, 25_000));
		await moveClock(95 * DAY_MS);
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 5_000 } }));
		const [first] = await db.select().from(disbursements).where(eq(disbursements.kind, "LOAN"));
		const returned = { mobile_money_transaction_id: "SG632NMUAC", occurred_at: new Date(Date.now() + 1_000).toISOString() };
		const answer = await call(recordPayoutReturned, { as: await operatorToken(), path: { id: first?.id ?? "" }, body: returned });
		expect(answer).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expectOk(await comeBack(loan, Date.now() + 95 * DAY_MS));
		await expectStoredEqualsReplay();
	});

	it("goes by approval too", async () => {
		const loan = await givenLoan(30_000);
		await WAYS.WAIVER?.(loan);
		const asked = {
			approval_type: "TRANSACTION_REVERSAL" as const,
			entity_type: "TRANSACTION" as const,
			entity_id: await lastOf("WAIVER"),
		};
		const { id } = expectOk(await call(requestApproval, { as: await operatorToken("first"), body: asked }));
		expectOk(await call(decideApproval, { as: await operatorToken("second"), path: { id }, body: { decision: "APPROVED" } }));
		expect((await accountOf(loan)).balance).toMatchObject({ total_waived: 0, total_outstanding: 30_000 });
	});

	it("is refused for a reversal, and hidden for transactions of other accounts", async () => {
		const loan = await givenLoan(30_000);
		await WAYS.WAIVER?.(loan);
		const { id } = expectOk(await undo(loan, await lastOf("WAIVER")));
		expect(await undo(loan, id)).toMatchObject({ status: 409 });
		expect(await undo({ accountId: crypto.randomUUID() }, id)).toMatchObject({ status: 404 });
		expect(await undo(loan, crypto.randomUUID())).toMatchObject({ status: 404 });
	});
});
