// A payment and its account in different databases.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { homeMessages } from "../../../../src/db/home-messages.table";
import { getAccount } from "../../../../src/domains/accounts/operations";
import { accountTransactions } from "../../../../src/domains/credit-accounts/table";
import { postWaitingPayments } from "../../../../src/domains/repayments/recording/job";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { type PaymentRow, payments } from "../../../../src/domains/repayments/table";
import { listUnmatchedPayments, matchPayment } from "../../../../src/domains/repayments/unmatched/operations";
import { giveAway } from "../../../../src/domains/repayments/unmatched/plan";
import { completeHomeMessages } from "../../../../src/wiring/home-messages";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { expectCredit, givenLoan, paymentTo } from "../../../support/credit";
import { alone, databaseOf } from "../../../support/databases";
import { db, givenApiKey, givenOrganization, operatorToken } from "../../../support/factories";
import { beforeTrip, eventsOf, runDueWork } from "../../../support/loans";
import { servicesFor } from "../../../support/outbound";

/** A loan, and another organization whose home is in another database. */
async function givenTwoHomes() {
	const loan = await givenLoan(30_000);
	for (;;) {
		const reporter = await givenOrganization();
		if (databaseOf(reporter.id) !== databaseOf(loan.organization.id)) return { loan, reporter };
	}
}

/** A payment that the other organization reported for a number that is not its own. */
async function givenUnmatched() {
	const { loan, reporter } = await givenTwoHomes();
	const { account_number } = expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan }));
	const { account_id: _, ...body } = paymentTo(loan.accountId, 1_000, "TX1");
	const as = await givenApiKey(reporter.id, ["repayments:write"]);
	const report = () => call(recordRepayment, { as, body: { ...body, account_number } });
	const kept = await report();
	expect(kept).toMatchObject({ status: 202, body: { transaction: { status: "UNMATCHED" } } });
	return { loan, reporter, report, id: expectOk(kept).transaction.id };
}

const match = async (id: string, account_id: string, vars: Partial<Env> = {}) =>
	call(matchPayment, { as: await operatorToken(), path: { id }, body: { account_id }, vars });
const paidOn = async ({ borrower, accountId }: Awaited<ReturnType<typeof givenLoan>>) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } })).balance.total_paid;
const postings = async () => (await db.select().from(accountTransactions)).filter(({ kind }) => kind === "REPAYMENT");

/** Gives the payment to the account and does nothing more, as after a crash. */
async function giveOnly(id: string, accountId: string): Promise<void> {
	const services = (await servicesFor({ env, ctx: createExecutionContext() })).at(id);
	const [payment] = await db.select().from(payments).where(eq(payments.id, id));
	const account = { id: accountId } as Parameters<typeof giveAway>[2];
	await services.commit(giveAway(services, payment as PaymentRow, account).writes);
}

describe.skipIf(alone)("a payment in another home than its account", () => {
	it("without an account is kept in the home of the organization that reports it, and repeated reports find it", async () => {
		const { id, reporter, report } = await givenUnmatched();
		const [row] = await db.select().from(payments);
		expect([row?.id, databaseOf(id)]).toEqual([id, databaseOf(reporter.id)]);
		expect((await eventsOf(reporter.id)).map(({ type }) => type)).toEqual(["repayment.unmatched"]);
		expect(await report()).toMatchObject({ status: 202, body: { transaction: { id } } });
		expect(expectOk(await call(listUnmatchedPayments, { as: await operatorToken(), query: {} })).data).toMatchObject([{ id }]);
		expect(await db.select().from(payments)).toHaveLength(1);
	});

	it("is given to the account's home and posted there, once", async () => {
		const { id, loan, report } = await givenUnmatched();
		const answers = await Promise.all(Array.from({ length: 5 }, () => match(id, loan.accountId)));
		expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
		expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
		expect([await paidOn(loan), (await postings()).length]).toEqual([1_000, 1]);
		expect((await match(id, loan.accountId)).status).toBe(409);
		const rows = await db.select().from(payments);
		expect(rows.map(({ status }) => status).sort()).toEqual(["MATCHED", "POSTED"]);
		const posted = rows.find(({ status }) => status === "POSTED");
		expect(databaseOf(posted?.id ?? "")).toBe(databaseOf(loan.accountId));
		expect((await eventsOf(loan.organization.id)).at(-1)?.type).toBe("repayment.posted");
		expect(expectOk(await call(listUnmatchedPayments, { as: await operatorToken(), query: {} })).data).toEqual([]);
		const again = await report();
		expect(again).toMatchObject({ status: 200, body: { transaction: { id: posted?.id, status: "POSTED" }, overpaid_amount: 0 } });
		expect(expectOk(again).installments).toHaveLength(1);
	});

	it.each([2, 3, 4])("is posted to one of two accounts when the second is named before round trip %i of the first match", async (trip) => {
		const { id, loan, reporter } = await givenUnmatched();
		let other = await givenLoan(30_000);
		while (databaseOf(other.accountId) === databaseOf(reporter.id)) other = await givenLoan(30_000);
		const answers: number[] = [];
		const vars = beforeTrip(trip, async () => answers.push((await match(id, other.accountId)).status));
		answers.push((await match(id, loan.accountId, vars)).status);
		expect(answers.sort()).toEqual([201, 409]);
		await runDueWork(completeHomeMessages);
		expect([(await paidOn(loan)) + (await paidOn(other)), (await postings()).length]).toEqual([1_000, 1]);
	});

	it("is completed after a crash when the match is repeated, and cannot be matched to another account", async () => {
		const { id, loan } = await givenUnmatched();
		await giveOnly(id, loan.accountId);
		expect((await match(id, (await givenLoan(30_000)).accountId)).status).toBe(409);
		expect(await match(id, loan.accountId)).toMatchObject({ status: 201, body: { transaction: { status: "POSTED" } } });
		await runDueWork(completeHomeMessages);
		expect([await paidOn(loan), (await postings()).length]).toEqual([1_000, 1]);
		expect(await db.select().from(homeMessages)).toEqual([]);
	});

	it("is completed by the sweep after a crash", async () => {
		const { id, loan } = await givenUnmatched();
		await giveOnly(id, loan.accountId);
		await runDueWork(completeHomeMessages);
		await runDueWork(completeHomeMessages);
		await moveClock(2 * 60_000);
		await runDueWork(postWaitingPayments);
		expect([await paidOn(loan), (await postings()).length]).toEqual([1_000, 1]);
		expect((await match(id, loan.accountId)).status).toBe(409);
	});

	it("stays where it is when the account is unknown or has another currency", async () => {
		const { id } = await givenUnmatched();
		const { reporter } = await givenTwoHomes();
		expect((await match(id, reporter.id)).status).toBe(400);
		expect(await db.select().from(payments)).toMatchObject([{ id, status: "UNMATCHED" }]);
	});
});
