// A payout by an outside disburser is ordered once, and its report decides once.

import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { creditAccounts, creditCycles, installments } from "../../../src/domains/credit-accounts/table";
import { findDueInstructions, sendDueInstructions } from "../../../src/domains/disbursements/job";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { reportDisbursement } from "../../../src/domains/disbursements/result.operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { getLoanApplication } from "../../../src/domains/loans/operations";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { db, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { eventsOf, givenLoanProduct, givenOffer, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";
import { plansOf } from "../../support/plans";

const SECRET = "a disburser's secret";
const vars = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/instructions", DISBURSER_SECRET: SECRET };

const sign = (body: string, secret = SECRET, at = Date.now()) => {
	const t = Math.floor(at / 1000);
	return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
};

type Sent = { body: string; headers: Headers };

/** A disburser that responds with these statuses in turn and repeats the last one; 0 means no response. */
function disburserAnswering(...statuses: number[]): Sent[] {
	const sent: Sent[] = [];
	answerOutbound(async (input, init) => {
		const request = new Request(input, init);
		expect(request.url).toBe(vars.DISBURSER_URL);
		sent.push({ body: await request.text(), headers: request.headers });
		const status = statuses[Math.min(sent.length, statuses.length) - 1] ?? 202;
		if (status === 0) throw new TypeError("connection lost");
		return new Response(null, { status });
	});
	return sent;
}

async function givenApplied(mobileNumber = "+254712345678") {
	const organization = await givenOrganization();
	const borrower = await givenUser({ organizationId: organization.id, mobileNumber });
	await givenLoanProduct();
	const offer = await givenOffer(borrower.token);
	const applied = await call(applyForLoan, { as: borrower.token, path: { application_id: offer.id }, body: { loan_amount: 30_000 }, vars });
	return { organization, borrower, offer, applied };
}

const PAID = { status: "SUCCEEDED", mobile_money_transaction_id: "TX1", failure_reason: null, occurred_at: new Date().toISOString() };
const REFUSED = { status: "FAILED", failure_reason: "ACCOUNT_CLOSED", occurred_at: new Date().toISOString() };

const report = (disbursement_id: string, facts: object, header?: string) => {
	const body = JSON.stringify({ disbursement_id, ...facts });
	return send(reportDisbursement, { path: { disbursement_id }, body, headers: { "x-service-signature": header ?? sign(body) }, vars });
};

describe("an outside disburser", () => {
	it("is instructed after the commit, signed, with the application's id as reference", async () => {
		const sent = disburserAnswering(202);
		const { offer, borrower, applied, organization } = await givenApplied();
		expect(applied).toMatchObject({ status: 200, body: { status: "SUBMITTED", loan_amount: 30_000 } });
		expect(sent).toHaveLength(1);
		expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
			disbursement_id: offer.id,
			reference: offer.id,
			account_id: offer.account_id,
			amount: { value: 30_000, currency: "KES" },
			recipient: { user_id: borrower.id, mobile_number: "+254712345678", type: "OWN_NUMBER" },
		});
		const t = /^t=(\d+),v1=/.exec(sent[0]?.headers.get("x-service-signature") ?? "")?.[1];
		expect(sent[0]?.headers.get("x-service-signature")).toBe(sign(sent[0]?.body ?? "", SECRET, Number(t) * 1000));
		expect(await db.select().from(disbursements)).toMatchObject([{ id: offer.id, status: "ACCEPTED", attempts: 1 }]);
		expect(await db.select().from(creditCycles)).toEqual([]);
		expect((await eventsOf(organization.id)).map(({ type }) => type)).toEqual(["loan_application.created", "loan_application.submitted"]);
	});

	it("is instructed again with the same reference until it accepts, and then no more", async () => {
		const sent = disburserAnswering(0, 500, 400, 202);
		const { offer } = await givenApplied();
		await runDueWork(sendDueInstructions, vars);
		expect(sent).toHaveLength(1);
		for (let round = 0; round < 5; round++) {
			await moveClock(3_600_000);
			await runDueWork(sendDueInstructions, vars);
		}
		expect(sent).toHaveLength(4);
		expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
		expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual(Array(4).fill(offer.id));
		expect(await db.select().from(disbursements)).toMatchObject([{ status: "ACCEPTED", attempts: 4 }]);
	});

	it("is instructed once by two concurrent sweeps", async () => {
		const sent = disburserAnswering(0, 202);
		await givenApplied();
		await moveClock(3_600_000);
		await Promise.all([runDueWork(sendDueInstructions, vars), runDueWork(sendDueInstructions, vars)]);
		expect(sent).toHaveLength(2);
	});

	it("is required: without it, no offer can be accepted", async () => {
		const { id: organizationId } = await givenOrganization();
		const { token } = await givenUser({ organizationId });
		await givenLoanProduct();
		const offer = await givenOffer(token);
		expect(
			await call(applyForLoan, {
				as: token,
				path: { application_id: offer.id },
				body: { loan_amount: 5_000 },
				vars: { DISBURSER: "http" },
			}),
		).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
		expect(expectOk(await call(getLoanApplication, { as: token, path: { application_id: offer.id } })).status).toBe("APPROVED");
	});

	it("is reached over HTTPS, or plain HTTP on the local machine", async () => {
		expectErrors("configuration is missing or malformed: DISBURSER_URL");
		const configured = (changes: Record<string, string>) =>
			call(getLoanApplication, { path: { application_id: "x" }, vars: { ...vars, ...changes } });
		expect(await configured({ DISBURSER_URL: "http://127.0.0.1:9000/" })).toMatchObject({ status: 401 });
		expect(await configured({ DISBURSER_URL: "http://disburser.example/" })).toMatchObject({ status: 503 });
	});

	it("has its due instructions read through an index", async () => {
		const plan = await plansOf(findDueInstructions(db as never, 1));
		expect(plan.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
	});
});

