// An account closes only when nothing is owed and nothing is on its way.

import { describe, expect, it } from "vitest";
import { getAccount, listAccounts } from "../../../src/domains/accounts/operations";
import { closeAccount } from "../../../src/domains/credit-accounts/closing.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { createLoanApplication } from "../../../src/domains/loans/operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { call, expectOk } from "../../support/client";
import { givenLoan, pay, trips } from "../../support/credit";
import { operatorToken } from "../../support/factories";
import { beforeCommit, eventsOf } from "../../support/loans";
import { answerOutbound } from "../../support/outbound";

type Loan = Awaited<ReturnType<typeof givenLoan>>;
const close = async ({ accountId }: Pick<Loan, "accountId">, vars?: Partial<Env>) =>
	call(closeAccount, { as: await operatorToken(), path: { accountId }, ...(vars && { vars }) });

describe("closing an account", () => {
	it("removes it from the list, ends lending on it and raises its event", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 30_000));
		const answer = await close(loan);
		expect([answer.status, trips(answer)]).toEqual([200, 2]);
		expect(expectOk(answer)).toMatchObject({ status: "CLOSED", can_transact: false });
		expect((await eventsOf(loan.organization.id)).at(-1)).toMatchObject({
			type: "credit_account.closed",
			data: { account_id: loan.accountId, user_id: loan.borrower.id },
		});
		const as = loan.borrower.token;
		expect(expectOk(await call(listAccounts, { as, query: {} })).data).toEqual([]);
		expect(expectOk(await call(getAccount, { as, path: loan })).status).toBe("CLOSED");
		expect((await call(draw, { as, path: loan, body: { amount: 500 } })).status).toBe(409);
		const offer = expectOk(await call(createLoanApplication, { as, body: { loan_product_id: loan.productId } }));
		expect(offer.status).toBe("REJECTED");
		expect((await close(loan)).status).toBe(409);
	});

	it("keeps later payments so that they can be refunded", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 30_000));
		expectOk(await close(loan));
		expect(expectOk(await pay(loan, 700)).overpaid_amount).toBe(700);
		expect(expectOk(await call(getAccount, { as: loan.borrower.token, path: loan }))).toMatchObject({
			status: "CLOSED",
			available_balance: 700,
		});
		expect((await call(refundOverpayment, { as: await operatorToken(), path: loan })).status).toBe(201);
	});

	it("is refused while money is owed, overpaid or being paid out, and for an unknown account", async () => {
		const loan = await givenLoan(30_000);
		expect(await close(loan)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expectOk(await pay(loan, 31_000));
		expect((await close(loan)).status).toBe(409);
		expectOk(await call(refundOverpayment, { as: await operatorToken(), path: loan }));
		answerOutbound(async () => new Response(null, { status: 202 }));
		const vars = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/in", DISBURSER_SECRET: "secret" };
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 500 }, vars }));
		expect((await close(loan)).status).toBe(409);
		expect((await close({ accountId: crypto.randomUUID() })).status).toBe(404);
	});

	it("is refused when money is drawn meanwhile", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 30_000));
		const drawing = () => call(draw, { as: loan.borrower.token, path: loan, body: { amount: 500 } });
		expect((await close(loan, beforeCommit(drawing))).status).toBe(409);
	});

	it("is refused when money is ordered meanwhile from an outside disburser", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 30_000));
		answerOutbound(async () => new Response(null, { status: 202 }));
		const vars = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/in", DISBURSER_SECRET: "secret" };
		const ordering = () => call(draw, { as: loan.borrower.token, path: loan, body: { amount: 500 }, vars });
		expect((await close(loan, beforeCommit(ordering))).status).toBe(409);
	});
});
