// The provider returns the money of an advance: the merchant has not been paid, and the invoice may be financed again.

import { describe, expect, it } from "vitest";
import { listDisbursements } from "../../../src/domains/disbursements/operations";
import { reportDisbursement } from "../../../src/domains/disbursements/result.operations";
import { financeInvoice } from "../../../src/domains/invoices/financing.operations";
import { markOverdueInvoices } from "../../../src/domains/invoices/job";
import { getInvoice } from "../../../src/domains/invoices/operations";
import { invoiceAdvances } from "../../../src/domains/invoices/table";
import { recordPayoutReturned } from "../../../src/domains/repayments/corrections/returned.operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, untilDecided } from "../../support/client";
import { moveClock } from "../../support/clock";
import { db, operatorToken } from "../../support/factories";
import { givenApproved, givenBuyer, givenFinanced, inDays, invoiceEvents, repay } from "../../support/invoices";
import { runDueWork } from "../../support/loans";
import { answerOutbound } from "../../support/outbound";

type Buyer = Awaited<ReturnType<typeof givenBuyer>>;
const detail = async ({ decider }: Buyer, id: string) => expectOk(await call(getInvoice, { as: decider.token, path: { id } }));
const finance = async (id: string, vars: Partial<Env> = {}) =>
	call(financeInvoice, { as: await operatorToken(), path: { id }, body: { fee: 1_800 }, vars });
const typesOf = async ({ organization }: Buyer) => (await invoiceEvents(organization.id)).map(({ type }) => type.slice("invoice.".length));

async function comeBack(buyer: Buyer, id: string, receipt: string = crypto.randomUUID(), at = Date.now()) {
	const { advance } = await detail(buyer, id);
	const body = { mobile_money_transaction_id: receipt, occurred_at: new Date(at).toISOString() };
	return call(recordPayoutReturned, { as: await operatorToken(), path: { id: advance?.id ?? "" }, body });
}

describe("the money of an advance", () => {
	it("comes back once, and the invoice is financed again", async () => {
		const buyer = await givenBuyer();
		const [{ id }, other] = [await givenFinanced(buyer), await givenFinanced(buyer)];
		const at = Date.now();
		const returned = expectOk(await comeBack(buyer, id, "SG632NMUAC", at));
		expect(returned).toMatchObject({ kind: "INVOICE", invoice_id: id, status: "RETURNED", amount: { value: 88_200, currency: "KES" } });
		expect(await detail(buyer, id)).toMatchObject({ status: "APPROVED", outstanding_minor_units: 0, advance: { status: "RETURNED" } });
		expect(await repay(buyer.repays, id, 100)).toMatchObject({ status: 409 });
		expect(expectOk(await comeBack(buyer, id, "sg632nmuac", at))).toEqual(returned);
		for (const answer of [await comeBack(buyer, id, "SG632NMUAD", at), await comeBack(buyer, other.id, "SG632NMUAC", at)]) {
			expect(answer).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		}
		expect((await detail(buyer, other.id)).status).toBe("FINANCED");
		expect(expectOk(await finance(id)).status).toBe("FINANCED");
		expectOk(await repay(buyer.repays, id, 90_000));
		expect((await typesOf(buyer)).slice(-4)).toEqual(["financed", "payout_returned", "financed", "paid"]);
		expect((await db.select().from(invoiceAdvances)).map(({ status }) => status).sort()).toEqual(["PAID_OUT", "PAID_OUT", "RETURNED"]);
	});

	it("comes back once for many who record it at once, while the buyer repays", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenFinanced(buyer);
		const at = Date.now();
		const answers = await Promise.all([
			...Array.from({ length: 3 }, () => untilDecided(() => comeBack(buyer, id, "SG632NMUAC", at))),
			repay(buyer.repays, id, 30_000),
		]);
		expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200]);
		const isRepaid = answers[3]?.status === 201;
		expect(await detail(buyer, id)).toMatchObject({ status: "APPROVED", repaid_minor_units: isRepaid ? 30_000 : 0 });
		expect((await typesOf(buyer)).filter((type) => type === "payout_returned")).toHaveLength(1);
	});

	it("comes back after its buyer has repaid: what is repaid stays so, and the merchant is paid after the due date too", async () => {
		const buyer = await givenBuyer();
		const due_date = inDays(2);
		const [part, whole, none] = [
			await givenFinanced(buyer, 1_800, { due_date }),
			await givenFinanced(buyer, 1_800, { due_date }),
			await givenFinanced(buyer, 1_800, { due_date }),
		];
		expectOk(await repay(buyer.repays, part.id, 30_000));
		expectOk(await repay(buyer.repays, whole.id, 90_000));
		await moveClock(3 * DAY_MS);
		await runDueWork(markOverdueInvoices);
		for (const { id } of [part, whole, none]) {
			expectOk(await comeBack(buyer, id));
			expect((await detail(buyer, id)).status).toBe("APPROVED");
		}
		expect(await finance(none.id)).toMatchObject({ status: 409 });
		expect(expectOk(await finance(whole.id)).status).toBe("PAID");
		expect(expectOk(await finance(part.id)).status).toBe("FINANCED");
		await runDueWork(markOverdueInvoices);
		expect(await detail(buyer, part.id)).toMatchObject({ status: "OVERDUE", outstanding_minor_units: 60_000 });
		expectOk(await repay(buyer.repays, part.id, 60_000));
		expect((await detail(buyer, part.id)).status).toBe("PAID");
	});

	it("comes back only once it is paid out, not before that, and not in the future", async () => {
		answerOutbound(() => Promise.resolve(new Response(null, { status: 202 })));
		const vars = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/instructions", DISBURSER_SECRET: "a secret" };
		const buyer = await givenBuyer();
		const { id } = await givenApproved(buyer);
		expectOk(await finance(id, vars));
		expect(await comeBack(buyer, id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const disbursement_id = (await detail(buyer, id)).advance?.id ?? "";
		const paid = { status: "SUCCEEDED" as const, mobile_money_transaction_id: "TX1", occurred_at: new Date().toISOString() };
		const reported = { as: await operatorToken(), path: { disbursement_id }, body: { disbursement_id, ...paid }, vars };
		expectOk(await call(reportDisbursement, reported));
		for (const at of [Date.now() - DAY_MS, Date.now() + DAY_MS]) {
			expect(await comeBack(buyer, id, "TX2", at)).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
		}
		expect(expectOk(await comeBack(buyer, id, "TX2")).status).toBe("RETURNED");
		const { data } = expectOk(await call(listDisbursements, { as: await operatorToken(), query: { status: "ACCEPTED" } }));
		expect(data).toEqual([]);
	});
});
