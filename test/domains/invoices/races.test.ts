// Concurrent uploads, decisions and reports have one effect each.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { financeInvoice } from "../../../src/domains/invoices/financing.operations";
import { cancelInvoice, decideInvoice, getInvoice, uploadInvoice } from "../../../src/domains/invoices/operations";
import { invoiceAdvances, invoiceRepayments, invoices } from "../../../src/domains/invoices/table";
import { type Answer, call, expectOk } from "../../support/client";
import { db, operatorToken } from "../../support/factories";
import { givenApproved, givenBuyer, givenFinanced, givenInvoice, invoiceBody, invoiceEvents, repay } from "../../support/invoices";

const fifty = <T>(make: (index: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 50 }, (_, index) => make(index)));
const counts = (answers: readonly Answer<unknown>[]) =>
	Object.fromEntries(
		[...new Set(answers.map(({ status }) => status))]
			.sort()
			.map((status) => [status, answers.filter((one) => one.status === status).length]),
	);
const typesOf = async (organizationId: string) => (await invoiceEvents(organizationId)).map(({ type }) => type);

// Hundreds of commits, on machines that are busy with other tests.
describe("fifty concurrent calls", () => {
	it("that upload one number in four spellings make one invoice", async () => {
		const { organization, uploads: as } = await givenBuyer();
		const spellings = ["INV-001", "inv-001", "INV - 001", "ＩＮＶ-００１"];
		const answers = await fifty((index) => call(uploadInvoice, { as, body: invoiceBody({ invoice_number: spellings[index % 4] ?? "" }) }));
		expect(counts(answers)).toEqual({ 201: 1, 409: 49 });
		for (const answer of answers) if (!answer.ok) expect(answer.body.code).toBe("DUPLICATE_INVOICE");
		expect(await db.select().from(invoices).where(eq(invoices.organizationId, organization.id))).toHaveLength(1);
		expect(await typesOf(organization.id)).toEqual(["invoice.uploaded"]);
	});

	it("that decide and withdraw have one outcome and one event", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenInvoice(buyer);
		const answers = await fifty((index) =>
			index % 3 === 2
				? call(cancelInvoice, { as: buyer.uploads, path: { id } })
				: call(decideInvoice, { as: buyer.decider.token, path: { id }, body: { decision: index % 3 ? "REJECTED" : "APPROVED" } }),
		);
		expect(counts(answers)).toEqual({ 200: 1, 409: 49 });
		expect(await typesOf(buyer.organization.id)).toHaveLength(2);
	});

	it("that finance an invoice make one advance", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenApproved(buyer);
		const as = await operatorToken();
		const answers = await fifty(() => call(financeInvoice, { as, path: { id }, body: { fee: 100 } }));
		expect(counts(answers)).toEqual({ 200: 1, 409: 49 });
		expect(await db.select().from(invoiceAdvances)).toHaveLength(1);
		expect((await typesOf(buyer.organization.id)).filter((type) => type === "invoice.financed")).toHaveLength(1);
	});

	it("that report one repayment count it once, and all get the first answer", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenFinanced(buyer);
		const at = Date.now();
		const answers = await fifty(() => repay(buyer.repays, id, 40_000, "TX1", at));
		expect(counts(answers)).toEqual({ 200: 49, 201: 1 });
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(expectOk(await call(getInvoice, { as: buyer.decider.token, path: { id } }))).toMatchObject({
			repaid_minor_units: 40_000,
			outstanding_minor_units: 50_000,
		});
	});

	it("that each repay 45 of 900 are accepted twenty times, and then the invoice is paid", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenFinanced(buyer, 10, { amount_minor_units: 900 });
		const answers = await fifty(() => repay(buyer.repays, id, 45));
		expect(counts(answers)).toMatchObject({ 201: 20 });
		for (const answer of answers) if (!answer.ok) expect(["INVALID_PARAMS", "INVALID_STATE"]).toContain(answer.body.code);
		const rows = await db.select().from(invoiceRepayments);
		expect(rows.map(({ position }) => position).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
		expect(await db.select().from(invoices)).toMatchObject([{ status: "PAID", repaid: 900 }]);
		expect((await typesOf(buyer.organization.id)).filter((type) => type === "invoice.paid")).toHaveLength(1);
	});
});
