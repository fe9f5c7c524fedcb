// The money of an invoice: the advance, its repayments, and what is left for the merchant.

import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sendDueInstructions } from "../../../src/domains/disbursements/job";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { reportDisbursement } from "../../../src/domains/disbursements/result.operations";
import { financeInvoice, repayInvoice } from "../../../src/domains/invoices/financing.operations";
import { markOverdueInvoices } from "../../../src/domains/invoices/job";
import { decideInvoice, getInvoice, listInvoices, uploadInvoice } from "../../../src/domains/invoices/operations";
import { findPastDue } from "../../../src/domains/invoices/store";
import { invoiceAdvances, invoiceRepayments } from "../../../src/domains/invoices/table";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { trips } from "../../support/credit";
import { alone } from "../../support/databases";
import { db, givenApiKey, givenOrganization, operatorToken } from "../../support/factories";
import {
	givenApproved,
	givenBuyer,
	givenFinanced,
	givenInvoice,
	inDays,
	invoiceBody,
	invoiceEvents,
	repay,
	repaymentOf,
} from "../../support/invoices";
import { runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";
import { plansOf } from "../../support/plans";

const SECRET = "a disburser's secret";
const vars = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/instructions", DISBURSER_SECRET: SECRET };

function disburserAnswering(...statuses: number[]) {
	const sent: { [name: string]: unknown }[] = [];
	answerOutbound(async (input, init) => {
		const request = new Request(input, init);
		sent.push((await request.json()) as { [name: string]: unknown });
		return new Response(null, { status: statuses[Math.min(sent.length, statuses.length) - 1] ?? 202 });
	});
	return sent;
}

const report = (disbursement_id: string, facts: object) => {
	const body = JSON.stringify({ disbursement_id, occurred_at: new Date().toISOString(), ...facts });
	const t = Math.floor(Date.now() / 1000);
	const header = `t=${t},v1=${createHmac("sha256", SECRET).update(`${t}.${body}`).digest("hex")}`;
	return send(reportDisbursement, { path: { disbursement_id }, body, headers: { "x-service-signature": header }, vars });
};

const finance = async (id: string, fee = 1_800, configured: object = {}) =>
	call(financeInvoice, { as: await operatorToken(), path: { id }, body: { fee }, ...configured });

type Buyer = Awaited<ReturnType<typeof givenBuyer>>;
const detail = async ({ decider }: Buyer, id: string) => expectOk(await call(getInvoice, { as: decider.token, path: { id } }));

describe("the money of an invoice", () => {
	it("is recorded from the upload to the last repayment", async () => {
		const buyer = await givenBuyer();
		const { id } = expectOk(await call(uploadInvoice, { as: buyer.uploads, body: invoiceBody({ amount_minor_units: 90_000 }) }));
		const decision = { decision: "APPROVED", comment: "fine" } as const;
		const headers = { "x-organization-id": buyer.organization.id };
		const decided = await call(decideInvoice, { as: buyer.decider.token, path: { id }, body: decision, headers });
		expect(trips(decided)).toBe(2);
		expect(expectOk(decided).status).toBe("APPROVED");
		const financed = await finance(id, 1_800);
		// The directory knows which user the operator is.
		expect(trips(financed)).toBe(alone ? 2 : 3);
		expect(expectOk(financed).status).toBe("FINANCED");
		expect(await detail(buyer, id)).toMatchObject({
			comment: "fine",
			outstanding_minor_units: 90_000,
			advance: { status: "PAID_OUT", amount_minor_units: 88_200, fee_minor_units: 1_800 },
		});
		const first = await repay(buyer.repays, id, 30_000);
		expect(trips(first)).toBe(2);
		expect(expectOk(first)).toMatchObject({ invoice_id: id, amount: { value: 30_000, currency: "KES" } });
		expect(await detail(buyer, id)).toMatchObject({ status: "FINANCED", repaid_minor_units: 30_000, outstanding_minor_units: 60_000 });
		expect((await repay(buyer.repays, id, 60_000)).status).toBe(201);
		expect(await detail(buyer, id)).toMatchObject({ status: "PAID", repaid_minor_units: 90_000, outstanding_minor_units: 0 });

		const [advance] = await db.select().from(invoiceAdvances);
		const repayments = await db.select().from(invoiceRepayments);
		const repaid = repayments.reduce((sum, { amount }) => sum + amount, 0);
		expect((advance?.advance ?? 0) + (advance?.fee ?? 0)).toBe(repaid);
		const about = { invoice_id: id, merchant_id: "m-1" };
		expect((await invoiceEvents(buyer.organization.id)).slice(1)).toEqual([
			{ type: "invoice.approved", key: `invoice.approved:${id}`, data: about },
			{
				type: "invoice.financed",
				key: `invoice.financed:${advance?.id}`,
				data: { ...about, advance_amount_minor_units: 88_200, fee: 1_800, currency: "KES" },
			},
			{ type: "invoice.paid", key: `invoice.paid:${id}`, data: { ...about, amount_minor_units: 90_000, currency: "KES" } },
		]);
	});
});

describe("financing", () => {
	it("needs an approved invoice before its due date, and a fee below its amount", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenApproved(buyer);
		for (const fee of [90_000, 90_001]) {
			expect(await finance(id, fee)).toMatchObject({ status: 400, body: { invalid_params: [{ path: "fee", sub_code: "OUT_OF_RANGE" }] } });
		}
		for (const fee of [-1, 1.5]) expect(await finance(id, fee)).toMatchObject({ status: 400 });
		const due = await givenApproved(buyer, { due_date: inDays(0) });
		expect(await finance(due.id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE", invalid_params: [] } });
		expect(await finance(crypto.randomUUID())).toMatchObject({ status: 404 });
		expect(await finance(id, 0, { vars: { DISBURSER: "http" } })).toMatchObject({ status: 503 });
		expectOk(await finance(id, 89_999));
	});

	it("by an outside disburser waits for the disburser's report", async () => {
		expectErrors("a payout is reported as paid by two receipts");
		const sent = disburserAnswering(202);
		const buyer = await givenBuyer();
		const { id } = await givenApproved(buyer);
		expect(expectOk(await finance(id, 1_800, { vars })).status).toBe("APPROVED");
		const { advance } = await detail(buyer, id);
		expect(advance).toMatchObject({ status: "SUBMITTED", finished_at: null });
		expect(sent).toEqual([
			{
				disbursement_id: advance?.id,
				reference: advance?.id,
				amount: { value: 88_200, currency: "KES" },
				invoice_id: id,
				recipient: { organization_id: buyer.organization.id, merchant_id: "m-1" },
			},
		]);
		expect(await finance(id, 1_800, { vars })).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const paid = { status: "SUCCEEDED", mobile_money_transaction_id: "TX1", occurred_at: new Date().toISOString() };
		const answers = await Promise.all([1, 2, 3].map(() => report(advance?.id ?? "", paid)));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(await detail(buyer, id)).toMatchObject({ status: "FINANCED", advance: { status: "PAID_OUT" } });
		expect(await report(advance?.id ?? "", { ...paid, mobile_money_transaction_id: "TX2" })).toMatchObject({ status: 409 });
		expect((await invoiceEvents(buyer.organization.id)).filter(({ type }) => type === "invoice.financed")).toHaveLength(1);
	});

	it("that failed at the disburser may be ordered again, with another instruction", async () => {
		disburserAnswering(202);
		const buyer = await givenBuyer();
		const { id } = await givenApproved(buyer);
		const failed: (string | undefined)[] = [];
		for (const failure_reason of ["ACCOUNT_CLOSED", "LIMIT"]) {
			expectOk(await finance(id, 1_800, { vars }));
			const { advance } = await detail(buyer, id);
			failed.push(advance?.id);
			expectOk(await report(advance?.id ?? "", { status: "FAILED", failure_reason }));
			expect(await detail(buyer, id)).toMatchObject({ status: "APPROVED", advance: { status: "FAILED", failure_reason } });
		}
		const events = (await invoiceEvents(buyer.organization.id)).filter(({ type }) => type === "invoice.payout_failed");
		expect(events.map(({ key }) => key)).toEqual(failed.map((advanceId) => `invoice.payout_failed:${advanceId}`));
		expectOk(await finance(id));
		expect(await detail(buyer, id)).toMatchObject({ status: "FINANCED" });
	});

	it("is instructed again with the same reference until the disburser accepts it", async () => {
		const sent = disburserAnswering(500, 500, 202);
		const buyer = await givenBuyer();
		const { id } = await givenApproved(buyer);
		expectOk(await finance(id, 1_800, { vars }));
		for (let round = 0; round < 4; round++) {
			await moveClock(3_600_000);
			await runDueWork(sendDueInstructions, vars);
		}
		expect(sent).toHaveLength(3);
		expect(new Set(sent.map((body) => JSON.stringify(body))).size).toBe(1);
		expect(await db.select().from(disbursements)).toMatchObject([{ status: "ACCEPTED", attempts: 3, invoiceId: id, accountId: null }]);
	});

	it("cannot pay two invoices with one transaction of the disburser", async () => {
		disburserAnswering(202);
		const [buyer, another] = [await givenBuyer(), await givenBuyer()];
		for (const of of [buyer, buyer, another]) expectOk(await finance((await givenApproved(of)).id, 1_800, { vars }));
		const advances = await db.select().from(invoiceAdvances);
		const paid = { status: "SUCCEEDED", mobile_money_transaction_id: "TX1" };
		const answers = await Promise.all(advances.map(({ id }) => report(id, paid)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
		expect((await db.select().from(invoiceAdvances)).map(({ status }) => status).sort()).toEqual(["PAID_OUT", "SUBMITTED", "SUBMITTED"]);
	});
});

describe("a repayment", () => {
	it("with a known external id gets the first answer, or is refused if its facts differ", async () => {
		const buyer = await givenBuyer();
		const [{ id }, other] = [await givenFinanced(buyer), await givenFinanced(buyer)];
		const at = Date.now();
		const first = await repay(buyer.repays, id, 10_000, "TX1", at);
		const again = await repay(buyer.repays, id, 10_000, "TX1", at);
		expect([first.status, again.status, again.text]).toEqual([201, 200, first.text]);
		for (const answer of [
			await repay(buyer.repays, id, 10_001, "TX1", at),
			await repay(buyer.repays, id, 10_000, "TX1", at - 1),
			await repay(buyer.repays, other.id, 10_000, "TX1", at),
		]) {
			expect(answer).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT", invalid_params: [] } });
		}
		expectOk(await repay(buyer.repays, id, 80_000, "TX2"));
		expect(await repay(buyer.repays, id, 10_000, "TX1", at)).toMatchObject({ status: 200, text: first.text });
	});

	it("is at most what is outstanding, in the invoice's currency, and not in the future", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenFinanced(buyer);
		expectOk(await repay(buyer.repays, id, 50_000));
		expect(await repay(buyer.repays, id, 40_001)).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "amount.value", sub_code: "OUT_OF_RANGE" }] },
		});
		const inDollars = { ...repaymentOf(100), amount: { value: 100, currency: "USD" } };
		expect(await call(repayInvoice, { as: buyer.repays, path: { id }, body: inDollars })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "amount.currency", sub_code: "CURRENCY_MISMATCH" }] },
		});
		expect(await repay(buyer.repays, id, 100, "TX1", Date.now() + 6 * 60_000)).toMatchObject({ status: 400 });
		expect(await detail(buyer, id)).toMatchObject({ repaid_minor_units: 50_000 });
	});

	it("is reported by the organization's key or by an operator", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenFinanced(buyer);
		const foreign = await givenApiKey((await givenOrganization()).id, ["repayments:write"]);
		expect(await repay(foreign, id, 100)).toMatchObject({ status: 404 });
		expect(await repay(buyer.decider.token, id, 100)).toMatchObject({ status: 403 });
		expect((await repay(await operatorToken(), id, 100)).status).toBe(201);
	});
});

