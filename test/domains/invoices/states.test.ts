// Every operation that moves an invoice, tried from every status: unlisted moves are refused and change nothing.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { financeInvoice } from "../../../src/domains/invoices/financing.operations";
import { INVOICE_STATUSES, type InvoiceMove, type InvoiceStatus, statusAfter } from "../../../src/domains/invoices/lifecycle";
import { cancelInvoice, decideInvoice } from "../../../src/domains/invoices/operations";
import { invoices } from "../../../src/domains/invoices/table";
import { call } from "../../support/client";
import { db, operatorToken } from "../../support/factories";
import { givenBuyer, givenInvoice, invoiceEvents, repay } from "../../support/invoices";

type Buyer = Awaited<ReturnType<typeof givenBuyer>>;

const DOORS: Readonly<
	Record<Exclude<InvoiceMove, "fallDue" | "comeBack">, (buyer: Buyer, id: string) => Promise<{ status: number; body: unknown }>>
> = {
	approve: ({ decider }, id) => call(decideInvoice, { as: decider.token, path: { id }, body: { decision: "APPROVED" } }),
	reject: ({ decider }, id) => call(decideInvoice, { as: decider.token, path: { id }, body: { decision: "REJECTED" } }),
	cancel: ({ uploads }, id) => call(cancelInvoice, { as: uploads, path: { id } }),
	finance: async (_, id) => call(financeInvoice, { as: await operatorToken(), path: { id }, body: { fee: 100 } }),
	repay: ({ repays }, id) => repay(repays, id, 90_000),
};

const cases = INVOICE_STATUSES.flatMap((status) =>
	Object.entries(DOORS).map(([move, door]) => [status, move as InvoiceMove, door] as const),
);

async function givenIn(status: InvoiceStatus) {
	const buyer = await givenBuyer();
	const { id } = await givenInvoice(buyer);
	const repaid = status === "PAID" ? 90_000 : 0;
	await db.update(invoices).set({ status, repaid }).where(eq(invoices.id, id));
	return { buyer, id };
}

describe("an invoice", () => {
	it.each(cases)("that is %s: %s", async (status, move, door) => {
		const { buyer, id } = await givenIn(status);
		const answer = await door(buyer, id);
		const next = statusAfter(status, move);
		const [row] = await db.select().from(invoices).where(eq(invoices.id, id));
		if (next) {
			expect(answer.status).toBeLessThan(300);
			expect(row?.status).toBe(next);
		} else {
			expect(answer).toMatchObject({ status: 409, body: { code: "INVALID_STATE", identifier: expect.any(String), invalid_params: [] } });
			expect(row?.status).toBe(status);
		}
		expect((await invoiceEvents(buyer.organization.id)).slice(1)).toHaveLength(next ? 1 : 0);
	});
});
