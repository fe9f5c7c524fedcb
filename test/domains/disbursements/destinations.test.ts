// Where loans, draws and refunds are paid to: the places that fit, what is taken when none is named, and loans into a current account.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { createLoanApplication } from "../../../src/domains/loans/operations";
import { createPayee } from "../../../src/domains/payees/operations";
import { payees } from "../../../src/domains/payees/table";
import { reverseTransaction } from "../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { mobileNumberChanges } from "../../../src/domains/users/model/number-change.table";
import { users } from "../../../src/domains/users/model/table";
import { call, expectOk } from "../../support/client";
import { givenLoan, pay, trips } from "../../support/credit";
import { bookOf, freshNumber, givenCurrentAccount } from "../../support/current-accounts";
import { db, givenOrganization, givenUser, newId, operatorToken } from "../../support/factories";
import { beforeCommit, eventsOf, givenLoanProduct } from "../../support/loans";
import { answerOutbound } from "../../support/outbound";

const vars = {
	DISBURSER: "http",
	DISBURSER_URL: "https://disburser.example/in",
	DISBURSER_SECRET: "a disburser's secret",
	NAME_LOOKUP_URL: "https://names.example/",
	NAME_LOOKUP_TOKEN: "a token",
};
const ALL = ["OWN_NUMBER", "CURRENT_ACCOUNT", "PAYEE_ACCOUNT"] as const;

type Place = { type: (typeof ALL)[number]; payee_account_id?: string };

/** A disburser that takes every instruction, and a look-up that knows every number under one name. */
function disburser() {
	const sent: { recipient: Record<string, unknown> }[] = [];
	answerOutbound(async (input, init) => {
		if (String(input) === vars.NAME_LOOKUP_URL) return Response.json({ known: true, name: "Sandbox Holder" });
		sent.push(await new Request(input, init).json());
		return new Response(null, { status: 202 });
	});
	return sent;
}

async function givenOffered({ number = freshNumber() as string | null, destinations = [...ALL] as Place["type"][] } = {}) {
	const organization = await givenOrganization();
	const borrower = await givenUser({ organizationId: organization.id, ...(number && { mobileNumber: number }) });
	await givenLoanProduct({ organization_id: organization.id, payout_destinations: destinations });
	const offer = async (payout?: Place) =>
		expectOk(await call(createLoanApplication, { as: borrower.token, body: payout ? { payout } : {} }));
	const take = (application_id: string, payout?: Place, more: Partial<Env> = vars) =>
		call(applyForLoan, {
			as: borrower.token,
			path: { application_id },
			body: { loan_amount: 30_000, ...(payout && { payout }) },
			vars: more,
		});
	return { organization, borrower, number, offer, take };
}

/** A payee's account that the embedded look-up knows under this name, without one under that of all numbers. */
async function givenPayeeAccount(as: string, account_holder_name?: string) {
	const account = { type: "SEND_MONEY" as const, mobile_number: freshNumber(), ...(account_holder_name && { account_holder_name }) };
	const payee = expectOk(await call(createPayee, { as, body: { label: "Mine", accounts: [account] } }));
	return { payeeId: payee.id, payee_account_id: payee.accounts[0]?.id ?? "", number: account.mobile_number };
}

const changedNumber = (userId: string, oldNumber: string | null, hoursAgo: number) =>
	db.insert(mobileNumberChanges).values({
		id: newId(userId),
		userId,
		status: "COMPLETED",
		authorizationChannel: "EMAIL",
		oldNumber,
		newNumber: freshNumber(),
		challengeId: "",
		provider: "NONE",
		createdAt: 0,
		expiresAt: 0,
		completedAt: Date.now() - hoursAgo * 3_600_000,
		namesFinishedAt: 0,
	});

