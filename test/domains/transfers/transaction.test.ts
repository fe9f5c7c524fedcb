// A transaction of the provider pays out one transfer or disbursement, also in two databases and after a crash between their commits.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { names } from "../../../src/db/names.table";
import { reportDisbursement } from "../../../src/domains/disbursements/result.operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { getTransfer } from "../../../src/domains/transfers/operations";
import { reportTransfer } from "../../../src/domains/transfers/result.operations";
import { call, expectOk, send } from "../../support/client";
import { dyingAt } from "../../support/crashes";
import { db, operatorToken } from "../../support/factories";
import { givenBorrower, givenLoanProduct, givenOffer } from "../../support/loans";
import { allowErrors, expectErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";
import { payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, type Person, SECOND } from "../../support/two-homes";

const OUTSIDE = { DISBURSER: "http", DISBURSER_URL: "https://payouts.example/instructions", DISBURSER_SECRET: "a provider's secret" };
const vars = { ...SECOND, ...OUTSIDE };
const CONFLICT = { status: 409, body: { code: "DUPLICATE_CONFLICT" } };

const occurred_at = new Date().toISOString();
const paidBy = (reference: string) => ({ status: "SUCCEEDED", reference, occurred_at });
const FAILED = { status: "FAILED", failure_reason: "ACCOUNT_CLOSED", occurred_at };

const report = async (transfer_id: string, facts: object, dying: Partial<Env> = {}) =>
	send(reportTransfer, {
		as: await operatorToken(),
		path: { transfer_id },
		body: { transfer_id, ...facts },
		vars: { ...vars, ...dying },
	});

/** A transfer of 1,000 that the provider has accepted, from a new account with 10,000. */
async function givenInstructed(home: number): Promise<{ payer: Person; id: string }> {
	const payer = await givenPerson(home, 10_000);
	const { accountId } = await payeeOf(payer, {
		type: "PAY_BILL",
		paybill_number: "888880",
		account_reference: "A-1",
		account_holder_name: "Power Ltd",
	});
	return { payer, id: expectOk(await transfer(payer, accountId, 1_000, { vars: OUTSIDE })).id };
}

const statusOf = async ({ payer, id }: { payer: Person; id: string }) =>
	expectOk(await call(getTransfer, { as: payer.token, path: { transferId: id }, vars: SECOND })).status;
const reservedTransactions = () => db.select({ value: names.value, id: names.id }).from(names).where(eq(names.kind, "PAYOUT_TRANSACTION"));

/** Reports TX1 in a process that ends once the directory has reserved the transaction. */
async function givenInterruptedReport(id: string): Promise<void> {
	for (let trip = 1; (await reservedTransactions()).length === 0; trip++) {
		expect(trip).toBeLessThan(9);
		await report(id, paidBy("TX1"), dyingAt(trip, "after").vars);
	}
	expect(await reservedTransactions()).toEqual([{ value: "TX1", id }]);
}

beforeEach(async () => {
	await openSecond();
	answerOutbound(async () => new Response(null, { status: 202 }));
});

const [HERE, THERE] = HOMES;

describe("a transaction of the provider", () => {
	it.each([
		["one database", [HERE, HERE, HERE]],
		["two databases", [THERE, HERE, THERE]],
	])("pays out one of several transfers that are reported concurrently, in %s", { tags: ["thorough"] }, async (_, homes) => {
		const all = await Promise.all(homes.map(givenInstructed));
		const answers = await Promise.all(all.map(({ id }) => report(id, paidBy("TX1"))));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
		for (const [index, each] of all.entries()) {
			const isPaid = answers[index]?.status === 200;
			if (!isPaid) expect(answers[index]).toMatchObject(CONFLICT);
			expect(await statusOf(each)).toBe(isPaid ? "COMPLETED" : "PENDING");
			expect(await accountOf(each.payer)).toMatchObject(isPaid ? { balance: 9_000, held: 0 } : { balance: 10_000, held: 1_000 });
			expect((await report(each.id, paidBy(isPaid ? "TX1" : `TX-${index}`))).status).toBe(200);
		}
	});

	it("pays out a transfer or a loan, not both", async () => {
		const first = await givenInstructed(THERE);
		expect((await report(first.id, paidBy("TX1"))).status).toBe(200);
		const { token } = await givenBorrower();
		await givenLoanProduct();
		const { id: disbursement_id } = await givenOffer(token);
		const path = { application_id: disbursement_id };
		expectOk(await call(applyForLoan, { as: token, path, body: { loan_amount: 5_000 }, vars }));
		const reportLoan = async (mobile_money_transaction_id: string) =>
			send(reportDisbursement, {
				as: await operatorToken(),
				path: { disbursement_id },
				body: { disbursement_id, status: "SUCCEEDED", mobile_money_transaction_id, occurred_at: new Date().toISOString() },
				vars,
			});
		expect(await reportLoan("TX1")).toMatchObject(CONFLICT);
		expect(await reportLoan("TX2")).toMatchObject({ status: 200 });
		const second = await givenInstructed(THERE);
		expect(await report(second.id, paidBy("TX2"))).toMatchObject(CONFLICT);
	});
});

describe("a report whose process ends", () => {
	it.each(["before", "after"] as const)(
		"%s any of its round trips succeeds when repeated, and pays once",
		{ tags: ["thorough"] },
		async (when) => {
			allowErrors("request failed");
			let died = true;
			for (let trip = 1; died; trip++) {
				const [one, other] = [await givenInstructed(THERE), await givenInstructed(HERE)];
				const dying = dyingAt(trip, when);
				await report(one.id, paidBy(`TX${trip}`), dying.vars);
				expect((await report(one.id, paidBy(`TX${trip}`))).status, `${when} trip ${trip}`).toBe(200);
				expect(await accountOf(one.payer)).toMatchObject({ balance: 9_000, held: 0 });
				expect(await report(other.id, paidBy(`TX${trip}`))).toMatchObject(CONFLICT);
				died = dying.died();
				if (!died) expect(trip).toBeGreaterThan(3);
			}
		},
	);

	it.each([
		["another transaction", paidBy("TX2")],
		["failure", FAILED],
	])("holds its transaction until a report of %s ends its transfer; then another transfer can have it", async (_, ending) => {
		allowErrors("request failed");
		const [one, other] = [await givenInstructed(THERE), await givenInstructed(HERE)];
		await givenInterruptedReport(one.id);
		expect(await statusOf(one)).toBe("PENDING");
		expect(await report(other.id, paidBy("TX1"))).toMatchObject(CONFLICT);
		expect((await report(one.id, ending)).status).toBe(200);
		expect((await report(other.id, paidBy("TX1"))).status).toBe(200);
		expect(await report(one.id, paidBy("TX1"))).toMatchObject(CONFLICT);
		expect(await statusOf(other)).toBe("COMPLETED");
		expect((await reservedTransactions()).find(({ value }) => value === "TX1")).toEqual({ value: "TX1", id: other.id });
	});

	it("frees its transaction for exactly one of several other transfers", async () => {
		expectErrors("request failed");
		const [one, ...others] = [await givenInstructed(THERE), await givenInstructed(HERE), await givenInstructed(THERE)];
		await givenInterruptedReport(one.id);
		expect((await report(one.id, FAILED)).status).toBe(200);
		const answers = await Promise.all(others.map(({ id }) => report(id, paidBy("TX1"))));
		expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
		expect((await Promise.all(others.map(statusOf))).sort()).toEqual(["COMPLETED", "PENDING"]);
	});
});