describe("a financed invoice", () => {
	it("is overdue from the day after its due date, and can still be repaid", async () => {
		const buyer = await givenBuyer();
		const [late, paid] = [await givenFinanced(buyer, 0, { due_date: inDays(2) }), await givenFinanced(buyer, 0, { due_date: inDays(2) })];
		const pending = await givenInvoice(buyer, { due_date: inDays(2) });
		expectOk(await repay(buyer.repays, late.id, 1_000));
		expectOk(await repay(buyer.repays, paid.id, 90_000));
		await moveClock(2 * DAY_MS);
		await runDueWork(markOverdueInvoices);
		expect((await detail(buyer, late.id)).status).toBe("FINANCED");
		await moveClock(DAY_MS);
		await Promise.all([runDueWork(markOverdueInvoices), runDueWork(markOverdueInvoices)]);
		const { data } = expectOk(await call(listInvoices, { as: buyer.decider.token, query: {} }));
		expect(new Map(data.map(({ id, status }) => [id, status]))).toEqual(
			new Map([
				[late.id, "OVERDUE"],
				[paid.id, "PAID"],
				[pending.id, "PENDING"],
			]),
		);
		const overdue = (await invoiceEvents(buyer.organization.id)).filter(({ type }) => type === "invoice.overdue");
		expect(overdue).toMatchObject([{ data: { invoice_id: late.id, outstanding_minor_units: 89_000, currency: "KES" } }]);
		expectOk(await repay(buyer.repays, late.id, 89_000));
		expect((await detail(buyer, late.id)).status).toBe("PAID");
	});

	it("is found by its due date through an index", async () => {
		const plan = await plansOf(findPastDue(db as never, "2026-01-01", 20));
		expect(plan.join()).toContain("invoices_due");
		expect(plan.filter((detail) => /SCAN|TEMP B-TREE/.test(detail))).toEqual([]);
	});
});
