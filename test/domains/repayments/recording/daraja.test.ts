// Confirmations by the secret path become payments, once.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { applyForLoan } from "../../../../src/domains/loans/apply.operations";
import { confirmDaraja } from "../../../../src/domains/repayments/recording/daraja.operations";
import { payments } from "../../../../src/domains/repayments/table";
import { sha256Hex } from "../../../../src/shared/bytes";
import { call, expectOk, send } from "../../../support/client";
import { expectCredit, givenLoan } from "../../../support/credit";
import { db } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { eventsOf, givenLoanProduct, givenOffer } from "../../../support/loans";

const SECRET = "5f0c1c3f-a-long-secret";
type Loan = Awaited<ReturnType<typeof givenLoan>>;
const varsOf = (organization_id: string) => ({
	DARAJA_SECRETS: JSON.stringify([
		{ secret: "another", organization_id: "other" },
		{ secret: SECRET, organization_id },
	]),
});
const accountOf = async ({ borrower, accountId }: Loan) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));

const CONFIRMATION = {
	TransactionType: "Pay Bill",
	TransID: "RKTQDM7W6S",
	TransTime: "20251122063845",
	TransAmount: "10.00",
	BusinessShortCode: "600638",
	BillRefNumber: "",
	InvoiceNumber: "",
	OrgAccountBalance: "49197.00",
	ThirdPartyTransID: "",
	MSISDN: "2547*****126",
	FirstName: "John",
};

const confirm = (loan: Loan, changes: object, { secret = SECRET, organization = loan.organization.id } = {}) =>
	send(confirmDaraja as never, { path: { secret }, body: { ...CONFIRMATION, ...changes }, vars: varsOf(organization) });

const ANSWER = { ResultCode: 0, ResultDesc: "Accepted" };

describe("a confirmation by Daraja", () => {
	it("is posted to the account whose number the payer gave, once", async () => {
		const loan = await givenLoan(30_000);
		const { account_number } = await accountOf(loan);
		const body = { BillRefNumber: `${account_number.slice(0, 4)} ${account_number.slice(4)}` };
		const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(loan, body)));
		for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: ANSWER });
		expect(await db.select().from(payments)).toMatchObject([
			{
				status: "POSTED",
				organizationId: loan.organization.id,
				mobileMoneyTransactionId: "RKTQDM7W6S",
				amount: 1_000,
				currency: "KES",
				transactedAt: Date.parse("2025-11-22T03:38:45Z"),
				details: { type: "PAY_BILL", paybill_number: "600638", account_reference: body.BillRefNumber },
			},
		]);
		expect((await accountOf(loan)).balance.total_paid).toBe(1_000);
		expect((await eventsOf(loan.organization.id)).filter(({ type }) => type === "repayment.posted")).toHaveLength(1);
		expect(await confirm(loan, { ...body, TransAmount: "11.00" })).toMatchObject({ status: 200, body: ANSWER });
		expect((await accountOf(loan)).balance.total_paid).toBe(1_000);
		await expectStoredEqualsReplay();
	});

	it("finds the payer by the hash of their number, or by the number, when it names no account", async () => {
		const loan = await givenLoan(30_000, undefined, { mobileNumber: "+254712345678" });
		await confirm(loan, { TransID: "TX1", MSISDN: await sha256Hex("254712345678") });
		await confirm(loan, { TransID: "TX2", MSISDN: 254712345678, BillRefNumber: "my loan" }, { organization: loan.organization.slug });
		await confirm(loan, { TransID: "TX3", MSISDN: await sha256Hex("254700000000") });
		const rows = (await db.select().from(payments)).sort((a, b) => (a.mobileMoneyTransactionId < b.mobileMoneyTransactionId ? -1 : 1));
		expect(rows.map(({ status, unmatchedReason }) => unmatchedReason ?? status)).toEqual(["POSTED", "POSTED", "UNKNOWN_ACCOUNT"]);
		expect(rows[0]?.details).toEqual({ type: "BUY_GOODS", till_number: "600638" });
	});

	it("is unmatched when the payer has several accounts that owe something", async () => {
		const loan = await givenLoan(30_000, undefined, { mobileNumber: "+254712345678" });
		const { id } = await givenLoanProduct({ organization_id: loan.organization.id });
		const offer = await givenOffer(loan.borrower.token, id);
		expectOk(await call(applyForLoan, { as: loan.borrower.token, path: { application_id: offer.id }, body: { loan_amount: 5_000 } }));
		await confirm(loan, { MSISDN: "254712345678" });
		expect(await db.select().from(payments)).toMatchObject([{ status: "UNMATCHED", unmatchedReason: "UNKNOWN_ACCOUNT" }]);
	});

	it("is kept with its reason when its amount has fractions of a cent, or its organization is unknown", async () => {
		const loan = await givenLoan(30_000);
		const { account_number: BillRefNumber } = await accountOf(loan);
		expect(await confirm(loan, { TransID: "TX1", BillRefNumber, TransAmount: "10.005" })).toMatchObject({ body: ANSWER });
		expect(await confirm(loan, { TransID: "TX2", BillRefNumber }, { organization: "nobodys" })).toMatchObject({ body: ANSWER });
		const rows = (await db.select().from(payments)).sort((a, b) => (a.mobileMoneyTransactionId < b.mobileMoneyTransactionId ? -1 : 1));
		expect(rows).toMatchObject([
			{ status: "UNMATCHED", unmatchedReason: "AMOUNT_BELOW_MINOR_UNIT", amount: 1_000, organizationId: loan.organization.id },
			{ status: "UNMATCHED", unmatchedReason: "UNKNOWN_ORGANIZATION", organizationId: "operators" },
		]);
		expect((await accountOf(loan)).balance.total_paid).toBe(0);
		expect((await eventsOf(loan.organization.id)).at(-1)?.type).toBe("repayment.unmatched");
	});

	it("does not reach another organization's account by its number", async () => {
		const loan = await givenLoan(30_000);
		const other = await givenLoan(30_000);
		await confirm(loan, { BillRefNumber: (await accountOf(other)).account_number });
		expect(await db.select().from(payments)).toMatchObject([{ status: "UNMATCHED", organizationId: loan.organization.id }]);
		expect((await accountOf(other)).balance.total_paid).toBe(0);
	});

	it("is accepted but not recorded when no money was paid", async () => {
		const loan = await givenLoan(30_000);
		for (const TransAmount of ["0", "", "-5", "ten"])
			expect(await confirm(loan, { TransAmount })).toMatchObject({ status: 200, body: ANSWER });
		expect(await db.select().from(payments)).toEqual([]);
	});

	it("is 404 under another secret, and under any secret while none is configured", async () => {
		const loan = await givenLoan(30_000);
		for (const secret of ["wrong", SECRET.toUpperCase(), `${SECRET}x`]) expect((await confirm(loan, {}, { secret })).status).toBe(404);
		expect((await send(confirmDaraja as never, { path: { secret: SECRET }, body: CONFIRMATION })).status).toBe(404);
		expect(await db.select().from(payments)).toEqual([]);
	});
});
