// No confirmation disappears: a confirmation that no payment came of is listed until somebody has seen to it, and so is a confirmation that
// contradicts what is known.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { purge } from "../../../../src/db/purge";
import { accountTransactions } from "../../../../src/domains/credit-accounts/table";
import { verifyConfirmations } from "../../../../src/domains/repayments/recording/confirmations.job";
import { expiredConfirmations } from "../../../../src/domains/repayments/recording/confirmations.store";
import { darajaConfirmations } from "../../../../src/domains/repayments/recording/confirmations.table";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { dismissConfirmation, listConfirmations } from "../../../../src/domains/repayments/recording/unverified.operations";
import { payments } from "../../../../src/domains/repayments/table";
import { users } from "../../../../src/domains/users/model/table";
import { listWork, retryWork } from "../../../../src/domains/work/operations";
import { DAY_MS, HOUR_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { givenLoan, paymentTo } from "../../../support/credit";
import { CONNECTED, givenConnectedLoan, lose, timePasses } from "../../../support/daraja";
import { db, givenApiKey, givenMember, operatorToken } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { runDueWork } from "../../../support/loans";
import { expectErrors } from "../../../support/log";

import { givenPulling } from "../../../support/pulls";

type Connected = Awaited<ReturnType<typeof givenConnectedLoan>>;
const verify = () => runDueWork(verifyConfirmations, CONNECTED);
const rows = () => db.select().from(darajaConfirmations);
const work = async () => expectOk(await call(listWork, { as: await operatorToken(), query: { kind: "CONFIRMATION" } })).data;
const listed = async () => expectOk(await call(listConfirmations, { as: await operatorToken(), query: {} })).data;
const settle = async ({ standIn }: Connected) => {
	while (standIn.reports.length > 0) await standIn.deliver();
};

describe("a confirmation that could not be verified", () => {
	it("is listed, asked about again when somebody retries it or when it is confirmed again, and recorded then", async () => {
		expectErrors("a confirmation could not be verified for days");
		const loan = await givenConnectedLoan();
		const { standIn, number, account } = loan;
		for (const again of ["RETRIED", "TOLD"] as const) {
			const receipt = standIn.receive({ shillings: 100, account: number });
			await standIn.deliver();
			lose(standIn);
			await timePasses(2 * HOUR_MS);
			expect(await work()).toMatchObject([{ state: "WAITING", reason: receipt, amount: { value: 10_000, currency: "KES" } }]);
			await timePasses(4 * DAY_MS);
			await verify();
			const [item] = await work();
			expect(item).toMatchObject({ state: "LAPSED", reason: receipt });
			if (again === "TOLD") standIn.confirm({ TransID: receipt, TransAmount: "100", BillRefNumber: number });
			else expectOk(await call(retryWork, { as: await operatorToken(), path: { kind: "CONFIRMATION", id: item?.id ?? "" } }));
			if (again === "TOLD") await standIn.deliver();
			await verify();
			await settle(loan);
			expect(await work()).toEqual([]);
		}
		expect((await account()).balance.total_paid).toBe(20_000);
		await expectStoredEqualsReplay();
	});

	it("is kept with any shortcode and any form of its amount, until somebody dismisses it", async () => {
		expectErrors("a confirmation is of another shortcode, or has no usable amount");
		const loan = await givenConnectedLoan();
		const { standIn, number, account, lender } = loan;
		standIn.confirm({ TransID: "OTHERS0001", TransAmount: "500", BillRefNumber: number, BusinessShortCode: "123456" });
		standIn.confirm({ TransID: "NOAMOUNT01", TransAmount: "a lot", BillRefNumber: number });
		await settle(loan);
		await timePasses(40 * DAY_MS);
		await runDueWork(({ db: there, now }) => purge(there, [expiredConfirmations(there.orm, now)]));
		expect(await listed()).toMatchObject([
			{ mobile_money_transaction_id: "OTHERS0001", status: "OTHER_SHORTCODE", short_code: "123456", account_number: number },
			{ mobile_money_transaction_id: "NOAMOUNT01", status: "UNVERIFIED", amount: null },
		]);
		const admin = await givenMember(lender.organization.id, "organization-lending-admin");
		const headers = { "x-organization-id": lender.organization.id };
		for (const { id } of await listed()) {
			const stranger = await givenMember((await givenLoan()).organization.id, "organization-lending-admin");
			const body = { reason: "Banked by the branch" };
			expect((await call(dismissConfirmation, { as: stranger.token, path: { id }, body })).status).not.toBe(200);
			expectOk(await call(dismissConfirmation, { as: admin.token, headers, path: { id }, body }));
		}
		expect(await listed()).toEqual([]);
		expect((await account()).balance.total_paid).toBe(0);
	});
});

describe("what contradicts a confirmation", () => {
	it("is another account number: the payment is nobody's until it is matched", async () => {
		expectErrors("a payment is confirmed with two account numbers");
		const loan = await givenConnectedLoan();
		const { standIn, number, account } = loan;
		const receipt = standIn.receive({ shillings: 100, account: number });
		(standIn.reports as unknown[]).splice(0);
		standIn.confirm({ TransID: receipt, TransAmount: "100", BillRefNumber: "99999999999" });
		await standIn.deliver();
		// Daraja's own comes second, before the answer about the first.
		const answers = (standIn.reports as unknown[]).splice(0);
		standIn.confirm({ TransID: receipt, TransAmount: "100", BillRefNumber: number });
		await standIn.deliver();
		(standIn.reports as unknown[]).push(...answers);
		await settle(loan);
		expect(await db.select().from(payments)).toMatchObject([{ status: "UNMATCHED", unmatchedReason: "CONTRADICTED" }]);
		expect((await account()).balance.total_paid).toBe(0);
		await timePasses(2 * HOUR_MS);
		expect(await work()).toMatchObject([{ state: "CONTRADICTED", reason: receipt }]);
	});

	it.each([
		["as failed", { status: "FAILED" as const, failure_reason: "no money" }, 10_000],
		["of another amount", {}, 1],
	])("is what a key reported first: %s", async (_, facts, value) => {
		expectErrors("a verified payment is recorded with other facts");
		const loan = await givenConnectedLoan();
		const { standIn, number, accountId, lender } = loan;
		const receipt = standIn.receive({ shillings: 100, account: number });
		const key = await givenApiKey(lender.organization.id, ["repayments:write"]);
		expectOk(await call(recordRepayment, { as: key, body: { ...paymentTo(accountId, value, receipt), ...facts } }));
		await settle(loan);
		await timePasses(2 * HOUR_MS);
		expect(await work()).toMatchObject([{ state: "CONTRADICTED", reason: receipt }]);
	});

	it("is not what a key reported rightly", async () => {
		const loan = await givenConnectedLoan();
		const { standIn, number, accountId, lender, account } = loan;
		const receipt = standIn.receive({ shillings: 100, account: number });
		const key = await givenApiKey(lender.organization.id, ["repayments:write"]);
		expectOk(await call(recordRepayment, { as: key, body: paymentTo(accountId, 10_000, receipt) }));
		await settle(loan);
		await timePasses(2 * HOUR_MS);
		expect([await work(), (await rows()).map(({ status }) => status)]).toEqual([[], ["VERIFIED"]]);
		expect((await account()).balance.total_paid).toBe(10_000);
	});
});

describe("what the provider lists", () => {
	const CONTRADICTS = "a provider's list contradicts what is known of a payment";

	it("contradicts a hint of another account, whether the payment is recorded by then or not", async () => {
		expectErrors(CONTRADICTS);
		const loan = await givenPulling();
		const { standIn, number, sweep } = loan;
		const [recorded, waiting] = [
			standIn.receive({ shillings: 100, account: number }, {}, 0),
			standIn.receive({ shillings: 50, account: number }, {}, 0),
		];
		standIn.confirm({ TransID: recorded, TransAmount: "100", BillRefNumber: "99999999999" });
		await settle(loan);
		standIn.confirm({ TransID: waiting, TransAmount: "50", BillRefNumber: "99999999999" });
		await standIn.deliver();
		lose(standIn);
		for (let nth = 0; nth < 2; nth++) await sweep();
		await settle(loan);
		await timePasses(2 * HOUR_MS);
		const items = await work();
		expect(items.map(({ reason, state }) => [reason, state]).sort()).toEqual(
			[recorded, waiting].sort().map((receipt) => [receipt, "CONTRADICTED"]),
		);
		expect((await db.select().from(payments)).map(({ status }) => status)).toEqual(["UNMATCHED", "UNMATCHED"]);
	});

	it("contradicts a hint of another amount, and a payment that was reported otherwise; what somebody has dismissed stays so", async () => {
		expectErrors(CONTRADICTS, "a confirmation is of a payment that was not made so", "a verified payment is recorded with other facts");
		const loan = await givenPulling();
		const { standIn, number, sweep, lender, accountId, account } = loan;
		const [hinted, reported] = [
			standIn.receive({ shillings: 100, account: number }, {}, 0),
			standIn.receive({ shillings: 50, account: number }, {}, 0),
		];
		standIn.confirm({ TransID: hinted, TransAmount: "900", BillRefNumber: number });
		await standIn.deliver();
		lose(standIn);
		const key = await givenApiKey(lender.organization.id, ["repayments:write"]);
		expectOk(await call(recordRepayment, { as: key, body: paymentTo(accountId, 1, reported) }));
		await sweep();
		await settle(loan);
		await timePasses(2 * HOUR_MS);
		const items = await work();
		expect(items.map(({ reason, state }) => [reason, state]).sort()).toEqual(
			[hinted, reported].sort().map((receipt) => [receipt, "CONTRADICTED"]),
		);
		expect((await account()).balance.total_paid).toBe(10_001);
		for (const { id } of items) {
			const dismissed = { as: await operatorToken(), path: { id }, body: { reason: "Put right" } };
			const answer = await call(dismissConfirmation, dismissed);
			expect(answer.status).toBe(200);
		}
		await sweep(0);
		await settle(loan);
		expect(await work()).toEqual([]);
	});

	it("contradicts nothing that it lists as it is known", async () => {
		const loan = await givenPulling();
		const { standIn, number, sweep, lender, accountId, account } = loan;
		standIn.receive({ shillings: 100, account: number });
		await settle(loan);
		const reported = standIn.receive({ shillings: 50, account: number }, {}, 0);
		const key = await givenApiKey(lender.organization.id, ["repayments:write"]);
		expectOk(await call(recordRepayment, { as: key, body: paymentTo(accountId, 5_000, reported) }));
		for (let nth = 0; nth < 2; nth++) await sweep();
		await timePasses(2 * HOUR_MS);
		expect([await work(), (await account()).balance.total_paid]).toEqual([[], 15_000]);
	});
});

describe("a verified payment", () => {
	it("is of the day on which Daraja says that it was made, with any date in its confirmation", async () => {
		const loan = await givenConnectedLoan();
		const { standIn, number } = loan;
		const before = Date.now();
		standIn.receive({ shillings: 100, account: number }, { TransTime: "20200101120000" });
		await settle(loan);
		const [payment] = await db.select().from(payments);
		expect(payment?.transactedAt).toBeGreaterThan(before - DAY_MS);
		expect((await db.select().from(accountTransactions)).find(({ kind }) => kind === "REPAYMENT")?.occurredAt).toBe(payment?.transactedAt);
	});

	it.each(["0712345678", "254 712 345 678", "+254712345678"])(
		"finds the borrower whose phone number was typed as the account: %s",
		async (typed) => {
			const loan = await givenConnectedLoan();
			const { standIn, borrower, account } = loan;
			const [{ mobileNumber } = { mobileNumber: null }] = await db.select().from(users).where(eq(users.id, borrower.id));
			const own = (mobileNumber ?? "").slice(-9);
			standIn.receive({ shillings: 100, account: typed.replaceAll(" ", "").replace("712345678", own) });
			await settle(loan);
			expect((await account()).balance.total_paid).toBe(10_000);
		},
	);
});
