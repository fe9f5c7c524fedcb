// A failure of a payout is not believed at once, and a payment that was made is never lost: it is booked, or people see it.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Behaviour } from "../../../src/dev/stand-ins/daraja.results";
import { getAccount } from "../../../src/domains/accounts/operations";
import { creditAccounts, creditCycles } from "../../../src/domains/credit-accounts/table";
import { reportDarajaResult } from "../../../src/domains/disbursements/daraja.operations";
import { bookPaidPayouts } from "../../../src/domains/disbursements/job";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { reportDisbursement } from "../../../src/domains/disbursements/result.operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { loanApplications } from "../../../src/domains/loans/model/table";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { listWork, retryWork } from "../../../src/domains/work/operations";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { expectCredit, givenLoan, pay } from "../../support/credit";
import { CONNECTED, darajaStandsIn, givenLender, givenOfferOf, lose, sweepPayouts, timePasses } from "../../support/daraja";
import { db, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { beforeTrip, givenOffer, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";

const payoutOf = async (id: string) => (await db.select().from(disbursements).where(eq(disbursements.id, id)))[0];
const contradictions = async () => expectOk(await call(listWork, { as: await operatorToken(), query: { kind: "CONTRADICTION" } })).data;

/** A payout by Daraja's stand-in, and the address at which its result is reported. */
async function givenOrdered(behaviour: () => Behaviour) {
	const standIn = darajaStandsIn({ plan: behaviour });
	const lender = await givenLender();
	const offer = await givenOfferOf(lender);
	expectOk(await offer.apply());
	const [, code = ""] = /\/payout\/[0-9a-f-]{36}\/([0-9a-f]{32})$/.exec(String(standIn.asked.at(-1)?.ResultURL)) ?? [];
	const tell = (body: object) =>
		send(reportDarajaResult as never, { path: { question: "payout", id: offer.id, code }, body, vars: CONNECTED });
	return { ...offer, standIn, lender, tell };
}

const PAID = {
	Result: {
		ResultType: 0,
		ResultCode: 0,
		TransactionID: "SG632NMUAB",
		ResultParameters: { ResultParameter: [{ Key: "TransactionAmount", Value: 300 }] },
	},
};
const FAILED = { Result: { ResultType: 0, ResultCode: 2040, TransactionID: "X" } };

describe("a failure that Daraja reports", () => {
	it("ends nothing before Daraja has answered a question about the payment, and reported none for a quarter of an hour", async () => {
		const { id, tell, standIn } = await givenOrdered(() => ({ results: 0 }));
		expect(await tell(FAILED)).toMatchObject({ status: 200 });
		expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED", failureTold: "RECIPIENT_UNKNOWN" });
		// Its answers are lost: nobody knows whether it was paid.
		for (let nth = 0; nth < 3; nth++) {
			lose(standIn);
			await timePasses(HOUR_MS);
			await sweepPayouts();
			expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED" });
		}
		const { url = "" } = standIn.reports.at(-1) ?? {};
		lose(standIn);
		standIn.report(url, { Result: { ResultType: 0, ResultCode: 2033 } });
		await standIn.deliver();
		await timePasses(10 * MINUTE_MS);
		await sweepPayouts();
		lose(standIn);
		expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED" });
		await timePasses(2 * HOUR_MS);
		await sweepPayouts();
		expect(await payoutOf(id)).toMatchObject({ status: "FAILED", failureReason: "RECIPIENT_UNKNOWN" });
	});

	it("is contradicted by what Daraja finds, which is booked", async () => {
		const { id, tell, standIn } = await givenOrdered(() => ({ results: 0 }));
		await tell(FAILED);
		// Questions about the payment are answered: it was made.
		while (standIn.reports.length > 0) await standIn.deliver();
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED", mobileMoneyTransactionId: standIn.paid[0]?.receipt });
		expect(await db.select().from(creditCycles)).toHaveLength(1);
		await expectStoredEqualsReplay();
	});
});

describe("a success after a failure", () => {
	it("is booked as the loan that it paid, once", async () => {
		expectErrors("a payout that was made is in no book", "a result of a payout contradicts an earlier one");
		const { id, tell, borrower, accountId } = await givenOrdered(() => ({ results: 0 }));
		await db.update(disbursements).set({ status: "FAILED", failureReason: "RECIPIENT_UNKNOWN" });
		await db.update(loanApplications).set({ status: "FAILED", failureReason: "RECIPIENT_UNKNOWN" });
		for (const _ of ["told", "told again"]) expect(await tell(PAID)).toMatchObject({ status: 200 });
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED", failureReason: null, contradictedAt: null, bookAt: null });
		const account = expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
		expect(account.balance.principal_used).toBe(30_000);
		expect(await db.select().from(creditCycles)).toMatchObject([{ mobileMoneyTransactionId: "SG632NMUAB" }]);
		await expectStoredEqualsReplay();
	});

	const OUTSIDE = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/instructions", DISBURSER_SECRET: "secret" };
	const report = async (disbursement_id: string, status: "SUCCEEDED" | "FAILED", receipt: string) => {
		const facts = { occurred_at: new Date().toISOString(), ...(status === "SUCCEEDED" && { mobile_money_transaction_id: receipt }) };
		const body = { disbursement_id, status, ...facts };
		return expectOk(await call(reportDisbursement, { as: await operatorToken(), path: { disbursement_id }, body, vars: OUTSIDE }));
	};

	it("is booked as the draw, and as the refund, that it paid", async () => {
		expectErrors("a payout that was made is in no book");
		answerOutbound(() => Promise.resolve(new Response(null, { status: 202 })));
		const loan = await givenLoan(30_000);
		const path = { accountId: loan.accountId };
		const owed = async () => expectCredit(await call(getAccount, { as: loan.borrower.token, path })).balance;
		expectOk(await call(draw, { as: loan.borrower.token, path, body: { amount: 5_000 }, vars: OUTSIDE }));
		const drawn = (await db.select().from(disbursements)).find(({ kind }) => kind === "DRAW")?.id ?? "";
		await report(drawn, "FAILED", "");
		expect((await owed()).total_outstanding).toBe(30_000);
		await report(drawn, "SUCCEEDED", "TX-1");
		expect((await owed()).total_outstanding).toBe(35_000);
		expectOk(await pay(loan, 36_000));
		const refund = expectOk(await call(refundOverpayment, { as: await operatorToken(), path, vars: OUTSIDE }));
		await report(refund.id, "FAILED", "");
		const overpaid = async () => (await db.select().from(creditAccounts))[0]?.overpaidAmount;
		expect(await overpaid()).toBe(1_000);
		await report(refund.id, "SUCCEEDED", "TX-2");
		expect(await overpaid()).toBe(0);
		expect(await contradictions()).toEqual([]);
		await expectStoredEqualsReplay();
	});

	it("is work for people as long as it cannot be booked, and is booked when it can", async () => {
		expectErrors("a payout that was made cannot be booked", "a payout that was made is in no book");
		answerOutbound(() => Promise.resolve(new Response(null, { status: 202 })));
		const { borrower, productId } = await givenLoan(30_000);
		const { id } = await givenOffer(borrower.token, productId);
		const accepted = { as: borrower.token, path: { application_id: id }, body: { loan_amount: 6_000 }, vars: OUTSIDE };
		expectOk(await call(applyForLoan, accepted));
		await db.update(loanApplications).set({ status: "CANCELLED" }).where(eq(loanApplications.id, id));
		await report(id, "SUCCEEDED", "TX-3");
		expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED", paidTransaction: "TX-3" });
		expect(await contradictions()).toEqual([]);
		await timePasses(2 * HOUR_MS);
		await runDueWork(bookPaidPayouts, OUTSIDE);
		expect(await contradictions()).toMatchObject([
			{ id, state: "ACCEPTED", reason: "NOT_POSTED", amount: { value: 6_000, currency: "KES" } },
		]);
		await db.update(loanApplications).set({ status: "SUBMITTED" }).where(eq(loanApplications.id, id));
		const again = { as: await operatorToken(), path: { kind: "CONTRADICTION" as const, id } };
		expectOk(await call(retryWork, again));
		const claimed = () => db.update(disbursements).set({ bookAt: Date.now() + HOUR_MS });
		await runDueWork(bookPaidPayouts, { ...OUTSIDE, ...beforeTrip(2, claimed) });
		expect(await payoutOf(id), "booked by the other sweep alone").toMatchObject({ status: "ACCEPTED" });
		expectOk(await call(retryWork, again));
		await runDueWork(bookPaidPayouts, OUTSIDE);
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED", mobileMoneyTransactionId: "TX-3" });
		expect(await contradictions()).toEqual([]);
		expect(await db.select().from(creditCycles)).toHaveLength(2);
		await expectStoredEqualsReplay();
	});
});