describe("a loan into the borrower's current account", () => {
	it("is one commit: DISBURSED, in the account, and nobody is instructed", async () => {
		const sent = disburser();
		const { organization, borrower, offer, take } = await givenOffered({ number: null });
		const wallet = await givenCurrentAccount({ user: borrower });
		const { id } = await offer();
		const answer = await take(id);
		expect([expectOk(answer).status, trips(answer)]).toEqual(["DISBURSED", 2]);
		expect(sent).toEqual([]);
		const { account, entries } = await bookOf(wallet.id);
		expect(account.balance).toBe(30_000);
		expect(entries).toMatchObject([{ type: "LOAN_DISBURSEMENT", amount: 30_000, contra: "LOAN", sourceId: id }]);
		expect(await db.select().from(disbursements)).toMatchObject([
			{
				id,
				status: "SUCCEEDED",
				instruction: null,
				destination: { type: "CURRENT_ACCOUNT", account: { identifier: wallet.accountNumber } },
			},
		]);
		expect((await eventsOf(organization.id)).find(({ type }) => type === "loan.disbursed")?.data).toMatchObject({
			mobile_money_transaction_id: null,
		});
	});

	it("is paid once by concurrent calls, and cannot be undone while the money is there", async () => {
		const { borrower, offer, take } = await givenOffered();
		const wallet = await givenCurrentAccount({ user: borrower });
		const { id, account_id } = await offer();
		const answers = await Promise.all(Array.from({ length: 4 }, () => take(id, { type: "CURRENT_ACCOUNT" })));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
		expect((await bookOf(wallet.id)).balance).toBe(30_000);
		const drawn = expectOk(
			await call(draw, {
				as: borrower.token,
				path: { accountId: account_id },
				body: { amount: 1_000, payout: { type: "CURRENT_ACCOUNT" } },
				vars,
			}),
		);
		expect(drawn.balance.principal_used).toBe(31_000);
		const { entries } = await bookOf(wallet.id);
		expect(entries.map(({ type }) => type)).toEqual(["LOAN_DISBURSEMENT", "LOAN_DISBURSEMENT"]);
		const reversed = await call(reverseTransaction, {
			as: await operatorToken(),
			path: { accountId: account_id, transactionId: entries[1]?.sourceId ?? "" },
			body: { reason: "an error" },
		});
		expect(reversed).toMatchObject({ status: 409, body: { description: "The money is on the borrower's current account" } });
	});

	it("is refused for a frozen account, also at the last moment, and for an account without room", async () => {
		disburser();
		const { borrower, offer, take } = await givenOffered();
		const wallet = await givenCurrentAccount({ user: borrower, balance: 999_999_980_000 });
		const { id } = await offer();
		expect(await take(id, { type: "CURRENT_ACCOUNT" })).toMatchObject({ status: 400 });
		const other = await givenOffered();
		const account = await givenCurrentAccount({ user: other.borrower });
		const freeze = beforeCommit(async () => {
			await db.update(currentAccounts).set({ status: "FROZEN" }).where(eq(currentAccounts.id, account.id));
		});
		const second = await other.offer();
		expect(await other.take(second.id, { type: "CURRENT_ACCOUNT" }, { ...vars, ...freeze })).toMatchObject({ status: 400 });
		expect((await bookOf(account.id)).balance).toBe(0);
		expect((await bookOf(wallet.id)).balance).toBe(999_999_980_000);
	});
});

