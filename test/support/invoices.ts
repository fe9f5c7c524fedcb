// Invoices that are uploaded, approved, financed and repaid over HTTP.

import type * as z from "zod";
import { financeInvoice, repayInvoice } from "../../src/domains/invoices/financing.operations";
import { decideInvoice, uploadInvoice } from "../../src/domains/invoices/operations";
import type { InvoiceInput } from "../../src/domains/invoices/wire";
import { addDays, localDate } from "../../src/shared/time";
import { call, expectOk } from "./client";
import { givenApiKey, givenMember, givenOrganization, oneTrip, operatorToken } from "./factories";
import { eventsOf } from "./loans";

export type Buyer = { organization: { id: string } };

/** The organization's events about invoices. Other events, such as seals of the audit trail, depend on when a sweep runs. */
export const invoiceEvents = async (organizationId: string) =>
	(await eventsOf(organizationId)).filter(({ type }) => type.startsWith("invoice."));

/** The date `days` days from today. */
export const inDays = (days: number) => addDays(localDate(Date.now()), days);

/** 900 shillings, due in thirty days. */
export const invoiceBody = (changes: Partial<z.input<typeof InvoiceInput>> = {}): z.input<typeof InvoiceInput> => ({
	merchant_id: "m-1",
	invoice_number: `INV-${crypto.randomUUID()}`,
	amount_minor_units: 90_000,
	currency: "KES",
	issued_date: inDays(-1),
	due_date: inDays(30),
	...changes,
});

/** An organization with a member who uploads invoices, one who approves them, and API keys for uploads and repayments. */
export async function givenBuyer() {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	const uploader = await givenMember(organization.id, "organization-financing-admin", {}, write);
	const decider = await givenMember(organization.id, "organization-financing-admin", {}, write);
	const uploads = await givenApiKey(organization.id, ["invoices:write"], { createdBy: uploader.id }, write);
	const repays = await givenApiKey(organization.id, ["repayments:write"], {}, write);
	await written();
	return { organization, uploader, decider, uploads, repays };
}

/** An invoice that an API key uploaded. */
export const givenInvoice = async ({ organization }: Buyer, changes: Partial<z.input<typeof InvoiceInput>> = {}) =>
	expectOk(await call(uploadInvoice, { as: await givenApiKey(organization.id, ["invoices:write"]), body: invoiceBody(changes) }));

export async function givenApproved(buyer: Buyer, changes: Partial<z.input<typeof InvoiceInput>> = {}) {
	const { id } = await givenInvoice(buyer, changes);
	const decider = await givenMember(buyer.organization.id, "organization-financing-admin");
	return expectOk(await call(decideInvoice, { as: decider.token, path: { id }, body: { decision: "APPROVED" } }));
}

export async function givenFinanced(buyer: Buyer, fee = 1_800, changes: Partial<z.input<typeof InvoiceInput>> = {}) {
	const { id } = await givenApproved(buyer, changes);
	return expectOk(await call(financeInvoice, { as: await operatorToken(), path: { id }, body: { fee } }));
}

export const repaymentOf = (value: number, external_id: string = crypto.randomUUID(), at = Date.now()) => ({
	external_id,
	amount: { value, currency: "KES" },
	transacted_at: new Date(at).toISOString(),
});

export const repay = (as: string, id: string, value: number, external_id?: string, at?: number) =>
	call(repayInvoice, { as, path: { id }, body: repaymentOf(value, external_id, at) });
