// An account whose only loan was undone, and on which a payment was posted since: its book begins behind all of its cycles, and the next
// loan has the number and the terms that follow theirs.

import { describe, expect, it } from "vitest";
import { rescheduleAccount } from "../../../src/domains/credit-accounts/changes/operations";
import { creditCycles } from "../../../src/domains/credit-accounts/table";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { reportDisbursement } from "../../../src/domains/disbursements/result.operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { call, expectOk } from "../../support/client";
import { comeBack, givenLoan, pay } from "../../support/credit";
import { db, operatorToken } from "../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../support/ledgers";
import { givenOffer } from "../../support/loans";
import { answerOutbound } from "../../support/outbound";

const OUTSIDE = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/instructions", DISBURSER_SECRET: "secret" };

async function givenUndone() {
	const loan = await givenLoan(30_000);
	const as = await operatorToken();
	expectOk(await comeBack(loan));
	expectOk(await pay(loan, 1));
	return { ...loan, as };
}

const numbers = async () => (await db.select().from(creditCycles)).map(({ number }) => number).sort();
const apply = async ({ borrower, productId }: Awaited<ReturnType<typeof givenUndone>>, vars: Partial<Env> = {}) => {
	const { id: application_id } = await givenOffer(borrower.token, productId);
	const answer = await call(applyForLoan, { as: borrower.token, path: { application_id }, body: { loan_amount: 6_000 }, vars });
	return expectOk(answer);
};

describe("what is lent after the only loan was undone", () => {
	it("is booked where a loan is paid at once", async () => {
		const loan = await givenUndone();
		expect((await apply(loan)).status).toBe("DISBURSED");
		expect(await numbers()).toEqual([1, 2]);
		await expectStoredEqualsReplay();
		await expectOneSum(loan);
	});

	it("is booked where a draw is paid at once", async () => {
		const loan = await givenUndone();
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 5_000 } }));
		expect(await numbers()).toEqual([1, 2]);
		await expectStoredEqualsReplay();
	});

	it("is booked when an outside disburser reports that it has paid", async () => {
		answerOutbound(() => Promise.resolve(new Response(null, { status: 202 })));
		const loan = await givenUndone();
		const { id } = await apply(loan, OUTSIDE);
		const facts = { status: "SUCCEEDED" as const, mobile_money_transaction_id: "TX1", occurred_at: new Date().toISOString() };
		const path = { disbursement_id: id };
		expectOk(await call(reportDisbursement, { as: loan.as, path, body: { disbursement_id: id, ...facts }, vars: OUTSIDE }));
		expect((await db.select().from(disbursements)).find((row) => row.id === id)).toMatchObject({ status: "SUCCEEDED" });
		expect(await numbers()).toEqual([1, 2]);
		await expectStoredEqualsReplay();
	});

	it("and that nothing is left to reschedule is said as such", async () => {
		const { as, accountId } = await givenUndone();
		const body = { kind: "EXTEND" as const, installments: 1, reason: "illness" };
		expect(await call(rescheduleAccount, { as, path: { accountId }, body })).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE" },
		});
	});
});