describe("a loan to the borrower's own number", () => {
	it("waits a day after the number has changed, but a first number is paid at once before any draw", async () => {
		const sent = disburser();
		const changed = await givenOffered();
		await changedNumber(changed.borrower.id, freshNumber(), 23);
		const { id } = await changed.offer();
		expect(await changed.take(id, { type: "OWN_NUMBER" })).toMatchObject({ status: 400 });
		expect(await changed.take(id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		await givenCurrentAccount({ user: changed.borrower });
		expect(expectOk(await changed.take(id)).status).toBe("DISBURSED");

		const first = await givenOffered();
		await changedNumber(first.borrower.id, null, 1);
		const offer = await first.offer();
		expect(expectOk(await first.take(offer.id)).status).toBe("SUBMITTED");
		expect(sent).toMatchObject([{ recipient: { type: "OWN_NUMBER", mobile_number: first.number } }]);

		const settled = await givenOffered();
		await changedNumber(settled.borrower.id, freshNumber(), 25);
		expect((await settled.take((await settled.offer()).id)).status).toBe(200);
	});

	it("goes to the number that the borrower has when it is ordered", async () => {
		const sent = disburser();
		const { borrower, offer, take } = await givenOffered();
		const { id } = await offer();
		const next = freshNumber();
		const change = beforeCommit(async () => {
			await db.update(users).set({ mobileNumber: next }).where(eq(users.id, borrower.id));
		});
		expect((await take(id, undefined, { ...vars, ...change })).status).toBe(200);
		expect(sent).toMatchObject([{ recipient: { mobile_number: next } }]);
	});

	it("is 409 where there is no place at all, and costs nothing", async () => {
		const { offer, take } = await givenOffered({ number: null });
		const { id } = await offer();
		expect(await take(id)).toMatchObject({
			status: 409,
			body: { description: "There is nowhere to pay to: verify a number or activate a current account" },
		});
		expect(await db.select().from(disbursements)).toEqual([]);
		expect(expectOk(await take(id, undefined, {})).status).toBe("DISBURSED");
	});
});

describe("a loan to a payee's account", () => {
	it("names it in the instruction, as wished for or sent, if it is in the borrower's own name", async () => {
		const sent = disburser();
		const { borrower, offer, take } = await givenOffered();
		const { number, ...own } = await givenPayeeAccount(borrower.token);
		const wish = { type: "PAYEE_ACCOUNT" as const, payee_account_id: own.payee_account_id };
		const offered = await offer(wish);
		expect(offered.payout).toEqual(wish);
		expect((await take(offered.id)).status).toBe(200);
		expect(sent).toMatchObject([
			{ recipient: { type: "PAYEE_ACCOUNT", account: { type: "SEND_MONEY", identifier: number, name: "Sandbox Holder" } } },
		]);
	});

	it("is refused where its payee is blocked right before the order", async () => {
		const sent = disburser();
		const { borrower, offer, take } = await givenOffered();
		const own = await givenPayeeAccount(borrower.token);
		const { id } = await offer();
		const block = beforeCommit(async () => {
			await db.update(payees).set({ isBlocked: true }).where(eq(payees.id, own.payeeId));
		});
		const payout = { type: "PAYEE_ACCOUNT" as const, payee_account_id: own.payee_account_id };
		expect(await take(id, payout, { ...vars, ...block })).toMatchObject({ status: 400 });
		expect(sent).toEqual([]);
	});

	it("is refused in another's name, of another user, for a blocked payee, and by the product", async () => {
		disburser();
		const { borrower, offer, take } = await givenOffered();
		const { id } = await offer();
		const refused = async (payee_account_id: string) =>
			expect(await take(id, { type: "PAYEE_ACCOUNT", payee_account_id })).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		await refused((await givenPayeeAccount(borrower.token, "Somebody Else")).payee_account_id);
		await refused((await givenPayeeAccount((await givenUser()).token)).payee_account_id);
		const blocked = await givenPayeeAccount(borrower.token);
		await db.update(payees).set({ isBlocked: true }).where(eq(payees.id, blocked.payeeId));
		await refused(blocked.payee_account_id);
		expect((await take(id, { type: "PAYEE_ACCOUNT" })).status).toBe(400);

		const usual = await givenOffered({ destinations: ["OWN_NUMBER", "CURRENT_ACCOUNT"] });
		const own = await givenPayeeAccount(usual.borrower.token);
		const payout = { type: "PAYEE_ACCOUNT" as const, payee_account_id: own.payee_account_id };
		expect((await call(createLoanApplication, { as: usual.borrower.token, body: { payout } })).status).toBe(400);
		expect((await usual.take((await usual.offer()).id, payout)).status).toBe(400);
	});
});

describe("a refund", () => {
	it("is 409 for a borrower who has no place, and takes nothing off the account", async () => {
		const loan = await givenLoan(30_000);
		await db.update(users).set({ mobileNumber: null }).where(eq(users.id, loan.borrower.id));
		expectOk(await pay(loan, 34_000));
		const refund = async (more: Partial<Env>) => call(refundOverpayment, { as: await operatorToken(), path: loan, vars: more });
		expect(await refund(vars)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		await givenCurrentAccount({ user: loan.borrower });
		expect((await refund(vars)).status).toBe(201);
	});
});
