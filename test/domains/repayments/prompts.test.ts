// Borrowers are asked on their phones to repay: what they have paid is in the books once, and what nobody reports stays open or unknown.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { randomBy } from "../../../src/dev/random";
import type { PromptBehaviour } from "../../../src/dev/stand-ins/daraja.prompts";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { listInstallments } from "../../../src/domains/credit-accounts/operations";
import { workOnPrompts } from "../../../src/domains/repayments/prompts/job";
import { getRepaymentPrompt, listRepaymentPrompts, promptRepayment } from "../../../src/domains/repayments/prompts/operations";
import { repaymentPrompts } from "../../../src/domains/repayments/prompts/table";
import { verifyConfirmations } from "../../../src/domains/repayments/recording/confirmations.job";
import { postWaitingPayments } from "../../../src/domains/repayments/recording/job";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { reportDarajaPrompt } from "../../../src/domains/repayments/recording/prompts.operations";
import { payments } from "../../../src/domains/repayments/table";
import { users } from "../../../src/domains/users/model/table";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { dyingAt } from "../../support/crashes";
import { paymentTo } from "../../support/credit";
import { CONNECTED, CREDENTIALS, givenConnectedLoan, timePasses } from "../../support/daraja";
import { db, givenApiKey, givenUser, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { beforeCommit, eventsOf, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";

const PASSKEY = { passkey: "a passkey" };

async function givenPrompting(behave: () => PromptBehaviour = () => ({}), receiverVars: () => Partial<Env> = () => ({})) {
	const loan = await givenConnectedLoan(PASSKEY, receiverVars, { prompts: behave });
	const { borrower, accountId, lender } = loan;
	const prompt = (body: { amount?: number } = { amount: 10_000 }, as = borrower.token, vars: Partial<Env> = {}) =>
		call(promptRepayment, { as, path: { accountId }, body, vars });
	const read = async (promptId: string) => expectOk(await call(getRepaymentPrompt, { as: borrower.token, path: { accountId, promptId } }));
	const paid = async () => {
		const rows = await db.select().from(payments).where(eq(payments.status, "POSTED"));
		return rows.reduce((sum, { amount }) => sum + amount, 0);
	};
	const told = async () =>
		(await eventsOf(lender.organization.id)).map(({ type }) => type).filter((type) => type.startsWith("repayment_prompt."));
	return { ...loan, prompt, read, paid, told };
}

const work = (vars: Partial<Env> = {}) => runDueWork(workOnPrompts, vars);

describe("a prompt to repay", () => {
	it("asks the borrower's own number once for what is due, and its callback and its confirmation are one payment", async () => {
		const loan = await givenPrompting();
		const { standIn, prompt, read, paid, told, borrower, lender, accountId } = loan;
		const { data } = expectOk(await call(listInstallments, { as: borrower.token, path: { accountId }, query: {} }));
		const due = data[0]?.outstanding ?? 0;
		const made = expectOk(await prompt({}));
		expect(made).toMatchObject({ status: "PENDING", amount: Math.ceil(due / 100) * 100, currency: "KES", transaction_id: null });
		expect(made.reference).toMatch(/^R\d{4}[0-9A-Z]{7}$/);
		const [row] = await db.select().from(users).where(eq(users.id, borrower.id));
		const number = String(row?.mobileNumber).slice(1);
		const [asked] = standIn.prompts.asked;
		const { Timestamp = "", CallBackURL = "" } = asked ?? {};
		expect(asked).toEqual({
			BusinessShortCode: CREDENTIALS.short_code,
			Password: btoa(`${CREDENTIALS.short_code}${PASSKEY.passkey}${Timestamp}`),
			Timestamp,
			TransactionType: "CustomerPayBillOnline",
			Amount: String(made.amount / 100),
			PartyA: number,
			PartyB: CREDENTIALS.short_code,
			PhoneNumber: number,
			CallBackURL,
			AccountReference: made.reference,
			TransactionDesc: "Repayment",
		});
		expect(CallBackURL).not.toMatch(/mpesa|safaricom|exe|cmd|sql|query/i);
		expect(await read(made.id)).toMatchObject({ status: "SENT" });
		expect(await prompt()).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		// The confirmation, the callback, and what the query about the confirmation finds.
		for (let round = 0; round < 3; round++) await standIn.deliver();
		const [payment] = await db.select().from(payments);
		expect(await read(made.id)).toMatchObject({ status: "SUCCEEDED", transaction_id: payment?.id });
		expect(payment).toMatchObject({ mobileMoneyTransactionId: standIn.prompts.collected[0]?.receipt, accountNumber: made.reference });
		expect(await db.select().from(payments)).toHaveLength(1);
		expect(await paid()).toBe(made.amount);
		expect(await told()).toEqual(["repayment_prompt.succeeded"]);
		expect(JSON.stringify([await eventsOf(lender.organization.id), await db.select().from(repaymentPrompts)])).not.toContain(number);
		await expectStoredEqualsReplay();
	});

	it("is for the borrower, the lender's key and operators, and waits two minutes for the next", async () => {
		let behaviour: PromptBehaviour = { answer: "INVALID" };
		const { prompt, accountId, lender, borrower, read, standIn } = await givenPrompting(() => behaviour);
		const key = await givenApiKey(lender.organization.id, ["repayments:write"]);
		const stranger = await givenUser({ organizationId: lender.organization.id });
		expect(await prompt({ amount: 10_050 })).toMatchObject({ status: 400, body: { invalid_params: [{ path: "amount" }] } });
		expect(await prompt({ amount: 25_000_100 })).toMatchObject({ status: 400, body: { invalid_params: [{ path: "amount" }] } });
		expect(await prompt(undefined, stranger.token)).toMatchObject({ status: 404 });
		expect(await prompt(undefined, await givenApiKey(lender.organization.id, ["accounts:read"]))).toMatchObject({ status: 403 });
		const first = expectOk(await prompt(undefined, key));
		expect(await read(first.id)).toMatchObject({ status: "FAILED", failure_reason: "REFUSED_BY_PROVIDER" });
		expect(await prompt(undefined, await operatorToken())).toMatchObject({ status: 429 });
		for (let nth = 1; nth < 10; nth++) {
			await timePasses(2 * MINUTE_MS);
			expectOk(await prompt(undefined, await operatorToken()));
		}
		await timePasses(2 * MINUTE_MS);
		const refused = await prompt();
		expect(refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(23 * 3600);
		expect(standIn.prompts.asked).toHaveLength(10);
		const list = expectOk(await call(listRepaymentPrompts, { as: borrower.token, path: { accountId }, query: {} }));
		expect(list.data).toHaveLength(10);
		expect(await call(listRepaymentPrompts, { as: stranger.token, path: { accountId }, query: {} })).toMatchObject({ status: 404 });
		await db.update(paymentConnections).set({ hasPasskey: false });
		behaviour = {};
		await timePasses(24 * HOUR_MS);
		expect(await prompt()).toMatchObject({ status: 409, body: { code: "INVALID_STATE", reason: "NO_CONNECTION" } });
	});

	it("is sent once and asked about once by two who do it at the same moment", async () => {
		let behaviour: PromptBehaviour = { answer: "INVALID" };
		const { standIn, prompt } = await givenPrompting(() => behaviour);
		// The other one has failed already, so that it is only too recent.
		expect(
			await prompt(
				undefined,
				undefined,
				beforeCommit(() => prompt()),
			),
		).toMatchObject({ status: 429 });
		expect(standIn.prompts.asked).toHaveLength(1);
		behaviour = { results: 0, found: 1037, confirmations: 0 };
		await timePasses(2 * MINUTE_MS);
		expectOk(await prompt());
		await timePasses(75 * SECOND_MS);
		await work(beforeCommit(() => work()));
		expect(standIn.prompts.queried).toHaveLength(1);
	});

	it("fails by what a query says, and a payment that comes after all is recorded", async () => {
		const { standIn, prompt, read, paid, told } = await givenPrompting(() => ({ late: true, found: 1037, confirmations: 0 }));
		// A pause is of what the initiator does.
		await db.update(paymentConnections).set({ status: "PAUSED", pausedReason: "RESULT_2001" });
		const { id } = expectOk(await prompt());
		await timePasses(75 * SECOND_MS);
		await work();
		expect(await read(id)).toMatchObject({ status: "FAILED", failure_reason: "UNREACHABLE" });
		expect(await paid()).toBe(0);
		standIn.prompts.reportLate();
		await standIn.deliver();
		expect(await read(id)).toMatchObject({ status: "SUCCEEDED", failure_reason: null });
		expect(await paid()).toBe(10_000);
		expect(await told()).toEqual(["repayment_prompt.failed", "repayment_prompt.succeeded"]);
	});

	it("becomes unknown after five minutes of silence, makes room, and still succeeds by its confirmation", async () => {
		let behaviour: PromptBehaviour = { answer: "LOST", results: 0 };
		const { standIn, prompt, read, paid } = await givenPrompting(() => behaviour);
		const { id } = expectOk(await prompt());
		for (const minutes of [2, 2, 2]) {
			await timePasses(minutes * MINUTE_MS);
			await work();
		}
		expect(await read(id)).toMatchObject({ status: "UNKNOWN", ended_at: null });
		behaviour = { code: 1032 };
		const second = expectOk(await prompt());
		await standIn.deliver();
		expect(await read(second.id)).toMatchObject({ status: "FAILED", failure_reason: "CANCELLED" });
		await standIn.deliver();
		expect(await read(id)).toMatchObject({ status: "SUCCEEDED" });
		expect(await paid()).toBe(10_000);
	});

	it("credits nothing for another amount, the receipt of another payment, a forged address or a query", async () => {
		expectErrors("the payer of a prompt has paid another amount", "the receipt of a prompt is that of another payment");
		const behaviours: PromptBehaviour[] = [
			{ saysAmount: 900, confirmations: 0 },
			{ saysReceipt: "TAKEN00001", confirmations: 0 },
			{ results: 0, found: 0, confirmations: 0 },
		];
		const { standIn, prompt, read, paid, accountId } = await givenPrompting(() => behaviours.shift() ?? {});
		expectOk(await call(recordRepayment, { as: await operatorToken(), body: paymentTo(accountId, 5_000, "TAKEN00001") }));
		const ids: string[] = [];
		for (let nth = 0; nth < 3; nth++) {
			const { id } = expectOk(await prompt());
			ids.push(id);
			expect((await standIn.deliver()).every((status) => status === 200)).toBe(true);
			for (const minutes of [2, 2, 2, 5]) {
				await timePasses(minutes * MINUTE_MS);
				await work();
			}
			expect(await read(id)).toMatchObject({ status: "UNKNOWN" });
		}
		expect(await paid()).toBe(5_000);
		const [, code = ""] = /([0-9a-f]{32})$/.exec(String(standIn.prompts.asked[0]?.CallBackURL)) ?? [];
		const body = { Body: { stkCallback: { ResultCode: 1032 } } };
		for (const path of [
			{ id: ids[1] ?? "", code },
			{ id: ids[0] ?? "", code: "0".repeat(32) },
		]) {
			expect(await send(reportDarajaPrompt as never, { path, body })).toMatchObject({ status: 404 });
		}
	});

	it("is ended by a payment that the lender has reported itself", async () => {
		const { standIn, prompt, read, paid, lender, accountId } = await givenPrompting(() => ({ confirmations: 0 }));
		const { id } = expectOk(await prompt());
		const key = await givenApiKey(lender.organization.id, ["repayments:write"]);
		const receipt = String(standIn.prompts.collected[0]?.receipt);
		const reported = expectOk(await call(recordRepayment, { as: key, body: paymentTo(accountId, 10_000, receipt) }));
		await standIn.deliver();
		expect(await read(id)).toMatchObject({ status: "SUCCEEDED", transaction_id: reported.transaction.id });
		expect(await paid()).toBe(10_000);
	});
});

/** What may go wrong with a prompt and with its reports. */
const BEHAVIOURS: readonly PromptBehaviour[] = [
	{},
	{ results: 5, odd: true, confirmations: 2 },
	{ early: true, answer: "LOST" },
	{ early: true },
	{ answer: "LOST", confirmations: 0 },
	{ answer: "LOST", results: 0 },
	{ answer: "DOWN" },
	{ answer: "HTML" },
	{ answer: "LOCKED" },
	{ answer: "TOKEN_EXPIRED" },
	{ results: 0 },
	{ results: 0, code: 1037 },
	{ late: true, found: 1037 },
	{ late: true, found: 1032, confirmations: 0 },
	{ code: 1032, results: 2 },
	{ code: "1", odd: true },
	{ code: 9999 },
	{ saysAmount: 1 },
	{ saysReceipt: "that of another payment" },
];

it("the service credits what was collected once, over random histories in which processes die", {
	timeout: 120_000,
}, async () => {
	expectErrors("background work failed", "request failed");
	const seed = Number(process.env.SEED ?? 5);
	const random = randomBy(seed);
	let isDying = false;
	const dies = (): Partial<Env> =>
		isDying && random() < 0.35 ? dyingAt(1 + Math.floor(random() * 4), random() < 0.5 ? "before" : "after").vars : {};
	let known = "TAKEN00001";
	const behave = (): PromptBehaviour => {
		const { saysReceipt, ...behaviour } = BEHAVIOURS[Math.floor(random() * BEHAVIOURS.length)] ?? {};
		return saysReceipt ? { ...behaviour, saysReceipt: known } : behaviour;
	};
	const { standIn, prompt, paid, told } = await givenPrompting(behave, dies);
	isDying = true;
	const collected = () => standIn.prompts.collected.reduce((sum, { shillings }) => sum + shillings * 100, 0);
	const sweep = async () => {
		for (const job of [workOnPrompts, verifyConfirmations, postWaitingPayments]) {
			await runDueWork(job, { ...CONNECTED, ...dies() }).catch(() => {});
		}
	};
	for (let round = 0; round < 16; round++) {
		await prompt({ amount: 10_000 + 100 * round }, undefined, dies()).catch(() => {});
		if (random() < 0.3) standIn.prompts.reportLate();
		await standIn.deliver();
		await timePasses(Math.floor(8 * MINUTE_MS * random()) + MINUTE_MS);
		await sweep();
		expect(await paid(), `seed ${seed}`).toBeLessThanOrEqual(collected());
		known = standIn.prompts.collected[0]?.receipt ?? known;
	}
	isDying = false;
	standIn.prompts.reportLate();
	// Daraja repeats what was answered with a failure.
	for (const { receipt, shillings, reference } of standIn.prompts.collected) {
		standIn.confirm({ TransID: receipt, TransAmount: String(shillings), BillRefNumber: reference });
	}
	for (let round = 0; round < 4; round++) {
		await standIn.deliver();
		await timePasses(HOUR_MS);
		await sweep();
	}
	await standIn.deliver();
	expect(standIn.prompts.collected.length).toBeGreaterThan(2);
	expect(await paid(), `seed ${seed}`).toBe(collected());
	const rows = await db.select().from(repaymentPrompts);
	const recorded = new Map((await db.select().from(payments)).map((row) => [row.mobileMoneyTransactionId, row]));
	expect(recorded.size).toBe(standIn.prompts.collected.length);
	for (const { reference, receipt } of standIn.prompts.collected) {
		const row = rows.find((one) => one.reference === reference);
		expect(row, `seed ${seed}`).toMatchObject({ status: "SUCCEEDED", transactionId: recorded.get(receipt)?.id });
	}
	for (const { status } of rows) expect(["SUCCEEDED", "FAILED", "UNKNOWN"], `seed ${seed}`).toContain(status);
	expect((await told()).filter((type) => type.endsWith("succeeded"))).toHaveLength(standIn.prompts.collected.length);
	await expectStoredEqualsReplay();
});
