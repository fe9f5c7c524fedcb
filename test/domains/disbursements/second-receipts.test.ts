// A payout that is reported as paid by two receipts was perhaps paid twice: each receipt is kept, and people decide.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { creditCycles } from "../../../src/domains/credit-accounts/table";
import { reportDarajaResult } from "../../../src/domains/disbursements/daraja.operations";
import { bookPaidPayouts } from "../../../src/domains/disbursements/job";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { postMomoResult } from "../../../src/domains/disbursements/momo.operations";
import { dismissSecondReceipts, listDisbursements } from "../../../src/domains/disbursements/operations";
import { reportDisbursement } from "../../../src/domains/disbursements/result.operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { loanApplications } from "../../../src/domains/loans/model/table";
import { listWork, retryWork } from "../../../src/domains/work/operations";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { comeBack, givenLoan } from "../../support/credit";
import { CONNECTED, darajaStandsIn, givenLender, givenOfferOf, timePasses } from "../../support/daraja";
import { db, givenMember, operatorToken } from "../../support/factories";
import { givenOffer, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { givenWallet, momoStandsIn, ugandanNumber } from "../../support/momo";
import { answerOutbound } from "../../support/outbound";

const payoutOf = async (id: string) => (await db.select().from(disbursements).where(eq(disbursements.id, id)))[0];
const work = async () => expectOk(await call(listWork, { as: await operatorToken(), query: { kind: "SECOND_RECEIPT" } })).data;
const SECOND = "a payout is reported as paid by two receipts";

const paidBy = (receipt: string) => ({
	Result: {
		ResultType: 0,
		ResultCode: 0,
		TransactionID: receipt,
		ResultParameters: { ResultParameter: [{ Key: "TransactionAmount", Value: 300 }] },
	},
});

/** A payout by Daraja that is not reported yet, and the address at which its result is. */
async function givenOrdered() {
	const standIn = darajaStandsIn({ plan: () => ({ results: 0 }) });
	const lender = await givenLender();
	const offer = await givenOfferOf(lender);
	expectOk(await offer.apply());
	const [, code = ""] = /\/payout\/[0-9a-f-]{36}\/([0-9a-f]{32})$/.exec(String(standIn.asked.at(-1)?.ResultURL)) ?? [];
	const path = { question: "payout", id: offer.id, code };
	const tell = async (receipt: string) => {
		expect(await send(reportDarajaResult as never, { path, body: paidBy(receipt), vars: CONNECTED })).toMatchObject({ status: 200 });
	};
	return { ...offer, lender, tell };
}

const OUTSIDE = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/instructions", DISBURSER_SECRET: "secret" };
const report = async (disbursement_id: string, receipt: string) => {
	const body = {
		...{ disbursement_id, status: "SUCCEEDED" as const, mobile_money_transaction_id: receipt },
		occurred_at: new Date().toISOString(),
	};
	return call(reportDisbursement, { as: await operatorToken(), path: { disbursement_id }, body, vars: OUTSIDE });
};

describe("a second receipt of a payout", () => {
	it("is work until a member of the lender dismisses it, and a third one is work again", async () => {
		expectErrors(SECOND);
		const { id, tell, lender, accountId } = await givenOrdered();
		for (const receipt of ["SG632NMUAB", "SG632NMUAB", "sg632nmuab", "SG632NMUAC", "SG632NMUAC"]) await tell(receipt);
		expect(await work()).toMatchObject([{ id, state: "SUCCEEDED", reason: "SG632NMUAC", amount: { value: 30_000, currency: "KES" } }]);
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED", mobileMoneyTransactionId: "SG632NMUAB" });
		expect(await db.select().from(creditCycles)).toHaveLength(1);
		expect(await call(retryWork, { as: await operatorToken(), path: { kind: "SECOND_RECEIPT", id } })).toMatchObject({ status: 409 });

		const dismiss = async (organizationId: string) => {
			const { token } = await givenMember(organizationId, "organization-lending-admin");
			const headers = { "x-organization-id": organizationId };
			return call(dismissSecondReceipts, { as: token, headers, path: { id }, body: { reason: "Reversed in the portal" } });
		};
		expect(await dismiss((await givenLoan()).organization.id)).toMatchObject({ status: 404 });
		expect(await work()).toHaveLength(1);
		const dismissed = expectOk(await dismiss(lender.organization.id));
		expect(dismissed).toMatchObject({ second_receipt_at: null, second_receipts: [{ mobile_money_transaction_id: "SG632NMUAC" }] });
		expect(await work()).toEqual([]);
		await tell("SG632NMUAC");
		expect(await work()).toEqual([]);
		await tell("SG632NMUAD");
		expect(await work()).toMatchObject([{ id, reason: "SG632NMUAD" }]);
		const { data } = expectOk(await call(listDisbursements, { as: await operatorToken(), query: { account_id: accountId } }));
		expect(data[0]?.second_receipts.map((receipt) => receipt.mobile_money_transaction_id)).toEqual(["SG632NMUAC", "SG632NMUAD"]);
	});

	it("is kept from everybody who reports it at once", async () => {
		expectErrors(SECOND);
		const { id, tell } = await givenOrdered();
		const receipts = ["SG632NMUAB", "SG632NMUAC", "SG632NMUAD"];
		await Promise.all(receipts.map(tell));
		const { mobileMoneyTransactionId, secondReceipts } = (await payoutOf(id)) ?? {};
		const kept = [mobileMoneyTransactionId, ...(secondReceipts ?? []).map(({ transaction }) => transaction)];
		expect(kept.toSorted()).toEqual(receipts);
	});

	it("is kept in addition to the first receipt, which is in no book yet and is booked", async () => {
		expectErrors(SECOND, "a payout that was made is in no book", "a payout that was made cannot be booked");
		answerOutbound(() => Promise.resolve(new Response(null, { status: 202 })));
		const { borrower, productId } = await givenLoan(30_000);
		const { id } = await givenOffer(borrower.token, productId);
		const accepted = { as: borrower.token, path: { application_id: id }, body: { loan_amount: 6_000 }, vars: OUTSIDE };
		expectOk(await call(applyForLoan, accepted));
		await db.update(loanApplications).set({ status: "CANCELLED" }).where(eq(loanApplications.id, id));
		expectOk(await report(id, "TX-1"));
		await db.update(loanApplications).set({ status: "SUBMITTED" }).where(eq(loanApplications.id, id));
		expect(await report(id, "TX-2")).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		await timePasses(2 * HOUR_MS);
		await runDueWork(bookPaidPayouts, OUTSIDE);
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED", mobileMoneyTransactionId: "TX-1" });
		expect(await work()).toMatchObject([{ id, reason: "TX-2" }]);
	});

	it("of a payout that came back, and by another disburser, is kept too, and refused with 409", async () => {
		expectErrors(SECOND);
		answerOutbound(() => Promise.resolve(new Response(null, { status: 202 })));
		const { borrower, productId } = await givenLoan(30_000);
		const { id, account_id: accountId } = await givenOffer(borrower.token, productId);
		expectOk(await call(applyForLoan, { as: borrower.token, path: { application_id: id }, body: { loan_amount: 6_000 }, vars: OUTSIDE }));
		expectOk(await report(id, "TX-1"));
		expectOk(await comeBack({ accountId }));
		expect(await report(id, "TX-2")).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(await work()).toMatchObject([{ id, state: "RETURNED", reason: "TX-2" }]);
	});

	it("of a payout by MTN MoMo is what it calls back", async () => {
		expectErrors(SECOND);
		const standIn = momoStandsIn();
		const { id, apply } = await givenOfferOf(await givenWallet(), ugandanNumber());
		expectOk(await apply());
		await standIn.deliver();
		const known = (await payoutOf(id))?.mobileMoneyTransactionId ?? "";
		const tell = (financialTransactionId: string) => {
			const path = { id, code: standIn.asked[0]?.callback.slice(-32) ?? "" };
			return send(postMomoResult as never, { path, body: { status: "SUCCESSFUL", financialTransactionId }, vars: CONNECTED });
		};
		expect(await tell(known.slice("MTNUGANDA-".length))).toMatchObject({ status: 200 });
		expect(await work()).toEqual([]);
		expect(await tell("363")).toMatchObject({ status: 200 });
		expect(await work()).toMatchObject([{ id, reason: "MTNUGANDA-363" }]);
	});
});
