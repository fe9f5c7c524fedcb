// Draws and refunds that an outside disburser pays.

import { ne } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { accountTransactions, creditCycles } from "../../../src/domains/credit-accounts/table";
import { sendDueInstructions } from "../../../src/domains/disbursements/job";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { reportDisbursement } from "../../../src/domains/disbursements/result.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { createLoanApplication } from "../../../src/domains/loans/operations";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { listAccountTransactions } from "../../../src/domains/repayments/transactions.operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { expectCredit, givenLoan, pay, trips } from "../../support/credit";
import { db, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { beforeCommit, eventsOf, runDueWork } from "../../support/loans";
import { allowErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";

type Loan = Awaited<ReturnType<typeof givenLoan>>;
const vars = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/in", DISBURSER_SECRET: "a disburser's secret" };

/** A disburser that accepts every instruction, or loses the first few. */
function disburser(losing = 0): Record<string, unknown>[] {
	const taken: Record<string, unknown>[] = [];
	answerOutbound(async (input, init) => {
		taken.push((await new Request(input, init).json()) as Record<string, unknown>);
		return new Response(null, { status: taken.length > losing ? 202 : 503 });
	});
	return taken;
}

const drawOf = ({ borrower, accountId }: Loan, amount: number) =>
	call(draw, { as: borrower.token, path: { accountId }, body: { amount }, vars });
const refundOf = async ({ accountId }: Loan, outside?: typeof vars) =>
	call(refundOverpayment, { as: await operatorToken(), path: { accountId }, ...(outside && { vars: outside }) });
const accountOf = async ({ borrower, accountId }: Loan) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
const typesOf = async ({ organization }: Loan) => (await eventsOf(organization.id)).map(({ type }) => type);

async function report(id: string, facts: { status: "SUCCEEDED" | "FAILED"; at?: number }, vars: Partial<Env> = {}) {
	const { status, at = Date.now() } = facts;
	const told = status === "FAILED" ? { failure_reason: "RECIPIENT_UNREACHABLE" } : { mobile_money_transaction_id: `M-${id}` };
	const body = { disbursement_id: id, status, ...told, occurred_at: new Date(at).toISOString() };
	return call(reportDisbursement, { as: await operatorToken(), path: { disbursement_id: id }, body, vars });
}

/** Payouts after that of the loan. */
const laterPayouts = () => db.select().from(disbursements).where(ne(disbursements.kind, "LOAN"));
const orderedId = async () => (await laterPayouts()).at(-1)?.id ?? "";

describe("a draw that an outside disburser pays", () => {
	it("is ordered, counts against the limit, and is posted when the money has moved", async () => {
		const taken = disburser();
		const loan = await givenLoan(30_000);
		const answer = await drawOf(loan, 60_000);
		expect([answer.status, expectOk(answer).balance.principal_used]).toEqual([202, 30_000]);
		const id = await orderedId();
		expect(taken).toMatchObject([
			{
				disbursement_id: id,
				account_id: loan.accountId,
				amount: { value: 60_000, currency: "KES" },
				recipient: { user_id: loan.borrower.id },
			},
		]);
		expect((await drawOf(loan, 10_500)).status).toBe(400);
		await moveClock(2 * DAY_MS);
		expect((await report(id, { status: "SUCCEEDED", at: Date.now() + DAY_MS })).status).toBe(200);
		expect(await accountOf(loan)).toMatchObject({ available_limit: -10_000, balance: { principal_used: 90_000 } });
		expect((await eventsOf(loan.organization.id)).at(-1)).toMatchObject({
			type: "credit_account.drawn",
			data: { transaction_id: id, amount: 60_000, mobile_money_transaction_id: `M-${id}` },
		});
		const seen = await typesOf(loan);
		expect((await report(id, { status: "SUCCEEDED" })).status).toBe(409);
		expect(await typesOf(loan)).toEqual(seen);
		await expectStoredEqualsReplay();
	});

	it("is instructed again until the disburser takes it", async () => {
		const taken = disburser(2);
		const loan = await givenLoan(30_000);
		await drawOf(loan, 1_000);
		for (let round = 0; round < 3; round++) {
			await moveClock(3_600_000);
			await runDueWork(sendDueInstructions, vars);
		}
		expect(taken).toHaveLength(3);
		expect(new Set(taken.map((sent) => JSON.stringify(sent))).size).toBe(1);
	});

	it("is not owed when it could not be paid, and the limit is free again", async () => {
		disburser();
		const loan = await givenLoan(30_000);
		await drawOf(loan, 70_000);
		expect((await report(await orderedId(), { status: "FAILED" })).status).toBe(200);
		expect((await accountOf(loan)).balance.principal_used).toBe(30_000);
		expect((await eventsOf(loan.organization.id)).at(-1)).toMatchObject({
			type: "credit_account.draw_failed",
			data: { amount: 70_000, failure_reason: "RECIPIENT_UNREACHABLE" },
		});
		expect((await drawOf(loan, 70_000)).status).toBe(202);
	});

	it("is accepted for one of two concurrent calls that exceed the limit together", async () => {
		disburser();
		const loan = await givenLoan(30_000);
		const answers = await Promise.all([drawOf(loan, 40_000), drawOf(loan, 40_000)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([202, 400]);
		expect(await laterPayouts()).toHaveLength(1);
		const offer = expectOk(await call(createLoanApplication, { as: loan.borrower.token, body: { loan_product_id: loan.productId } }));
		expect(offer.terms_range.max_loan_amount).toBe(30_000);
	});

	it("starts a cycle on the day the money moved when nothing was owed then", async () => {
		disburser();
		const loan = await givenLoan(30_000);
		await pay(loan, 30_000);
		await drawOf(loan, 5_000);
		await moveClock(3 * DAY_MS);
		const at = Date.now() + DAY_MS;
		await report(await orderedId(), { status: "SUCCEEDED", at });
		const cycles = (await db.select().from(creditCycles)).sort((a, b) => a.number - b.number);
		expect(cycles).toMatchObject([{ status: "CLOSED" }, { status: "OPEN", principal: 5_000, startedAt: at }]);
		await expectStoredEqualsReplay();
	});
});

describe("the refund of an overpayment", () => {
	it("is deducted from the account, and paid immediately by the embedded disburser", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 34_000));
		const answer = await refundOf(loan);
		expect([answer.status, trips(answer)]).toEqual([201, 2]);
		const transaction = expectOk(answer);
		expect(transaction).toMatchObject({ kind: "REFUND", status: "POSTED", amount: { value: 4_000, currency: "KES" } });
		expect((await accountOf(loan)).available_balance).toBe(0);
		expect(await laterPayouts()).toMatchObject([{ id: transaction.id, kind: "REFUND", status: "SUCCEEDED", amount: 4_000 }]);
		expect((await typesOf(loan)).at(-1)).toBe("credit_account.overpayment_refunded");
		const { data } = expectOk(await call(listAccountTransactions, { as: loan.borrower.token, path: loan, query: {} }));
		expect(data.map((row) => row.transaction.kind)).toEqual(["REFUND", "REPAYMENT"]);
		expect(await refundOf(loan)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		await expectStoredEqualsReplay();
	});

	it("is paid once for concurrent calls", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 34_000));
		const answers = await Promise.all(Array.from({ length: 8 }, () => refundOf(loan)));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect((await db.select().from(accountTransactions)).filter(({ kind }) => kind === "REFUND")).toHaveLength(1);
	});

	it("puts the money back when an outside disburser cannot pay, also after another cycle has begun", async () => {
		disburser();
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 34_000));
		const { id } = expectOk(await refundOf(loan, vars));
		expect((await accountOf(loan)).available_balance).toBe(0);
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 10_000 } }));
		expect((await report(id, { status: "FAILED" })).status).toBe(200);
		expect(await accountOf(loan)).toMatchObject({ available_balance: -6_000, balance: { total_outstanding: 6_000 } });
		expect((await eventsOf(loan.organization.id)).map(({ type, data }) => [type, data.transaction_id])).toContainEqual([
			"credit_account.refund_failed",
			id,
		]);
	});

	it("is paid when a failure comes before the commit of its success: money that has left is booked, and not put back", async () => {
		allowErrors("a payout that was made is in no book", "a result of a payout contradicts an earlier one");
		disburser();
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 34_000));
		const { id } = expectOk(await refundOf(loan, vars));
		const contrary = beforeCommit(async () => expectOk(await report(id, { status: "FAILED" })));
		expect(await report(id, { status: "SUCCEEDED" }, contrary)).toMatchObject({ status: 200, body: { status: "SUCCEEDED" } });
		expect((await accountOf(loan)).available_balance).toBe(0);
		expect(await laterPayouts()).toMatchObject([{ status: "SUCCEEDED" }]);
	});

	it("is owed by the borrower once the payment behind it is reversed", async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 34_000));
		await refundOf(loan);
		const answer = await call(reverseRepayment, {
			as: await operatorToken(),
			path: { id: transaction.id },
			body: { reason: "somebody else's" },
		});
		expect(answer.status).toBe(201);
		const { balance } = expectCredit(await call(getAccount, { as: loan.borrower.token, path: { accountId: loan.accountId } }));
		expect(balance).toMatchObject({ total_outstanding: 34_000, breakdown: { principal_outstanding: 30_000, refund_uncovered: 4_000 } });
	});

	it("is 404 for an unknown account", async () => {
		const answer = await call(refundOverpayment, { as: await operatorToken(), path: { accountId: crypto.randomUUID() } });
		expect(answer.status).toBe(404);
	});
});