describe("the disburser's report", () => {
	it("of success starts the cycle on the day the money moved", async () => {
		disburserAnswering(202);
		const { offer, borrower, organization } = await givenApplied();
		await moveClock(3 * 86_400_000);
		const at = new Date(Date.now() + 2 * 86_400_000).toISOString();
		const answer = await report(offer.id, { ...PAID, occurred_at: at });
		expect(answer).toMatchObject({ status: 200, body: { disbursement_id: offer.id, status: "SUCCEEDED" } });
		expect(expectOk(await call(getLoanApplication, { as: borrower.token, path: { application_id: offer.id } })).status).toBe("DISBURSED");
		expect(await db.select().from(creditAccounts)).toMatchObject([{ status: "ACTIVE", openedAt: Date.parse(at) }]);
		expect(await db.select().from(creditCycles)).toMatchObject([
			{ principal: 30_000, startedAt: Date.parse(at), mobileMoneyTransactionId: "TX1" },
		]);
		expect(await db.select().from(installments)).toHaveLength(1);
		const events = await eventsOf(organization.id);
		expect(events.map(({ type }) => type).slice(2)).toEqual(["loan.disbursed", "credit_account.opened", "credit_account.cycle_started"]);
		expect(events[2]?.data).toMatchObject({ mobile_money_transaction_id: "TX1", disbursed_at: at, amount: 30_000 });
	});

	it("of success before the order starts the cycle at the order: the money cannot have moved earlier", async () => {
		disburserAnswering(202);
		const { offer } = await givenApplied();
		expect(await report(offer.id, { ...PAID, occurred_at: "2020-01-01T00:00:00Z" })).toMatchObject({ status: 200 });
		const [ordered] = await db.select().from(disbursements);
		expect(ordered?.occurredAt).toBe(Date.parse("2020-01-01T00:00:00Z"));
		expect(await db.select().from(creditAccounts)).toMatchObject([{ openedAt: ordered?.createdAt }]);
		expect(await db.select().from(creditCycles)).toMatchObject([{ startedAt: ordered?.createdAt }]);
	});

	it("of failure leaves the account unopened and says why", async () => {
		disburserAnswering(202);
		const { offer, borrower, organization } = await givenApplied();
		expect(await report(offer.id, REFUSED)).toMatchObject({ status: 200, body: { status: "FAILED" } });
		const application = expectOk(await call(getLoanApplication, { as: borrower.token, path: { application_id: offer.id } }));
		expect(application).toMatchObject({ status: "FAILED", failure_reason: "ACCOUNT_CLOSED" });
		expect(await db.select().from(creditAccounts)).toMatchObject([{ status: "PENDING" }]);
		expect((await eventsOf(organization.id)).at(-1)).toMatchObject({
			type: "loan.disbursement_failed",
			data: { failure_reason: "ACCOUNT_CLOSED" },
		});
		expect((await givenOffer(borrower.token)).id).not.toBe(offer.id);
	});

	it("is accepted before the disburser accepts the instruction, and stops the sending", async () => {
		const sent = disburserAnswering(0);
		const { offer } = await givenApplied();
		expect(await report(offer.id, PAID)).toMatchObject({ status: 200 });
		await moveClock(3_600_000);
		await runDueWork(sendDueInstructions, vars);
		expect(sent).toHaveLength(1);
	});

	it("changes nothing when repeated, even concurrently, and cannot be contradicted later", async () => {
		expectErrors("a payout is reported as paid by two receipts");
		disburserAnswering(202);
		const { offer, organization } = await givenApplied();
		const answers = await Promise.all([1, 2, 3].map(() => report(offer.id, PAID)));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(await report(offer.id, PAID)).toMatchObject({ status: 200 });
		expect(await db.select().from(creditCycles)).toHaveLength(1);
		expect((await eventsOf(organization.id)).filter(({ type }) => type === "loan.disbursed")).toHaveLength(1);
		for (const other of [REFUSED, { ...PAID, mobile_money_transaction_id: "TX2" }]) {
			expect(await report(offer.id, other)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		}
	});

	it("is for one disbursement: the id in the signed body must be the path's", async () => {
		disburserAnswering(202);
		const [first, second] = [await givenApplied(), await givenApplied("+254712345679")];
		const body = JSON.stringify({ disbursement_id: first.offer.id, ...PAID });
		const post = (disbursement_id: string) =>
			send(reportDisbursement, { path: { disbursement_id }, body, headers: { "x-service-signature": sign(body) }, vars });
		expect(await post(second.offer.id)).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
		expect(await post(first.offer.id)).toMatchObject({ status: 200 });
		// The public form of the same id.
		expect(await report(`lapp_${first.offer.id.replaceAll("-", "")}`, { ...PAID, disbursement_id: first.offer.id })).toMatchObject({
			status: 200,
		});
		const without = JSON.stringify(PAID);
		const sent = { path: { disbursement_id: second.offer.id }, body: without, headers: { "x-service-signature": sign(without) }, vars };
		expect(await send(reportDisbursement, sent)).toMatchObject({ status: 400 });
	});

	it("cannot pay out a second loan with the same transaction of the disburser, not even concurrently", async () => {
		disburserAnswering(202);
		const applied = [await givenApplied(), await givenApplied("+254712345679"), await givenApplied("+254712345670")];
		const answers = await Promise.all(applied.map(({ offer }) => report(offer.id, PAID)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
		for (const answer of answers) if (!answer.ok) expect(answer.body.code).toBe("DUPLICATE_CONFLICT");
		expect(await db.select().from(creditCycles)).toHaveLength(1);
		const [unpaid] = applied.filter((_, index) => answers[index]?.status === 409);
		expect(await report(unpaid?.offer.id ?? "", { ...PAID, mobile_money_transaction_id: "TX2" })).toMatchObject({ status: 200 });
	});

	it("cannot be forged by sending an instruction back, although its signature is valid", async () => {
		const sent = disburserAnswering(202);
		const { offer } = await givenApplied();
		const { body = "", headers } = sent[0] ?? {};
		const reflected = { "x-service-signature": headers?.get("x-service-signature") ?? "" };
		expect(await send(reportDisbursement, { path: { disbursement_id: offer.id }, body, headers: reflected, vars })).toMatchObject({
			status: 400,
		});
	});

	it("may also be made by an operator", async () => {
		disburserAnswering(202);
		const { offer } = await givenApplied();
		const body = { disbursement_id: offer.id, ...PAID };
		expect(await send(reportDisbursement, { path: { disbursement_id: offer.id }, body, as: await operatorToken(), vars })).toMatchObject({
			status: 200,
		});
	});

	it("is authenticated by its signature only", async () => {
		disburserAnswering(202);
		const { offer, borrower } = await givenApplied();
		const body = JSON.stringify({ disbursement_id: offer.id, ...PAID });
		const path = { disbursement_id: offer.id };
		const refused = [sign(body, "another secret"), sign(`${body} `), sign(body, SECRET, Date.now() - 301_000), "t=1,v1=", ""];
		for (const header of refused)
			expect(await report(offer.id, PAID, header), header).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		expect(await send(reportDisbursement, { path, body, vars })).toMatchObject({ status: 401 });
		expect(await send(reportDisbursement, { path, body, as: borrower.token, vars })).toMatchObject({ status: 403 });
		// Without a configured secret every signature is rejected, even one made with an empty secret.
		const unset = { "x-service-signature": sign(body, "") };
		expect(await send(reportDisbursement, { path, body, headers: unset })).toMatchObject({ status: 401 });
		expect(await send(reportDisbursement, { path, body: "{", headers: { "x-service-signature": sign("[") }, vars })).toMatchObject({
			status: 401,
		});
		expect(await send(reportDisbursement, { path, body: "{", headers: { "x-service-signature": sign("{") }, vars })).toMatchObject({
			status: 400,
		});
	});

	it("is rejected for an unknown disbursement or an invalid result", async () => {
		disburserAnswering(202);
		const { offer } = await givenApplied();
		for (const id of [crypto.randomUUID(), "x"]) expect(await report(id, PAID)).toMatchObject({ status: 404 });
		const future = new Date(Date.now() + 6 * 60_000).toISOString();
		for (const facts of [
			{ ...PAID, status: "MAYBE" },
			{ ...PAID, mobile_money_transaction_id: null },
			{ ...PAID, occurred_at: future },
			{ ...PAID, occurred_at: "yesterday" },
		]) {
			expect(await report(offer.id, facts)).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
		}
	});
});
