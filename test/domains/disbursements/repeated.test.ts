// A repeated instruction carries the bytes of the first one, so that a reference never names another recipient.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { sendDueInstructions } from "../../../src/domains/disbursements/job";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { users } from "../../../src/domains/users/model/table";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { givenLoan, pay } from "../../support/credit";
import { freshNumber } from "../../support/current-accounts";
import { db, operatorToken } from "../../support/factories";
import { givenOffer, runDueWork } from "../../support/loans";
import { answerOutbound } from "../../support/outbound";

const vars = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/in", DISBURSER_SECRET: "a disburser's secret" };

/** A disburser that never says that it took an instruction. */
function deafDisburser(): string[] {
	const sent: string[] = [];
	answerOutbound(async (input, init) => {
		sent.push(await new Request(input, init).text());
		return new Response(null, { status: 503 });
	});
	return sent;
}

type Loan = Awaited<ReturnType<typeof givenLoan>>;

const ORDERS: Record<string, (loan: Loan) => Promise<unknown>> = {
	async loan(loan) {
		await pay(loan, 30_000);
		const offer = await givenOffer(loan.borrower.token, loan.productId);
		const body = { loan_amount: 5_000 };
		expectOk(await call(applyForLoan, { as: loan.borrower.token, path: { application_id: offer.id }, body, vars }));
	},
	async draw(loan) {
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 1_000 }, vars }));
	},
	async refund(loan) {
		expectOk(await pay(loan, 34_000));
		expectOk(await call(refundOverpayment, { as: await operatorToken(), path: loan, vars }));
	},
};

async function repeat(): Promise<void> {
	await moveClock(3_600_000);
	await runDueWork(sendDueInstructions, vars);
}

describe("a repeated instruction", () => {
	for (const [kind, order] of Object.entries(ORDERS)) {
		it(`for a ${kind} names the recipient of the first one, with any holders of the numbers by now`, async () => {
			const sent = deafDisburser();
			const number = freshNumber();
			const loan = await givenLoan(30_000, undefined, { mobileNumber: number });
			await order(loan);
			expect(JSON.parse(sent[0] ?? "")).toMatchObject({
				account_id: loan.accountId,
				recipient: { user_id: loan.borrower.id, mobile_number: number, type: "OWN_NUMBER" },
			});
			await db.update(users).set({ mobileNumber: freshNumber() }).where(eq(users.id, loan.borrower.id));
			await repeat();
			await repeat();
			expect(sent).toHaveLength(3);
			expect(new Set(sent).size).toBe(1);
		});
	}
});
